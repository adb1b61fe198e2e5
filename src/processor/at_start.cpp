#include <string.h>
#include <unistd.h>

#include "processor.hpp"

// Before the constructors of all other files, which may hold any instruction already: those without a priority come after.
__attribute__((constructor(101))) static void check_processor() {
  char message[1024];
  if (!bochner::processor::unsupported("program", "-D", message, sizeof message - 1)) return;
  strcat(message, "\n");
  const ssize_t written = write(STDERR_FILENO, message, strlen(message));
  _exit(written < 0 ? 3 : 2);
}

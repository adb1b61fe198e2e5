#include "serve.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "bochner/core/messages.hpp"
#include "cli/frame/console.hpp"
#include "cli/frame/interrupt.hpp"
#include "src/serve/serve.hpp"

namespace bochner::cli {

namespace {

struct ServeSettings {
  std::string run = "run";
  std::string host = "127.0.0.1";
  Index port = 8642;
};

int run_serve(const ServeSettings& settings) {
  const std::string address = settings.host == "localhost" ? "127.0.0.1" : settings.host;
  std::string folder = settings.run;
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  detail::LiveRun run(folder, Threads(1));  // the cores are for the fit
  const Interrupt interrupt(Interrupt::Message::none);
  detail::HttpServer server(address, static_cast<int>(settings.port));
  const detail::Guard guard = detail::guard_for(address, detail::random_token());
  const detail::SiteContent content = detail::content_of(run);
  if (!detail::is_loopback(address))
    print_error(
        "warning: other machines can reach this address, and what they read is not encrypted; an ssh tunnel "
        "to 127.0.0.1 is safer\n");
  if (run.phase() == detail::RunPhase::waiting)
    print_error(
        fmt::format("note: {} holds no run yet; the page shows it when it begins\n", printable(folder)));
  print(fmt::format("Serving {} at {} (Ctrl-C ends)\n", printable(folder),
                    detail::page_address(address, server.port(), guard.token)));
  std::fflush(stdout);  // whoever started it in the background waits for the address
  server.run([&](const detail::HttpRequest& request) { return detail::answer(request, guard, content); },
             [&] { return interrupt.asked(); });
  return 0;
}

}  // namespace

Command serve_command() {
  const auto s = std::make_shared<ServeSettings>();
  return {
      .name = "serve",
      .summary = "Show a run in the browser while it is under way: objective, latents, time left",
      .example = "bochner serve run",
      .details =
          "Prints the address of a page that follows the run: the objective, the latents as they move, the\n"
          "time left, and at the end the verdict, the report, and what the model predicts at any latent.\n"
          "Only this machine reaches it, and only with the token in the address; it reads the run folder\n"
          "and never writes. From another machine: ssh -L 8642:127.0.0.1:8642 HOST. Ctrl-C ends it.",
      .options = {{.name = "run",
                   .placeholder = "DIR",
                   .help = "Run folder; it may appear later",
                   .target = &s->run,
                   .group = Group::input,
                   .positional = true},
                  {.name = "port",
                   .placeholder = "N",
                   .help = "TCP port; 0: any that is free",
                   .target = &s->port,
                   .low = 0,
                   .high = 65535},
                  {.name = "host",
                   .placeholder = "ADDRESS",
                   .help = "Numeric address to listen at; 0.0.0.0: all of this machine, for others to reach",
                   .target = &s->host}},
      .runs = false,
      .run = [s](const Job&) { return run_serve(*s); }};
}

}  // namespace bochner::cli

#include "bochner/backend/open_mpi.hpp"

#include "bochner/core/errors.hpp"
#include "plugin.hpp"

namespace bochner {
namespace {

constexpr detail::PluginName mpi_plugin{
    .file = "libbochner_mpi.so",
    .variable = "BOCHNER_MPI",
    .absent =
        "this build has no MPI: build libbochner_mpi.so (make mpi), or name it by the environment "
        "variable BOCHNER_MPI",
    .remedy = "install the MPI that it was built with",
    .global = true};  // Open MPI loads parts of its own, which expect to find it

}  // namespace

Communicator open_mpi() {
  void* library = detail::open_plugin(mpi_plugin);
  detail::check_plugin_version(mpi_plugin, library, "bochner_mpi_version", transport_version);
  char why[1024] = "";
  Transport* transport = reinterpret_cast<Transport* (*)(char*, std::size_t)>(
      detail::plugin_symbol(mpi_plugin, library, "bochner_mpi_open"))(why, sizeof why);
  if (transport == nullptr) throw InputError(why);
  return Communicator(std::unique_ptr<Transport>(transport));
}

}  // namespace bochner

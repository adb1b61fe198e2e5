"""Which build of ``bochner._core`` is loaded: a wheel has one for every processor of its kind, and a faster one for new ones."""

from collections.abc import Callable, Sequence

VARIABLE = "BOCHNER_PROCESSOR"


def choose(builds: Sequence[str], unsupported: Callable[[str], str], wanted: str = "") -> str:
    """Name of the first of ``builds`` (the best first) that this processor can run, or of the one that is ``wanted``.

    ``unsupported`` gives the error message of a build that this processor cannot run.
    """
    if wanted and wanted not in builds:
        raise ImportError(f"bochner: {VARIABLE}={wanted}, but this package is built for {' and '.join(builds)}")
    message = ""
    for build in [wanted] if wanted else builds:
        message = unsupported(build)
        if not message:
            return build
    raise ImportError(message)


def search_path(path: Sequence[str], builds: Sequence[str], chosen: str) -> list[str]:
    """``__path__`` of the package for the chosen build: the last one lies in the folder of the package, others below it."""
    return list(path) if chosen == builds[-1] else [f"{path[0]}/{chosen}", *path]

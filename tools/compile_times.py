#!/usr/bin/env python3
"""The most expensive translation units of a build folder, by the log of Ninja: tools/compile_times.py [build] [--top 10]

Wall-clock seconds of the last time that each was compiled: of processor time where there are no more jobs than cores. With ccache
(or CCACHE_DISABLE unset) an object may have come from the cache; for a measurement of the build:

    CCACHE_DISABLE=1 sh -c 'time make build' && tools/compile_times.py
"""
import argparse
import pathlib


def seconds(log: pathlib.Path) -> dict[str, float]:
    """By object; a later line of the log replaces an earlier one."""
    lines = [line.split("\t") for line in log.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {output: (int(end) - int(start)) / 1000 for start, end, _, output, _ in lines if output.endswith(".o")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", default="build", type=pathlib.Path)
    parser.add_argument("--top", default=10, type=int, help="number of translation units to print")
    options = parser.parse_args()
    log = options.build / ".ninja_log"
    if not log.exists():
        parser.exit(1, f"{log}: there is none; build with Ninja first\n")
    times = {name: t for name, t in seconds(log).items() if (options.build / name).exists()}
    print(f"{sum(times.values()) / 60:8.1f} min  {len(times)} translation units")
    for name, t in sorted(times.items(), key=lambda item: -item[1])[: options.top]:
        print(f"{t:8.1f} s    {name}")


if __name__ == "__main__":
    main()

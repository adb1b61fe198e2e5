#!/usr/bin/env bash
# Fuzzes every reader of files and options for FUZZ_SECONDS each (default 600), JOBS at a time, from a corpus of valid input,
# with the address sanitizer. One line per reader; the exit code says whether anything was found. Findings stay in
# build-fuzz/findings.
#   tools/fuzz.sh            all of tests/fuzz/fuzz_*.cpp
#   tools/fuzz.sh csv npy    some of them
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-600}
jobs=${JOBS:-$(nproc)}
readers=("$@")
[ ${#readers[@]} -gt 0 ] || mapfile -t readers < <(ls tests/fuzz/fuzz_*.cpp | sed 's|.*/fuzz_||; s|[.]cpp$||')

tools/setup.sh clang
cmake --preset fuzz >/dev/null
cmake --build build-fuzz --parallel "$jobs" --target make_corpus "${readers[@]/#/fuzz_}"
out=build-fuzz/findings
mkdir -p "$out" build-fuzz/corpus
build-fuzz/tests/fuzz/make_corpus build-fuzz/corpus

# HDF5 keeps some memory until the program ends; what a reader of ours forgets shows in `make test-asan`.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1

fuzz() {
  local reader=$1 log=$out/$1.log limit=65536
  mkdir -p build-fuzz/corpus/"$reader"
  if build-fuzz/tests/fuzz/fuzz_"$reader" -max_total_time="$seconds" -timeout=120 -rss_limit_mb=3000 -max_len=$limit \
      -print_final_stats=1 -artifact_prefix="$out/$reader-" build-fuzz/corpus/"$reader" >"$log" 2>&1; then
    echo "fuzz $reader: no finding in $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, $seconds s," \
      "$(grep -o 'cov: [0-9]*' "$log" | tail -1 | sed 's/cov: //') edges covered"
  else
    echo "fuzz $reader: FOUND $(grep -m1 -E '^finding:|ERROR:|what\(\)' "$log" || tail -1 "$log") (input and log in $out)"
    return 1
  fi
}

failed=0
running=()
for reader in "${readers[@]}"; do
  if [ ${#running[@]} -ge "$jobs" ]; then
    wait "${running[0]}" || failed=1
    running=("${running[@]:1}")
  fi
  fuzz "$reader" &
  running+=($!)
done
for process in "${running[@]}"; do wait "$process" || failed=1; done
exit $failed

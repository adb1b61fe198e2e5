#!/usr/bin/env bash
# Packs what a machine with a driver and CUDA, and nothing else of ours, needs to test and time the CUDA part: the plugin, the
# tests of backend/, bench_cuda with PyTorch's side, and the program if it is built, with the libraries that they link.
#
#   tools/cuda_bundle.sh BUILD FOLDER
#
# There: FOLDER/run.sh tests | sanitizer | bench. Build with -DBOCHNER_ARCH=x86-64-v3 where the other processor is another one.
set -euo pipefail
build=$1 folder=$2
cd "$(dirname "$0")/.."
mkdir -p "$folder"
cp "$build/lib/libbochner_cuda.so" "$build/tests/test_backend" "$build/bench/bench_cuda" bench/cuda/run.py \
  bench/reference/torch_gplvm.py "$folder"
if [ -x "$build/bin/bochner" ]; then cp "$build/bin/bochner" "$folder"; fi
for program in "$folder"/test_backend "$folder"/bench_cuda "$folder"/bochner; do
  [ -x "$program" ] || continue
  strip --strip-unneeded "$program"
  ldd "$program" | awk '$3 ~ /^\// { print $3 }' |
    grep -vE '/(libc|libm|libdl|libpthread|librt|libstdc\+\+|libgcc_s|ld-linux[^/]*)\.so' |
    while read -r library; do cp -uL "$library" "$folder"; done || true
done
cat > "$folder/run.sh" <<'RUN'
#!/usr/bin/env bash
# tests | sanitizer | bench [options of run.py]: the CUDA part on this machine.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
ours=$here:/usr/local/cuda/lib64:${LD_LIBRARY_PATH:-}  # not for PyTorch
case ${1:-tests} in
  tests) LD_LIBRARY_PATH=$ours "$here/test_backend" ;;
  sanitizer) LD_LIBRARY_PATH=$ours compute-sanitizer --tool "${2:-memcheck}" --error-exitcode 9 "$here/test_backend" --gtest_filter='Operations.*:Steps.*:LatentStep.OnACard*-*TooMuchMemory*' ;;
  bench) shift; python3 "$here/run.py" --program "$here/bench_cuda" --libraries "$here" "$@" ;;
  *) echo "run.sh: tests, sanitizer or bench?" >&2; exit 1 ;;
esac
RUN
chmod +x "$folder/run.sh"
du -sh "$folder" | cut -f1 | xargs echo "$folder:"

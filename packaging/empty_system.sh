# For the tests of packages (source it): empty_system <folder> <suite> <packages> makes a Debian system with nothing but these
# in an empty <folder>, and in_system <folder> <command ...> runs a command there. As root; the archives are kept in build-systems/.

empty_system() {
  local folder=$1 suite=$2 packages=$3 archive
  archive=build-systems/$suite-$(echo "$packages" | cksum | cut -d' ' -f1).tar
  mkdir -p build-systems "$folder"
  if [ ! -s "$archive" ]; then
    echo "bochner: making a Debian system ($suite) with $packages"
    mmdebstrap --quiet --variant=minbase --include="$packages" "$suite" "$archive"
  fi
  tar -x -C "$folder" -f "$archive"
  mkdir -p "$folder/proc" "$folder/dev"
  cp /etc/resolv.conf "$folder/etc/resolv.conf"
  if [ -d "$folder/etc/ssl/certs" ]; then cp /etc/ssl/certs/ca-certificates.crt "$folder/etc/ssl/certs/"; fi
}

in_system() {
  local folder=$1
  shift
  # A namespace of its own: what is mounted there is gone when the command ends. HOME is that of the empty system.
  unshare --mount --pid --fork --kill-child bash -c '
    mount -t proc proc "$0/proc"
    mount --rbind /dev "$0/dev"
    exec chroot "$0" env HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"' "$folder" "$@"
}

#!/usr/bin/env bash
# A hook of git (commit-msg): the subject of a commit is at most 72 characters, starts with a capital and ends without a dot.
set -euo pipefail
subject=$(grep -v '^#' "$1" | head -1)
case $subject in Merge\ * | Revert\ * | fixup!* | squash!*) exit 0 ;; esac
if [ ${#subject} -gt 72 ]; then
  echo "the subject has ${#subject} characters, 72 at most: $subject" >&2
  exit 1
fi
if [[ ! $subject =~ ^[A-Z] || $subject == *. ]]; then
  echo "the subject starts with a capital, in the imperative, and ends without a dot: $subject" >&2
  exit 1
fi

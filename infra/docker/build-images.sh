#!/usr/bin/env bash
# Builds the images of all apps, citewell/api and so on, with Docker, or with buildah where there is no Docker:
#   infra/docker/build-images.sh [app…]
# TAG names them (default: the version). With the same commit, the layers have the same times.
set -euo pipefail
cd "$(dirname "$0")/../.."

apps=("$@")
[ $# -gt 0 ] || apps=(api worker-crawler worker-parser worker-indexer cli)
version=$(sed -n 's/^ *"version": "\(.*\)",/\1/p' packages/sdk/package.json)
tag=${TAG:-$version}
revision=$(git rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

build() {
  if docker info >/dev/null 2>&1; then
    docker build "$@"
  else
    # The registries of the machine's `.npmrc`. chroot needs no container runtime.
    STORAGE_DRIVER=${STORAGE_DRIVER:-vfs} buildah build --format docker --layers --isolation chroot --network host --pull-never \
      --timestamp "$SOURCE_DATE_EPOCH" --volume "$HOME/.npmrc:/root/.npmrc:ro" "$@"
  fi
}

for app in "${apps[@]}"; do
  build --file infra/docker/Dockerfile --build-arg "APP=$app" --build-arg "VERSION=$version" \
    --build-arg "REVISION=$revision" --tag "citewell/$app:$tag" .
  echo "built citewell/$app:$tag"
done

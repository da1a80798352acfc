#!/usr/bin/env bash
# Builds the images and runs the tests of the scaled deployment with them: API and workers in the file systems of their
# images, on Postgres, Redis, Qdrant (in memory, or the server that QDRANT_URL names) and S3. Prints the sizes.
#   infra/docker/test-images.sh [--no-build]
# Needs root, buildah and, where no registry can be reached, debootstrap.
set -euo pipefail
cd "$(dirname "$0")/../.."
export STORAGE_DRIVER=${STORAGE_DRIVER:-vfs}

apps=(api worker-crawler worker-parser worker-indexer cli)
if [ "${1:-}" != --no-build ]; then
  base=$(sed -n 's/^FROM \(node:[^ ]*\) AS build$/\1/p' infra/docker/Dockerfile)
  buildah inspect "docker.io/library/$base" >/dev/null 2>&1 || buildah pull --quiet "docker.io/library/$base" ||
    infra/docker/base-images.sh
  TAG=test infra/docker/build-images.sh "${apps[@]}"
fi

containers=()
trap '[ ${#containers[@]} -eq 0 ] || buildah rm "${containers[@]}" >/dev/null' EXIT
roots=""
# What is larger than 10 MB in an image: files, and packages of npm.
large() {
  find "$1" -xdev -type f -size +10M -printf '  %s %P\n'
  du -xb -d 1 --threshold=10M "$1/app/node_modules/.pnpm" | sed "s#$1/#  #"
}
for app in "${apps[@]}"; do
  container=$(buildah from --pull-never "localhost/citewell/$app:${TAG:-test}")
  containers+=("$container")
  root=$(buildah mount "$container")
  roots+="$app=$root "
  echo "$app" && large "$root"
done
buildah images --format '{{.Name}}:{{.Tag}} {{.Size}}' | grep ":${TAG:-test} " | sort -u

TEST_IMAGE_ROOTS="$roots" npm run soak -- images

#!/usr/bin/env bash
# Runs an app in the file system of its image as a container would, where there is no container runtime: on a read-only
# root with /tmp in memory, as another user, without capabilities, on the network of the host. Signals reach the app.
#   run-image.sh <root of the image> <app> [arguments of node…]
# The environment is that of the caller, plus that of the image. IMAGE_USER is the id of user and group (default 1000).
set -euo pipefail
export IMAGE_ROOT=$1 IMAGE_APP=$2
shift 2
export IMAGE_USER=${IMAGE_USER:-1000}
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
# Those of the Dockerfile that a test does not choose.
export NODE_ENV=production MALLOC_ARENA_MAX=2 HOME=/home/node

exec unshare --mount --propagation private bash -ec '
  mount --bind "$IMAGE_ROOT" "$IMAGE_ROOT"
  mount --rbind /proc "$IMAGE_ROOT/proc"
  mount --rbind /dev "$IMAGE_ROOT/dev"
  mount -t tmpfs -o mode=1777 tmpfs "$IMAGE_ROOT/tmp"
  mount -o remount,bind,ro "$IMAGE_ROOT"
  exec chroot "$IMAGE_ROOT" setpriv --reuid "$IMAGE_USER" --regid "$IMAGE_USER" --clear-groups --no-new-privs \
    --bounding-set=-all --inh-caps=-all env --unset=IMAGE_ROOT --unset=IMAGE_USER --unset=IMAGE_APP \
    --chdir="/app/apps/$IMAGE_APP" node "$@"' run-image "$@"

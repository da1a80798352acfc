#!/usr/bin/env bash
# Prints the seconds from `npm start` in an empty clone, with every cache empty, until the product is ready, and the
# same of the second start.
#
#   bench/fresh-clone.sh [repository]
#
# What is cloned is the last commit. Nothing of the user's own npm, pnpm and turbo caches is read or written.
set -euo pipefail

repository=${1:-$(cd "$(dirname "$0")/.." && pwd)}
work=$(mktemp -d)
product=''

finish() {
  if [ -n "$product" ] && kill -0 "$product" 2>/dev/null; then
    kill -INT "$product"
    wait "$product" 2>/dev/null || true
  fi
  rm -rf "$work"
}
trap finish EXIT

# Everything that is kept between runs lives under these.
export HOME=$work/home XDG_CACHE_HOME=$work/cache XDG_DATA_HOME=$work/share XDG_CONFIG_HOME=$work/config
export XDG_STATE_HOME=$work/state PNPM_HOME=$work/pnpm npm_config_cache=$work/npm
export npm_config_update_notifier=false PORT=0
mkdir -p "$HOME"

git clone --quiet "$repository" "$work/clone"
cd "$work/clone"
echo "commit $(git rev-parse --short HEAD)"

# start <name>: runs `npm start` until it is ready, says how long that took, and stops it as Ctrl-C does.
start() {
  local log=$work/$1.log began ready
  : >"$log"
  began=$(date +%s.%N)
  npm start >"$log" 2>&1 &
  product=$!
  until grep -q 'Citewell is ready' "$log"; do
    kill -0 "$product" 2>/dev/null || { cat "$log"; exit 1; }
    sleep 0.05
  done
  ready=$(date +%s.%N)
  grep -E '^(Installing|Compiling)' "$log" || true
  echo "$1 start: ready after $(echo "$ready $began" | awk '{ printf "%.1f", $1 - $2 }') s"
  kill -INT "$product"
  wait "$product" || true
  product=''
}

start first
start second

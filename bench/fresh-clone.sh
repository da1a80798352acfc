#!/usr/bin/env bash
# Measures the time in seconds from `npm start` in a fresh clone with empty caches until the product is ready, and the
# same for a second start.
#
#   bench/fresh-clone.sh [repository]
#
# Clones the last commit. The user's npm, pnpm and turbo caches are neither read nor written.
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

# All caches and settings of npm, pnpm and turbo are under these directories.
export HOME=$work/home XDG_CACHE_HOME=$work/cache XDG_DATA_HOME=$work/share XDG_CONFIG_HOME=$work/config
export XDG_STATE_HOME=$work/state PNPM_HOME=$work/pnpm npm_config_cache=$work/npm
export npm_config_update_notifier=false PORT=0
mkdir -p "$HOME"

git clone --quiet "$repository" "$work/clone"
cd "$work/clone"
echo "commit $(git rev-parse --short HEAD)"

# start <name>: runs `npm start`, prints the time until it is ready, and stops it as Ctrl-C does.
start() {
  local log=$work/$1.log started ready
  : >"$log"
  started=$(date +%s.%N)
  npm start >"$log" 2>&1 &
  product=$!
  until grep -q 'Citewell is ready' "$log"; do
    kill -0 "$product" 2>/dev/null || { cat "$log"; exit 1; }
    sleep 0.05
  done
  ready=$(date +%s.%N)
  grep -E '^(Installing|Compiling)' "$log" || true
  echo "$1 start: ready after $(echo "$ready $started" | awk '{ printf "%.1f", $1 - $2 }') s"
  kill -INT "$product"
  wait "$product" || true
  product=''
}

start first
start second

#!/bin/sh
# Installs the generators of web pages into the given folder. Run as root, or install the Debian packages before.
set -eu
here=$(realpath "$(dirname "$0")")
{ command -v doxygen && command -v asciidoctor && command -v javadoc && command -v rustdoc; } >/dev/null ||
  apt-get install -y --no-install-recommends doxygen asciidoctor default-jdk-headless rustc
mkdir -p "$1" && cd "$1"
python3 -m venv python
python/bin/pip install -q -r "$here/requirements.txt"
npm init -y >/dev/null
npm install --no-audit --no-fund @docusaurus/core@3.10.2 @docusaurus/preset-classic@3.10.2 react@19.3.1 react-dom@19.3.1 \
  jsdoc@4.0.5 typedoc@0.28.20 typescript@5.9.3 vitepress@1.6.4

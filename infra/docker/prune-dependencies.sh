#!/bin/sh
# Removes from `node_modules` what no app needs at run time. Run in the root folder of an installation for production.
set -eu
store=node_modules/.pnpm
# The tools that build, the embedded database, and what libraries only declare: TypeScript of typeorm, React of LangChain.
rm -rf "$store"/node-*@24* "$store"/turbo@* "$store"/@turbo* "$store"/@swc* "$store"/esbuild@* "$store"/@esbuild* \
       "$store"/@embedded-postgres* "$store"/typescript@* "$store"/react@* "$store"/react-dom@*
# Declarations, sources and source maps: more than half of all bytes.
find "$store" -type f \( -name '*.ts' -o -name '*.cts' -o -name '*.mts' -o -name '*.map' -o -name '*.md' -o -name '*.tsbuildinfo' \) -delete
# The apps are ES modules: the twins for `require` and for browsers of the largest packages.
rm -rf "$store"/gpt-tokenizer@*/node_modules/gpt-tokenizer/cjs "$store"/gpt-tokenizer@*/node_modules/gpt-tokenizer/data \
       "$store"/pdfjs-dist@*/node_modules/pdfjs-dist/build "$store"/pdfjs-dist@*/node_modules/pdfjs-dist/web

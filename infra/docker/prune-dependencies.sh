#!/bin/sh
# Removes from `node_modules` what no app needs at run time. Run in the root folder of an installation for production.
set -eu
store=node_modules/.pnpm
# The tools that build, the embedded database, and what libraries only declare: TypeScript of typeorm, React of LangChain.
rm -rf "$store"/node-*@24* "$store"/turbo@* "$store"/@turbo* "$store"/@swc* "$store"/esbuild@* "$store"/@esbuild* \
       "$store"/@embedded-postgres* "$store"/typescript@* "$store"/react@* "$store"/react-dom@*
# Declarations, sources and source maps: more than half of all bytes.
find "$store" -type f \( -name '*.ts' -o -name '*.cts' -o -name '*.mts' -o -name '*.map' -o -name '*.md' -o -name '*.tsbuildinfo' \) -delete
# The apps are ES modules: the twins for `require`, for browsers and for older engines of the largest packages.
find "$store"/@langchain* "$store"/langsmith@* -type f -name '*.cjs' -delete
rm -rf "$store"/typeorm@*/node_modules/typeorm/browser "$store"/rxjs@*/node_modules/rxjs/dist/esm5 \
       "$store"/rxjs@*/node_modules/rxjs/dist/bundles "$store"/bintrees@*/node_modules/bintrees/test \
       "$store"/@opentelemetry*/node_modules/@opentelemetry/*/build/esnext \
       "$store"/swagger-ui-dist@*/node_modules/swagger-ui-dist/swagger-ui-es-*
# Tables of tokenizers that LangChain offers and the product does not use: LangChain imports `js-tiktoken/lite`.
rm -rf "$store"/js-tiktoken@*/node_modules/js-tiktoken/dist/ranks "$store"/js-tiktoken@*/node_modules/js-tiktoken/dist/index.*
rm -rf "$store"/gpt-tokenizer@*/node_modules/gpt-tokenizer/cjs "$store"/gpt-tokenizer@*/node_modules/gpt-tokenizer/data \
       "$store"/pdfjs-dist@*/node_modules/pdfjs-dist/build "$store"/pdfjs-dist@*/node_modules/pdfjs-dist/web \
       "$store"/pdfjs-dist@*/node_modules/pdfjs-dist/legacy/web "$store"/pdfjs-dist@*/node_modules/pdfjs-dist/legacy/image_decoders \
       "$store"/pdfjs-dist@*/node_modules/pdfjs-dist/legacy/build/*.min.mjs \
       "$store"/pdfjs-dist@*/node_modules/pdfjs-dist/legacy/build/pdf.sandbox.*
# Other builds and other data of Tesseract than those that `packages/documents/src/recognition` loads.
find "$store"/tesseract.js-core@* -type f -name 'tesseract-core*' \( -name '*.wasm.js' -o \
     ! -name 'tesseract-core-simd.*' ! -name 'tesseract-core-simd-lstm.*' \) -delete
rm -rf "$store"/@tesseract.js-data*/node_modules/@tesseract.js-data/*/4.0.0

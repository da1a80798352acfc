// Bundles the widget with its styles and the SDK into one script, `dist/widget.js`. Run in the folder of the widget, after
// `compile.mjs`.
import { readFile, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';

/** Imports a style sheet as its text. */
const styleSheets = {
  name: 'style sheets',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true });
      return { contents: code, loader: 'text' };
    }),
};

const outfile = 'dist/widget.js';
await build({
  entryPoints: ['src/main.ts'],
  outfile,
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  plugins: [styleSheets],
});
// The API sends the compressed copy to browsers that accept it.
await writeFile(`${outfile}.gz`, gzipSync(await readFile(outfile), { level: 9 }));

// `npm run page-sizes`: what a browser loads first, and the SDK, compressed, beside the budgets. Exits with 1 above one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

const SITE = 'apps/dashboard/dist/site';
/** The page that opens first. */
const START_PAGE = 'src/answering/ask/ask.page.tsx';

const manifest = JSON.parse(readFileSync(join(SITE, '.vite/manifest.json'), 'utf8'));
const budgets = [
  {
    name: 'dashboard, first load',
    files: ['index.html', ...filesOf(['index.html', START_PAGE])].map((file) =>
      readFileSync(join(SITE, file)),
    ),
    kilobytes: 260,
  },
  { name: 'widget', files: [readFileSync('apps/widget/dist/widget.js')], kilobytes: 18.5 },
  { name: 'SDK', files: [bundle('packages/sdk/dist/index.js')], kilobytes: 8.5 },
];

let isOver = false;
for (const { name, files, kilobytes } of budgets) {
  const bytes = files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0);
  isOver ||= bytes > kilobytes * 1_000;
  console.log(`${name}: ${(bytes / 1_000).toFixed(1)} kB gzip of ${kilobytes} kB, ${files.length} files`);
}
process.exit(isOver ? 1 : 0);

/** The scripts and styles of entries of the manifest, with all that they import at once. */
function filesOf(entries, files = new Set()) {
  for (const entry of entries) {
    const { file, css = [], imports = [] } = manifest[entry];
    if (files.has(file)) continue;
    for (const path of [file, ...css]) files.add(path);
    filesOf(imports, files);
  }
  return files;
}

/** A module with all that it imports, minified. */
function bundle(entry) {
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  return outputFiles[0].contents;
}

// `npm run page-sizes`: what a browser loads first, compressed, beside the budget. Exits with 1 above it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const SITE = 'apps/dashboard/dist/site';
/** The page that opens first. */
const START_PAGE = 'src/ask/ask.page.tsx';

const manifest = JSON.parse(readFileSync(join(SITE, '.vite/manifest.json'), 'utf8'));
const budgets = [
  {
    name: 'dashboard, first load',
    files: ['index.html', ...filesOf(['index.html', START_PAGE])].map((file) => join(SITE, file)),
    kilobytes: 250,
  },
  { name: 'widget', files: ['apps/widget/dist/widget.js'], kilobytes: 20 },
];

let isOver = false;
for (const { name, files, kilobytes } of budgets) {
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0);
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

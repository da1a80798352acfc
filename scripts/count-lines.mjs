// `npm run size -- <revision>`: lines of production code and of tests by part, at the revision and in the
// working tree.
import { execFileSync } from 'node:child_process';

/** The first part with a matching path counts the file. */
const PARTS = {
  'runs in the database':
    /^packages\/database\/src\/(runs|datasources|purging|crawling|archives|ingestion|content)\//,
  'queue, ingestion, dispatcher': /^(packages\/(queue|ingestion)|apps\/api\/src\/(dispatcher|ingestion))\//,
  workers: /^apps\/worker-/,
  'other packages': /^packages\//,
  'other apps': /^apps\//,
  e2e: /^e2e\//,
  bench: /^bench\//,
  scripts: /^(scripts|\.ci)\//,
};
const CODE = ['*.ts', '*.tsx', '*.mjs', '*.cjs', '*.js', '*.css', '*.sh'];
const TEST =
  /\.(spec|spec-part|conformance|fixtures)\.tsx?$|\/(test-files|fixtures)\/|^(e2e|packages\/testing)\//;

const [revision] = process.argv.slice(2);
if (revision === undefined) throw new Error('Usage: npm run size -- <revision>');
const before = countLines([revision]);
const now = countLines(['--untracked']);
console.table(
  Object.fromEntries(
    [...Object.keys(PARTS), 'all'].map((part) => [
      part,
      {
        'production before': before[part].production,
        'production now': now[part].production,
        'tests before': before[part].tests,
        'tests now': now[part].tests,
        difference: now[part].production + now[part].tests - before[part].production - before[part].tests,
      },
    ]),
  ),
);

/** @param where options of `git grep` that choose the files */
function countLines(where) {
  const counts = Object.fromEntries(
    [...Object.keys(PARTS), 'all'].map((part) => [part, { production: 0, tests: 0 }]),
  );
  const output = execFileSync('git', ['grep', '-cI', '-e', '', ...where, '--', ...CODE], {
    encoding: 'utf8',
  });
  for (const line of output.trim().split('\n')) {
    const [path, lines] = line.split(':').slice(-2);
    const part = Object.keys(PARTS).find((name) => PARTS[name].test(path));
    if (part === undefined) continue;
    for (const name of [part, 'all']) counts[name][TEST.test(path) ? 'tests' : 'production'] += Number(lines);
  }
  return counts;
}

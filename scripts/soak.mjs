// `npm run soak`: runs the long tests (many kills, long backlogs, failing servers). Run them before an issue
// is closed. The last line of the output is `N passed, N failed`.
//
//   npm run soak                    all files
//   npm run soak -- kills redis     files with one of these words in their path
import { globSync } from 'node:fs';
import { runTests } from './run-tests.mjs';

const FILE_TIMEOUT_MS = 60 * 60_000;

const words = process.argv.slice(2);
const files = globSync('e2e/dist/**/*.soak.js')
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();
if (files.length === 0) throw new Error(`No soak test has ${words.join(' or ')} in its path`);

const total = { passed: 0, failed: 0 };
for (const file of files) {
  const started = Date.now();
  console.log(`\n== ${file}`);
  // One file at a time: each starts its own servers and measures times.
  const { passed, failed } = await runTests([file], { concurrency: 1, timeoutMs: FILE_TIMEOUT_MS });
  total.passed += passed;
  total.failed += failed;
  console.log(`== ${passed} passed, ${failed} failed in ${((Date.now() - started) / 1_000).toFixed(0)} s`);
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

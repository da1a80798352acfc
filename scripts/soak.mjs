// `npm run soak`: the tests that take long (many kills, long backlogs, lost servers). Run before an issue is closed.
// The last line is `N passed, N failed`.
//
//   npm run soak                    everything
//   npm run soak -- kills redis     files with one of these words in their name
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';

const FILE_TIMEOUT_MS = 60 * 60_000;

const words = process.argv.slice(2);
const files = globSync('e2e/dist/**/*.soak.js')
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();
if (files.length === 0) throw new Error(`There is no soak test with ${words.join(' or ')} in its name`);

const total = { passed: 0, failed: 0 };
for (const file of files) {
  const started = Date.now();
  console.log(`\n== ${file}`);
  const { passed, failed } = await run(file);
  total.passed += passed;
  total.failed += failed;
  console.log(`== ${passed} passed, ${failed} failed in ${((Date.now() - started) / 1_000).toFixed(0)} s`);
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/** One file at a time: they measure, and each starts servers of its own. */
function run(file) {
  const options = [
    '--enable-source-maps',
    '--test',
    `--test-timeout=${FILE_TIMEOUT_MS}`,
    '--test-reporter=spec',
  ];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...options, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      process.stdout.write(text);
    });
    child.on('close', (code) => {
      const count = (name) => Number(new RegExp(`^ℹ ${name} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
      const failed = count('fail') + count('cancelled');
      resolve({ passed: count('pass'), failed: failed === 0 && code !== 0 ? 1 : failed });
    });
  });
}

// `npm run soak`: runs the long tests (many kills, long backlogs, failing servers). Run them before an issue
// is closed. The last line of the output is `N passed, N failed`.
//
//   npm run soak                    all files
//   npm run soak -- kills redis     files with one of these words in their path
import { installPartners } from './install-programs.mjs';
import { runJest } from './run-jest.mjs';

const HOUR_MS = 60 * 60_000;

// Soak tests measure memory: they start the product with the options of `npm start` that reduce it.
process.env.TEST_MEMORY = 'measured';

installPartners();
// One file at a time: each starts its own servers and measures times.
const { passed, failed } = await runJest(
  ['soak'],
  ['--verbose', `--testTimeout=${HOUR_MS}`, ...process.argv.slice(2)],
);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

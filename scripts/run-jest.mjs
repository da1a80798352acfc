import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnChild } from './spawn-child.mjs';

const OPTIONS = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  '--enable-source-maps',
];

/** The tests start the product many times. Node compiles each module of the product only once. */
const NODE_COMPILE_CACHE = join(tmpdir(), `citewell-compile-cache-${process.getuid?.() ?? ''}`);

/** Files at a time. Soak tests measure; unit tests compute; the others wait for a third of their time. */
function workersFor(projects) {
  if (projects.includes('soak')) return 1;
  return projects.every((project) => project === 'unit') ? 2 : 3;
}

/**
 * Runs Jest with the configuration of the repository.
 *
 * @param projects of `jest.config.mjs`
 * @param args words of file paths, and options of Jest
 * @returns the number of passed and failed tests. A file that cannot be loaded is a failed test, and so are a Jest that
 * does not start and a row type that differs from the results of its statement.
 */
export async function runJest(projects, args) {
  const folder = mkdtempSync(join(tmpdir(), 'citewell-jest-'));
  const outputFile = join(folder, 'results.json');
  const resultsFile = join(folder, 'statements.jsonl');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    const code = await run(resultsFile, [
      ...OPTIONS,
      'node_modules/jest/bin/jest.js',
      '--selectProjects',
      ...projects,
      `--maxWorkers=${workersFor(projects)}`,
      '--json',
      '--outputFile',
      outputFile,
      ...args,
    ]);
    if (!existsSync(outputFile)) return { passed: 0, failed: 1 };
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
      readFileSync(outputFile, 'utf8'),
    );
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    const isComplete = projects.includes('integration') && args.length === 0;
    const { checkRowTypes } = await import('./check-row-types.mjs');
    const faults = existsSync(resultsFile) ? checkRowTypes(resultsFile, isComplete) : [];
    for (const fault of faults) console.log(`✖ row type: ${fault}`);
    return { passed: numPassedTests, failed: (failed === 0 && code !== 0 ? 1 : failed) + faults.length };
  } finally {
    process.off('exit', remove);
    remove();
  }
}

function run(resultsFile, args) {
  return new Promise((resolve, reject) => {
    const child = spawnChild(process.execPath, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { NODE_COMPILE_CACHE, TEST_RESULTS: resultsFile, ...process.env },
    });
    child.on('error', reject);
    child.on('close', resolve);
  });
}

import { spawn } from 'node:child_process';

/**
 * Runs test files with Node's test runner, each file in its own process, and prints the report.
 *
 * @returns the number of passed and failed tests
 */
export function runTests(files, { concurrency, timeoutMs }) {
  const options = [
    '--enable-source-maps',
    '--test',
    `--test-concurrency=${concurrency}`,
    `--test-timeout=${timeoutMs}`,
    '--test-reporter=spec',
  ];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...options, ...files], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      process.stdout.write(text);
    });
    child.on('close', (code) => {
      const count = (name) => Number(new RegExp(`^ℹ ${name} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
      const failed = count('fail') + count('cancelled');
      // A runner that exits with an error but reports no failed test counts as one failure.
      resolve({ passed: count('pass'), failed: failed === 0 && code !== 0 ? 1 : failed });
    });
  });
}

// `npm run check`: all static checks: format, lint, types, dependency rules, folder circles, dead code, patterns, conventions, documents, npm packages.
import { spawnChild } from './spawn-child.mjs';

/** The ones that take longest first. */
const CHECKS = {
  format: ['prettier', '--check', '--log-level', 'warn', '.'],
  types: ['tsc', '-p', 'tsconfig.json'],
  lint: [
    'oxlint',
    '--type-aware',
    '--deny-warnings',
    '--quiet',
    'apps',
    'packages',
    'bench',
    'e2e',
    'scripts',
  ],
  'types of the dashboard': ['tsc', '-p', 'apps/dashboard'],
  'types of the widget': ['tsc', '-p', 'apps/widget'],
  'dependency rules': [
    'depcruise',
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'err',
    'apps',
    'packages',
  ],
  'folder circles': [
    'depcruise',
    '--config',
    '.dependency-cruiser.folders.cjs',
    '--output-type',
    'err',
    'apps',
    'packages',
  ],
  'dead code': ['knip', '--no-progress'],
  patterns: ['node', 'scripts/check-patterns.mjs'],
  conventions: ['node', 'scripts/check-conventions.mjs'],
  documents: ['node', 'scripts/check-documents.mjs'],
  'page sizes': ['node', 'scripts/page-sizes.mjs'],
  'npm packages': ['node', 'scripts/pack-npm.mjs', '--check'],
};

/** Runs all checks, two at a time. @returns the number of passed and failed checks */
export async function check() {
  const result = { passed: 0, failed: 0 };
  const waiting = Object.entries(CHECKS);
  const runWaiting = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, [command, ...args]] = next;
      const started = Date.now();
      const { code, output } = await run(command, args);
      result[code === 0 ? 'passed' : 'failed'] += 1;
      console.log(`${code === 0 ? '✔' : '✖'} ${name} (${((Date.now() - started) / 1_000).toFixed(1)} s)`);
      if (code !== 0) console.log(output);
    }
  };
  await Promise.all([runWaiting(), runWaiting()]);
  return result;
}

function run(command, args) {
  return new Promise((resolve) => {
    const child = spawnChild(`node_modules/.bin/${command}`, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', (error) => resolve({ code: 1, output: error.message }));
    child.on('close', (code) => resolve({ code, output }));
  });
}

if (process.argv[1]?.endsWith('check.mjs')) {
  const { failed } = await check();
  process.exit(failed === 0 ? 0 : 1);
}

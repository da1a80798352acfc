// `npm test`: runs everything that CI runs. The last line of the output is `N passed, N failed`.
//
//   npm test                 all stages
//   npm test -- unit         one stage: check, unit, integration or e2e
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { check } from './check.mjs';
import { runTests } from './run-tests.mjs';

const STAGES = {
  check,
  unit: () =>
    runStage('{apps,packages,bench}/*/dist/**/*.spec.js', { exclude: '.int.spec.js', concurrency: 2 }),
  integration: () => runStage('{apps,packages}/*/dist/**/*.int.spec.js', { concurrency: 2 }),
  e2e: () => runStage('e2e/dist/**/*.e2e.js', { concurrency: 1 }),
};

/** Programs that tests need and npm does not provide: name and Debian package. */
const PROGRAMS = [
  ['redis-server', 'redis-server'],
  ['tesseract', 'tesseract-ocr'],
  ['pdftoppm', 'poppler-utils'],
];

/** Browsers for tests of rendered pages, which are skipped without one. */
const BROWSERS = [process.env.CHROMIUM_PATH ?? 'chromium', 'chromium-browser', 'google-chrome'];

const wanted = process.argv.slice(2);
for (const name of wanted)
  if (!(name in STAGES))
    throw new Error(`There is no stage ${name}. Stages: ${Object.keys(STAGES).join(', ')}`);

installPrograms();
const total = { passed: 0, failed: 0 };
for (const [name, stage] of Object.entries(STAGES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const started = Date.now();
  console.log(`\n== ${name}`);
  const { passed, failed } = await stage();
  total.passed += passed;
  total.failed += failed;
  console.log(
    `== ${name}: ${passed} passed, ${failed} failed in ${((Date.now() - started) / 1_000).toFixed(0)} s`,
  );
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

function installPrograms() {
  if (wanted.length > 0 && !wanted.some((name) => name === 'integration' || name === 'e2e')) return;
  const missing = PROGRAMS.filter(([program]) => !hasProgram(program));
  const problem = install(missing.map(([, name]) => name));
  if (problem !== null) {
    console.error(`The tests need ${missing.map(([program]) => program).join(', ')}. ${problem}`);
    process.exit(1);
  }
  if (BROWSERS.some(hasProgram)) return;
  const withoutBrowser = install(['chromium']);
  if (withoutBrowser !== null) console.error(`Tests of rendered pages are skipped. ${withoutBrowser}`);
}

function hasProgram(name) {
  return spawnSync(name, ['--version']).error === undefined;
}

/** Installs Debian packages. @returns null on success, otherwise what went wrong or what to do */
function install(packages) {
  if (packages.length === 0) return null;
  const command = `apt-get install ${packages.join(' ')}`;
  if (process.platform !== 'linux' || process.getuid() !== 0) return `Install them: ${command}`;
  console.log(`Installing ${packages.join(', ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ]) {
    const { status, stderr, error } = spawnSync('apt-get', args, { env, encoding: 'utf8' });
    if (status !== 0) return `apt-get ${args[0]} failed: ${error?.message ?? stderr}`;
  }
  return null;
}

function runStage(pattern, { exclude = null, concurrency }) {
  const files = globSync(pattern).filter((file) => exclude === null || !file.endsWith(exclude));
  if (files.length === 0) return { passed: 0, failed: 0 };
  return runTests(files.sort(), { concurrency, timeoutMs: 300_000 });
}

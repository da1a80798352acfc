// `npm test`: runs everything that CI runs. The last line of the output is `N passed, N failed`.
//
//   npm test                     checks and all tests
//   npm test -- unit             some stages: check, unit, integration, e2e
//   npm test -- crawl-batch      the tests whose path contains a word, without the checks
//   npm test -- unit --coverage  options are those of Jest; the report is `coverage/index.html`
import { spawnSync } from 'node:child_process';
import { check } from './check.mjs';
import { runJest } from './run-jest.mjs';

/** Projects of `jest.config.mjs`. */
const PROJECTS = ['unit', 'integration', 'e2e'];

/** Programs that tests need and npm does not provide: name and Debian package. */
const PROGRAMS = [
  ['redis-server', 'redis-server'],
  ['tesseract', 'tesseract-ocr'],
  ['pdftoppm', 'poppler-utils'],
];

/** Browsers for tests of rendered pages, which are skipped without one. */
const BROWSERS = [process.env.CHROMIUM_PATH ?? 'chromium', 'chromium-browser', 'google-chrome'];

const given = process.argv.slice(2);
const stages = given.filter((word) => word === 'check' || PROJECTS.includes(word));
const rest = given.filter((word) => !stages.includes(word));
const chosen = stages.filter((stage) => stage !== 'check');
const isCheckOnly = stages.includes('check') && chosen.length === 0 && rest.length === 0;
const projects = chosen.length > 0 ? chosen : PROJECTS;

const total = { passed: 0, failed: 0 };
if (given.length === 0 || stages.includes('check')) await run('check', check);
if (!isCheckOnly) {
  if (projects.some((project) => project !== 'unit')) installPrograms();
  await run(projects.join(', '), () => runJest(projects, rest));
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

async function run(name, stage) {
  const started = Date.now();
  console.log(`\n== ${name}`);
  const { passed, failed } = await stage();
  total.passed += passed;
  total.failed += failed;
  const seconds = ((Date.now() - started) / 1_000).toFixed(0);
  console.log(`== ${name}: ${passed} passed, ${failed} failed in ${seconds} s`);
}

function installPrograms() {
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

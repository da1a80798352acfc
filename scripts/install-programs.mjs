import { spawnSync } from 'node:child_process';

/** Programs that tests need and npm does not provide: name and Debian package. The last three run samples of guides. */
const PROGRAMS = [
  ['redis-server', 'redis-server'],
  ['tesseract', 'tesseract-ocr'],
  ['pdftoppm', 'poppler-utils'],
  ['curl', 'curl'],
  ['jq', 'jq'],
  ['python3', 'python3'],
];

/** Browsers for tests of rendered pages, which are skipped without one. */
const BROWSERS = [process.env.CHROMIUM_PATH ?? 'chromium', 'chromium-browser', 'google-chrome'];

/** Installs the programs that tests start, or says what to install. */
export function installPrograms() {
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

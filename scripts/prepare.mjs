// Prepares a clone: installs the dependencies and compiles the packages, each only after a change. Requires
// only Node 20 and npm, and imports only modules of Node.
//
//   node scripts/prepare.mjs          for `npm start`
//   node scripts/prepare.mjs --dev    for tests and checks, too
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PNPM = 'pnpm@12.21.0';
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const isDev = process.argv.includes('--dev');
const stamps = join(root, 'node_modules', '.citewell');

await main();

async function main() {
  const manifests = digest(manifestFiles().map((file) => readFileSync(file)));
  const [installed, installedFor] = stamp('installed').split(' ');
  if (installed !== manifests || (isDev && installedFor !== 'dev')) {
    await step('Installing the dependencies', ['install', '--frozen-lockfile', ...(isDev ? [] : ['--prod'])]);
    writeStamp('installed', `${manifests} ${isDev ? 'dev' : 'run'}`);
    rmSync(join(stamps, 'compiled'), { force: true });
  }
  // Read before compiling: a file edited meanwhile is compiled again at the next start.
  const sources = sourceFiles().map(describe);
  const state = () => digest([manifests, ...sources, ...outputs()]);
  if (stamp('compiled') !== state()) {
    await step('Compiling', ['exec', 'turbo', 'run', 'build', '--output-logs=errors-only']);
    writeStamp('compiled', state());
  }
}

/** Runs pnpm. Prints a dot each second, and the output of pnpm only if it fails. */
async function step(title, args) {
  process.stdout.write(`${title} `);
  const started = Date.now();
  const dots = setInterval(() => process.stdout.write('.'), 1_000);
  const code = await run('npx', ['--yes', PNPM, ...args]);
  clearInterval(dots);
  process.stdout.write(` ${((Date.now() - started) / 1_000).toFixed(1)} s\n`);
  if (code !== 0) process.exit(1);
}

function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, CI: 'true', TURBO_TELEMETRY_DISABLED: '1', npm_config_loglevel: 'error' },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', (error) => {
      output += error.message;
      resolve(1);
    });
    child.on('close', (code) => {
      if (code !== 0) process.stderr.write(`\n${output}\n`);
      resolve(code);
    });
  });
}

function workspaces() {
  const groups = ['apps', 'packages'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(root, group, name)),
  );
  return [...groups, join(root, 'bench'), join(root, 'e2e')].filter((folder) =>
    existsSync(join(folder, 'package.json')),
  );
}

function manifestFiles() {
  const own = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((name) => join(root, name));
  return [...own, ...workspaces().map((folder) => join(folder, 'package.json'))].sort();
}

function sourceFiles() {
  const files = ['compile.mjs', 'bundle-widget.mjs'].map((name) => join(root, 'scripts', name));
  for (const folder of workspaces()) {
    for (const source of ['src', 'public'].map((name) => join(folder, name)).filter(existsSync)) {
      for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
        if (entry.isFile()) files.push(join(entry.parentPath, entry.name));
      }
    }
    files.push(...['index.html', 'vite.config.ts'].map((name) => join(folder, name)).filter(existsSync));
  }
  return files.sort();
}

/** The existing `dist` folders, so that a deleted one is compiled again. */
function outputs() {
  return workspaces()
    .map((folder) => join(folder, 'dist'))
    .filter((folder) => existsSync(folder));
}

function describe(file) {
  const { size, mtimeMs } = statSync(file);
  return `${file} ${size} ${mtimeMs}`;
}

function digest(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\n');
  return hash.digest('hex');
}

function stamp(name) {
  const file = join(stamps, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function writeStamp(name, value) {
  mkdirSync(stamps, { recursive: true });
  writeFileSync(join(stamps, name), value);
}

// `npm run pack`: writes the npm packages of the SDK and the command line client to their folders `release`, which
// `changeset publish` publishes, and checks them. With `--check`, the folders are temporary.
//
// The SDK is compiled with type declarations. The client is one file without dependencies.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const temporary = process.argv.includes('--check') ? mkdtempSync(join(tmpdir(), 'citewell-pack-')) : null;
try {
  packSdk('packages/sdk');
  await packClient('apps/cli');
  checkPackage('packages/sdk');
  // The client has no types.
  run('attw', [
    '--pack',
    releaseOf('packages/sdk'),
    '--profile',
    'esm-only',
    '--no-emoji',
    '--format',
    'ascii',
  ]);
  checkPackage('apps/cli');
} finally {
  if (temporary !== null) rmSync(temporary, { recursive: true });
}

function packSdk(folder) {
  const { exports, ...manifest } = startRelease(folder);
  run('tsc', ['-p', `${folder}/tsconfig.release.json`, '--outDir', join(releaseOf(folder), 'dist')]);
  const published = Object.entries(exports).map(([path, { default: file }]) => [
    path,
    { types: file.replace(/\.js$/, '.d.ts'), default: file },
  ]);
  writeManifest(folder, { ...manifest, exports: Object.fromEntries(published), files: ['dist'] });
}

async function packClient(folder) {
  const { dependencies: _bundled, ...manifest } = startRelease(folder);
  await build({
    entryPoints: [`${folder}/dist/client.js`],
    outfile: join(releaseOf(folder), 'citewell.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    // Dependencies that are CommonJS modules call `require`.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  const description = 'The command line client of Citewell';
  writeManifest(folder, {
    ...manifest,
    description,
    bin: { citewell: 'citewell.js' },
    files: ['citewell.js'],
    engines: { node: '>=24' },
  });
}

/** @returns the manifest without the fields that only the repository needs */
function startRelease(folder) {
  const release = releaseOf(folder);
  rmSync(release, { recursive: true, force: true });
  mkdirSync(release, { recursive: true });
  copyFileSync(`${folder}/README.md`, join(release, 'README.md'));
  copyFileSync('LICENSE', join(release, 'LICENSE'));
  const manifest = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const { scripts: _scripts, devDependencies: _development, publishConfig: _publish, ...rest } = manifest;
  return rest;
}

function writeManifest(folder, manifest) {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  // npm compares it with the origin of the build, for the provenance.
  const repository =
    server && name ? { type: 'git', url: `git+${server}/${name}.git`, directory: folder } : undefined;
  const text = `${JSON.stringify({ ...manifest, repository }, null, 2)}\n`;
  writeFileSync(join(releaseOf(folder), 'package.json'), text);
}

function releaseOf(folder) {
  return resolve(temporary ?? '', folder, 'release');
}

/** Checks that everybody can install and import the package, and that it contains no tests. */
function checkPackage(folder) {
  const release = releaseOf(folder);
  run('publint', [release, '--strict', '--pack', 'npm']);
  const tests = readdirSync(release, { recursive: true }).filter((name) => /\.(spec|fixtures)\./.test(name));
  if (tests.length > 0) throw new Error(`The package in ${folder} contains tests: ${tests.join(', ')}`);
  if (JSON.parse(readFileSync(join(release, 'package.json'), 'utf8')).private)
    throw new Error(`The package in ${folder} is private`);
}

/** Runs a program of the dependencies. Prints the output if the program fails. */
function run(program, args) {
  const { status, stdout, stderr } = spawnSync(`node_modules/.bin/${program}`, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed:\n${stdout}${stderr}`);
}

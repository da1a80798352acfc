// `npm run pack`: writes the npm packages of the contracts, the SDK and the command line client to their folders
// `release`, which `changeset publish` publishes, and checks them. With `--check`, the folders are temporary.
//
// Contracts and SDK are compiled with type declarations. The SDK contains the declarations and error codes of the
// contracts. The client is one file without dependencies.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { writeOutsideProject } from './pack/outside-project.mjs';
import { writeWireDeclarations } from './pack/wire-declarations.mjs';

/** The entries of the contracts that other people use. The others are parts of the product. */
const CONTRACT_ENTRIES = ['.', './schemas', './errors', './api-errors', './jobs'];

const temporary = process.argv.includes('--check') ? mkdtempSync(join(tmpdir(), 'citewell-pack-')) : null;
try {
  await packContracts('packages/contracts');
  packSdk('packages/sdk');
  await packClient('apps/cli');
  for (const folder of ['packages/contracts', 'packages/sdk']) {
    checkPackage(folder);
    checkTypes(folder);
  }
  checkPackage('apps/cli');
  checkOutsideProject();
} finally {
  if (temporary !== null) rmSync(temporary, { recursive: true });
}

async function packContracts(folder) {
  const { exports, ...manifest } = startRelease(folder);
  compile(folder);
  const schemas = await import(pathToFileURL(resolve(folder, 'dist/http/index.js')).href);
  const declarations = writeWireDeclarations(readFileSync(`${folder}/src/index.ts`, 'utf8'), schemas);
  writeFileSync(join(releaseOf(folder), 'dist', 'index.d.ts'), declarations);
  copyFileSync(`${folder}/openapi.json`, join(releaseOf(folder), 'openapi.json'));
  const published = Object.entries(exports).filter(([path]) => CONTRACT_ENTRIES.includes(path));
  writeManifest(folder, {
    ...manifest,
    // Zod has to be the one of the application.
    dependencies: { zod: `^${manifest.dependencies.zod}` },
    exports: { ...declaredExports(published), './openapi.json': './openapi.json' },
    files: ['dist', 'openapi.json'],
  });
}

/** Copies the declarations and the error codes of the contracts, so that the SDK has no dependencies. */
function packSdk(folder) {
  const { exports, dependencies: _copied, ...manifest } = startRelease(folder);
  compile(folder);
  const dist = join(releaseOf(folder), 'dist');
  const contracts = join(releaseOf('packages/contracts'), 'dist');
  for (const path of ['index.js', 'index.d.ts', 'errors/api-errors.js', 'errors/api-errors.d.ts'])
    cpSync(join(contracts, path), join(dist, 'contracts', path));
  for (const name of readdirSync(dist, { recursive: true }).filter((name) => /\.(?:js|d\.ts)$/.test(name))) {
    const file = join(dist, name);
    const depth = name.split('/').length - 1;
    const copy = `${depth === 0 ? './' : '../'.repeat(depth)}contracts`;
    const text = readFileSync(file, 'utf8')
      .replaceAll("'@citewell/contracts'", `'${copy}/index.js'`)
      .replaceAll("'@citewell/contracts/api-errors'", `'${copy}/errors/api-errors.js'`);
    writeFileSync(file, text);
  }
  writeManifest(folder, { ...manifest, exports: declaredExports(Object.entries(exports)), files: ['dist'] });
}

function compile(folder) {
  run('tsc', ['-p', `${folder}/tsconfig.release.json`, '--outDir', join(releaseOf(folder), 'dist')]);
}

/** The exports of a manifest, with compiled declarations. */
function declaredExports(entries) {
  return Object.fromEntries(
    entries.map(([path, { default: file }]) => [
      path,
      { types: file.replace(/\.js$/, '.d.ts'), default: file },
    ]),
  );
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

function checkTypes(folder) {
  const profile = ['--profile', 'esm-only', '--no-emoji', '--format', 'ascii'];
  run('attw', ['--pack', releaseOf(folder), ...profile]);
}

/** Compiles a project that has installed the packages, and runs it. */
function checkOutsideProject() {
  const folder = mkdtempSync(join(tmpdir(), 'citewell-outside-'));
  try {
    const { compilations, program } = writeOutsideProject(folder, {
      '@citewell/contracts': releaseOf('packages/contracts'),
      '@citewell/sdk': releaseOf('packages/sdk'),
    });
    for (const args of compilations) run('tsc', args);
    run(process.execPath, [program]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs Node or a program of the dependencies. Prints the output if the program fails. */
function run(program, args) {
  const path = program === process.execPath ? program : `node_modules/.bin/${program}`;
  const { status, stdout, stderr } = spawnSync(path, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed:\n${stdout}${stderr}`);
}

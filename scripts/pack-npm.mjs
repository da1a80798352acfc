// `npm run pack`: writes the npm packages of the SDK and the command line client to their folders `release`, which
// `changeset publish` publishes.
//
// The SDK is compiled with type declarations. The client is one file without dependencies.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

packSdk('packages/sdk');
await packClient('apps/cli');

function packSdk(folder) {
  const { exports, ...manifest } = startRelease(folder);
  const { status } = spawnSync('node_modules/.bin/tsc', ['-p', `${folder}/tsconfig.release.json`], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
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
    outfile: `${folder}/release/citewell.js`,
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
  rmSync(`${folder}/release`, { recursive: true, force: true });
  mkdirSync(`${folder}/release`);
  copyFileSync(`${folder}/README.md`, `${folder}/release/README.md`);
  copyFileSync('LICENSE', `${folder}/release/LICENSE`);
  const manifest = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const { scripts: _scripts, devDependencies: _development, publishConfig: _publish, ...rest } = manifest;
  return rest;
}

function writeManifest(folder, manifest) {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  // npm compares it with the origin of the build, for the provenance.
  const repository =
    server && name ? { type: 'git', url: `git+${server}/${name}.git`, directory: folder } : undefined;
  writeFileSync(
    `${folder}/release/package.json`,
    `${JSON.stringify({ ...manifest, repository }, null, 2)}\n`,
  );
}

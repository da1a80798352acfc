// Builds the sample project with each generator, and keeps the pages and their references:
//
//   bench/html-pages/install.sh <generators>
//   node bench/html-pages/make.mjs <generators> <output> [generator ...]
//
// Writes `<output>/<generator>/<page>.html` and `<page>.html.expected.md`. The contents of scripts, styles and images
// are removed from the pages: the reader ignores them, and they are most of the bytes.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { GENERATORS } from './generators.mjs';

const UNREAD = /(<(script|style|svg)\b(?![^>]*application\/ld\+json)[^>]*>)[^]*?(<\/\2>)/gi;

const [installed, output, ...names] = process.argv.slice(2);
if (output === undefined) {
  console.error('usage: make.mjs <generators> <output> [generator ...]');
  process.exit(2);
}

for (const [name, generator] of Object.entries(GENERATORS)) {
  if (names.length > 0 && !names.includes(name)) continue;
  // Inside of the folder with the generators: their configuration files import their packages.
  const site = resolve(installed, 'sites', name);
  rmSync(site, { recursive: true, force: true });
  for (const [path, text] of Object.entries(generator.files)) write(join(site, path), text);
  for (const command of generator.commands) run(command, site);
  for (const [page, { path, text }] of Object.entries(generator.pages)) {
    const html = readFileSync(join(site, path), 'utf8').replaceAll(site, '/site');
    const file = join(output, name, `${page}.html`);
    write(file, `${html.replace(UNREAD, '$1$3').replace(/^\s+$/gm, '').trim()}\n`);
    write(`${file}.expected.md`, text);
  }
  console.log(name);
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function run(command, cwd) {
  const bin = [join(resolve(installed), 'node_modules/.bin'), join(resolve(installed), 'python/bin')];
  const env = {
    ...process.env,
    PATH: [...bin, process.env.PATH].join(':'),
    DOCUSAURUS_NO_PERSISTENT_CACHE: 'true',
    SOURCE_DATE_EPOCH: '1767225600',
  };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd, env, encoding: 'utf8' });
  if (status === 0) return;
  console.error(`${command} failed:\n${stdout}\n${stderr}`);
  process.exit(1);
}

// `npm run bench -- <name> [arguments]`: one of the benchmarks in `bench/src`, compiled first. Without a name it
// lists them.
import { spawnSync } from 'node:child_process';
import { globSync, existsSync } from 'node:fs';
import { basename } from 'node:path';

const [name = '', ...args] = process.argv.slice(2);
const file = `bench/dist/${name}.bench.js`;
if (!existsSync(file)) {
  const names = globSync('bench/dist/*.bench.js').map((path) => basename(path, '.bench.js'));
  console.error(`usage: npm run bench -- <name> [arguments]\n\n  ${names.sort().join('\n  ')}`);
  process.exit(2);
}
const { status } = spawnSync(process.execPath, [file, ...args], { stdio: 'inherit' });
process.exit(status ?? 1);

// `npm run bench -- <name> [arguments]`: runs a benchmark of `bench/src`. Without a name it lists all of
// them.
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

// Compiles the TypeScript of one package from `src` to `dist`. To be fast, it does not check types; `npm run
// check` does. `turbo run build` runs it in the folder of each package.
import { mkdir, readdir, rm, writeFile, copyFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { transformFile } from '@swc/core';

const source = 'src';
const target = 'dist';

const options = {
  sourceMaps: true,
  module: { type: 'es6' },
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
};

async function compile(file) {
  const out = join(target, relative(source, file));
  await mkdir(dirname(out), { recursive: true });
  if (!file.endsWith('.ts')) return copyFile(file, out);
  if (file.endsWith('.d.ts')) return undefined;
  const js = out.replace(/\.ts$/, '.js');
  const { code, map } = await transformFile(file, {
    ...options,
    sourceFileName: relative(dirname(js), file),
  });
  const name = js.slice(js.lastIndexOf('/') + 1);
  await writeFile(js, `${code}\n//# sourceMappingURL=${name}.map\n`);
  await writeFile(`${js}.map`, map ?? '');
  return undefined;
}

await rm(target, { recursive: true, force: true });
const entries = await readdir(source, { recursive: true, withFileTypes: true });
await Promise.all(
  entries.filter((entry) => entry.isFile()).map((entry) => compile(join(entry.parentPath, entry.name))),
);

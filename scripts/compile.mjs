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
    experimental: { keepImportAttributes: true },
  },
};

/** Compiles or copies a file. @returns the files written */
async function compile(file) {
  const out = join(target, relative(source, file));
  await mkdir(dirname(out), { recursive: true });
  // What browsers load is bundled: the dashboard by Vite, the widget by `bundle-widget.mjs`.
  if (file.endsWith('.d.ts') || /\.(?:tsx|css)$/.test(file)) return [];
  if (!file.endsWith('.ts')) {
    await copyFile(file, out);
    return [out];
  }
  const js = out.replace(/\.ts$/, '.js');
  const { code, map } = await transformFile(file, {
    ...options,
    sourceFileName: relative(dirname(js), file),
  });
  const name = js.slice(js.lastIndexOf('/') + 1);
  await writeFile(js, `${code}\n//# sourceMappingURL=${name}.map\n`);
  await writeFile(`${js}.map`, map ?? '');
  return [js, `${js}.map`];
}

async function filesOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

const written = new Set((await Promise.all((await filesOf(source)).map(compile))).flat());
// Files whose sources are gone. The folder itself stays: `turbo watch` watches it.
await Promise.all((await filesOf(target)).filter((file) => !written.has(file)).map((file) => rm(file)));

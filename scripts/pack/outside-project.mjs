import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeEqualityCheck } from './wire-declarations.mjs';

const USE = `import type { Datasource } from '@citewell/contracts';
import { API_ERROR_STATUS } from '@citewell/contracts/errors';
import { JOB_CATALOG } from '@citewell/contracts/jobs';
import { createDatasourceSchema } from '@citewell/contracts/schemas';
import { Citewell, CitewellError, type Datasource as SdkDatasource } from '@citewell/sdk';

export const client = new Citewell({ baseUrl: 'http://localhost:3000/api', apiKey: 'cw_example' });
export const same = (datasource: Datasource): SdkDatasource => datasource;
const id = '0199c7a0-2f4d-7a11-8b52-3c9d5e7f0a12';
const text = createDatasourceSchema.parse({ type: 'text', datastoreId: id, text: 'Open on Monday.' });
if (text.type !== 'text' || JOB_CATALOG.purge.queue !== 'index') throw new Error('The packages do not work.');
if (new CitewellError('NOT_FOUND', '').code in API_ERROR_STATUS === false) throw new Error('A code is missing.');
`;

/**
 * Writes a TypeScript project that uses the packed packages as an application of other people does: with
 * declarations of libraries checked, for both module resolutions.
 *
 * @param folder an empty folder
 * @param releases the folders of the packed packages, by name
 * @returns the arguments of `tsc` for each module resolution, and the compiled file to run
 */
export function writeOutsideProject(folder, releases) {
  for (const [name, source] of Object.entries({ ...releases, zod: 'node_modules/zod' }))
    cpSync(source, join(folder, 'node_modules', name), { recursive: true, dereference: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  writeFileSync(join(folder, 'use.ts'), USE);
  writeFileSync(
    join(folder, 'equality.ts'),
    writeEqualityCheck(readFileSync('packages/contracts/src/index.ts', 'utf8')),
  );
  const compile = ({ module, moduleResolution }) => {
    const config = join(folder, `tsconfig.${moduleResolution}.json`);
    const compilerOptions = {
      module,
      moduleResolution,
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      rootDir: '.',
      outDir: 'dist',
    };
    writeFileSync(config, JSON.stringify({ compilerOptions, files: ['use.ts', 'equality.ts'] }));
    return ['-p', config];
  };
  return {
    compilations: [
      compile({ module: 'es2022', moduleResolution: 'bundler' }),
      compile({ module: 'node16', moduleResolution: 'node16' }),
    ],
    program: join(folder, 'dist', 'use.js'),
  };
}

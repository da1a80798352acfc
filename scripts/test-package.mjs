// The task `test` of turbo: runs the tests of the package in the current folder.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPrograms } from './install-programs.mjs';
import { runJest } from './run-jest.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = relative(root, process.cwd());
process.chdir(root);
installPrograms();
const { failed } = await runJest(
  ['unit', 'integration', 'e2e'],
  ['--passWithNoTests', '--testPathPatterns', `/${folder}/dist/`],
);
process.exit(failed === 0 ? 0 : 1);

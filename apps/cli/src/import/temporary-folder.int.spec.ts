import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inTemporaryFolder } from './temporary-folder.js';

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));
/** The signal comes while the process is busy, so that it learns of it when the folder is already removed. */
const BUSY = `
import { exitOnSignals, inTemporaryFolder } from ${JSON.stringify(new URL('temporary-folder.js', import.meta.url).href)};
exitOnSignals();
await inTemporaryFolder(async () => void process.kill(process.pid, 'SIGINT'));
setTimeout(() => undefined, 3_600_000);
`;
/** Answers of Open WebUI and of Citewell. The one of a file does not end. */
const ANSWERS: Record<string, object> = {
  '/api/v1/knowledge/': [{ id: 'k', name: 'Manuals' }],
  '/api/v1/knowledge/k/files': [{ id: 'f', filename: 'a.md' }],
  '/api/datastores/Manuals': { id: 's1', name: 'Manuals' },
  '/api/datasources': [],
};

describe('temporary folders of an import', () => {
  let temporary: string;
  beforeEach(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'citewell-temporary-'));
  });
  afterEach(() => rm(temporary, { recursive: true }));

  const start = (args: string[], env: Record<string, string> = {}): ChildProcess =>
    spawn(process.execPath, args, { env: { ...env, TMPDIR: temporary }, stdio: 'inherit' });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('do not stay after %s', async (signal, exitCode) => {
    const transfer = Promise.withResolvers<void>();
    const server = createServer(({ url = '' }, response) => {
      const answer = ANSWERS[url.replace(/\?.*/, '')];
      if (answer !== undefined) response.end(JSON.stringify(answer));
      else response.write('secret', () => transfer.resolve());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const child = start([MAIN, 'import', '--from', 'open-webui', url], {
      CITEWELL_URL: url,
      CITEWELL_API_KEY: 'cw_test',
      IMPORT_API_KEY: 'other',
    });
    const closed = once(child, 'close');
    await transfer.promise;
    expect(await readdir(temporary)).toEqual([expect.stringMatching(/^citewell-import-/)]);
    child.kill(signal);
    expect([await closed, await readdir(temporary)]).toEqual([[exitCode, null], []]);
    server.close();
  });

  it('do not delay a signal until the end of the import', async () => {
    const child = start(['--input-type=module', '--eval', BUSY]);
    expect([await once(child, 'close'), await readdir(temporary)]).toEqual([[130, null], []]);
  });

  it('do not stay after a failure', async () => {
    let made = '';
    const failing = inTemporaryFolder((folder) => {
      made = folder;
      return Promise.reject(new Error('full'));
    });
    await expect(failing).rejects.toThrow('full');
    await expect(readdir(made)).rejects.toThrow('ENOENT');
  });
});

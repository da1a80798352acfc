import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { datasourceSchema } from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import { Tenant } from '../client/tenant.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { report } from '../report.js';

const GIGABYTE = 1024 ** 3;
const TIME_LIMIT_MS = 20_000;

describe('a file with one line of a gigabyte', () => {
  for (const name of ['line.txt', 'line.csv', 'line.md', 'line.json']) {
    it(`ends with an error soon and does not block others, ${name}`, async () => {
      const deployment = await startEmbedded({ MAX_UPLOAD_BYTES: String(2 * GIGABYTE) });
      try {
        const tenant = await Tenant.create(deployment);
        const { id: datastoreId } = await tenant.datastore();
        const id = await uploadLine(tenant, datastoreId, name);
        const started = performance.now();
        await tenant.text(datastoreId, 'Another datasource is ingested meanwhile.');
        const { status, error } = await tenant.waitUntilFinished(id);
        report(`${error?.code} ${Math.round(performance.now() - started)} ms after the upload`);
        expect([status, error?.code]).toEqual(['error', 'TOO_COMPLEX']);
        expect(error?.message ?? '').toMatch(/larger than 143 MB/);
        expect(performance.now() - started).toBeLessThan(TIME_LIMIT_MS);
      } finally {
        await deployment.stop();
      }
    });
  }
});

/**
 * Streams the file while generating it, so that no process holds it in memory.
 *
 * @returns the datasource's id
 */
async function uploadLine({ api }: Tenant, datastoreId: string, name: string): Promise<string> {
  const sent = request(`${api.baseUrl}/datasources`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.key}`, 'content-type': 'multipart/form-data; boundary=b' },
  });
  const answered = new Promise<string>((resolve, reject) => {
    sent
      .on('response', async (response) => resolve((await response.setEncoding('utf8').toArray()).join('')))
      .on('error', reject);
  });
  await pipeline(Readable.from(body(datastoreId, name)), sent);
  return datasourceSchema.parse(JSON.parse(await answered)).id;
}

function* body(datastoreId: string, name: string): Generator<Buffer> {
  const part = (field: string, more = ''): string =>
    `--b\r\nContent-Disposition: form-data; name="${field}"${more}\r\n\r\n`;
  yield Buffer.from(`${part('datastoreId')}${datastoreId}\r\n${part('file', `; filename="${name}"`)}`);
  const piece = Buffer.alloc(1024 ** 2, name.endsWith('.json') ? '"a long string' : 'a long line ');
  for (let sent = 0; sent < GIGABYTE; sent += piece.length) yield piece;
  yield Buffer.from('\r\n--b--\r\n');
}

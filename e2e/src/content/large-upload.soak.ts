import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Tenant } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { residentBytes } from '../deployments/processes.js';
import { startScaled } from '../deployments/scaled.deployment.js';
import { report } from '../report.js';

const MEGABYTE = 1024 * 1024;
const UPLOAD_BYTES = 100 * MEGABYTE;
const MAX_GROWTH_BYTES = 60 * MEGABYTE;
const LINE = Buffer.from('date,harbour,depth\n'.repeat(3_400));

describe('a large upload', () => {
  let deployment: Deployment;
  beforeAll(async () => {
    // In the scaled deployment the API is a process of its own, so that its memory can be measured alone.
    deployment = await startScaled({ MAX_UPLOAD_BYTES: String(2 * UPLOAD_BYTES), LOG_LEVEL: 'info' });
  });
  afterAll(() => deployment.stop());

  it('is streamed by the API, which does not hold it in memory', async () => {
    const tenant = await Tenant.create(deployment);
    const { id: datastoreId } = await tenant.datastore();
    // Warm-up: V8 accumulates some tens of megabytes of dead buffers before it collects them, whatever the
    // size of the uploads. They must not count as growth.
    for (let index = 0; index < 4; index += 1) await upload(tenant, datastoreId, 20 * MEGABYTE);
    const pid = deployment.processes.api?.pid ?? 0;
    const before = await residentBytes(pid);
    let peak = before;
    const sampling = setInterval(async () => (peak = Math.max(peak, await residentBytes(pid))), 20);
    expect(await upload(tenant, datastoreId, UPLOAD_BYTES)).toBe(200);
    clearInterval(sampling);
    const growth = peak - before;
    report(
      `${Math.round(before / MEGABYTE)} MB before, ${Math.round(growth / MEGABYTE)} MB more at the peak`,
    );
    expect(growth).toBeLessThan(MAX_GROWTH_BYTES);
  });
});

/** Streams a generated file, so that this process does not hold it either. @returns the HTTP status */
async function upload({ api }: Tenant, datastoreId: string, bytes: number): Promise<number | undefined> {
  const sent = request(`${api.baseUrl}/datasources`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.key}`, 'content-type': 'multipart/form-data; boundary=b' },
  });
  const status = new Promise<number | undefined>((resolve, reject) => {
    sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
  });
  await pipeline(Readable.from(body(datastoreId, bytes)), sent);
  return status;
}

function* body(datastoreId: string, bytes: number): Generator<Buffer> {
  const part = (name: string, more = ''): string =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  yield Buffer.from(`${part('datastoreId')}${datastoreId}\r\n${part('file', '; filename="depths.csv"')}`);
  for (let left = bytes; left > 0; left -= LINE.length) yield LINE.subarray(0, Math.min(left, LINE.length));
  yield Buffer.from('\r\n--b--\r\n');
}

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ApiAnswerError } from './api.client.js';
import { EVERYWHERE, makeCorpus, type SourceFile } from './corpus.js';
import { untilSettled, uploadAll } from './ingestion.js';
import { StandaloneDeployment } from './standalone.deployment.js';

const DISK_MEGABYTES = 8;

describe('a full disk', () => {
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  const skip = isRoot ? false : 'only root may mount a small file system';

  it('refuses uploads with 507, keeps answering, and recovers', { timeout: 180_000, skip }, async (t) => {
    const deployment = await StandaloneDeployment.create();
    const mountPoint = join(deployment.dataDirectory, 'blobs');
    await mkdir(mountPoint, { recursive: true });
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', mountPoint]);
    if (mounted.status !== 0) return t.skip(`mount: ${mounted.stderr.toString().trim()}`);
    try {
      await deployment.start();
      const { client } = deployment;
      const datastoreId = await client.createDatastore('full');
      await uploadAll(client, datastoreId, makeCorpus(6));
      await untilSettled(client, datastoreId);
      const found = (await client.query(datastoreId, EVERYWHERE)).length;
      assert.ok(found > 0);

      const big: string[] = [];
      const refusals: string[] = [];
      for (let upload = 0; upload < 20 && refusals.length < 6; upload += 1) {
        try {
          big.push((await client.upload(datastoreId, ballast(`ballast-${upload}.txt`))).id);
        } catch (error) {
          refusals.push(error instanceof ApiAnswerError ? `${error.status} ${error.code}` : String(error));
        }
      }
      t.diagnostic(`${big.length} files of 1 MB taken, then: ${refusals.join(', ')}`);
      assert.deepEqual([...new Set(refusals)], ['507 STORAGE_FULL']);
      assert.ok(await client.isReady(), 'it is no longer ready');
      assert.ok((await client.query(datastoreId, EVERYWHERE)).length >= found);

      for (const id of big) await client.remove(id);
      const again = await uploadWhenThereIsRoom(deployment, datastoreId);
      t.diagnostic(`room again after ${again.seconds} s`);
      const settled = await untilSettled(client, datastoreId);
      assert.deepEqual(
        settled.filter((one) => one.status !== 'synched'),
        [],
      );
    } finally {
      await deployment.dispose({ keepFiles: true });
      spawnSync('umount', [mountPoint]);
      await deployment.dispose();
    }
  });
});

/** Text of words that do not repeat much; half of what the disk gets is the parsed text, which takes two bytes a letter. */
function ballast(name: string): SourceFile {
  const lines = Array.from({ length: 20_000 }, (_, line) => `ballast line ${line} of ${name} and so on`);
  return {
    name,
    mimeType: 'text/plain',
    content: new TextEncoder().encode(lines.join('\n').slice(0, 1_000_000)),
  };
}

async function uploadWhenThereIsRoom(
  { client }: StandaloneDeployment,
  datastoreId: string,
): Promise<{ seconds: string }> {
  const started = performance.now();
  await uploadAll(client, datastoreId, makeCorpus(7).slice(6));
  return { seconds: ((performance.now() - started) / 1_000).toFixed(1) };
}

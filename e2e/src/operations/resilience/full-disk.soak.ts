import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { EmbeddedDeployment } from '../../deployments/embedded.deployment.js';
import { report } from '../../report.js';
import { ApiResponseError } from '../../client/api-response.js';
import { COMMON_WORD, makeCorpus } from './corpus.js';
import type { SourceFile } from '../../client/tenant.js';
import { DISTURBED } from '../../deployments/disturbed.js';
import { waitUntilFinished, uploadAll } from './ingestion.js';

const DISK_MEGABYTES = 8;

describe('a full disk', () => {
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  // Only root can mount a small file system.
  const itAsRoot = isRoot ? it : it.skip;

  itAsRoot('refuses uploads with 507, still answers queries, and recovers', async () => {
    const deployment = await EmbeddedDeployment.create(DISTURBED);
    const mountPoint = join(deployment.dataDirectory, 'blobs');
    await mkdir(mountPoint, { recursive: true });
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', mountPoint]);
    if (mounted.status !== 0) throw new Error(`mount: ${mounted.stderr.toString().trim()}`);
    try {
      await deployment.start();
      const { tenant } = deployment;
      const { id: datastoreId } = await tenant.datastore('full');
      await uploadAll(tenant, datastoreId, makeCorpus(6));
      await waitUntilFinished(tenant, datastoreId);
      const found = (await tenant.search(datastoreId, COMMON_WORD, { topK: 100 })).length;
      expect(found).toBeGreaterThan(0);

      const accepted: string[] = [];
      const refusals: string[] = [];
      for (let upload = 0; upload < 20 && refusals.length < 6; upload += 1) {
        try {
          accepted.push((await tenant.upload(datastoreId, ballast(`ballast-${upload}.txt`))).id);
        } catch (error) {
          refusals.push(error instanceof ApiResponseError ? `${error.status} ${error.code}` : String(error));
        }
      }
      report(`${accepted.length} files of 1 MB accepted, then: ${refusals.join(', ')}`);
      expect([...new Set(refusals)]).toEqual(['507 STORAGE_FULL']);
      expect((await fetch(`${deployment.origin}/health/ready`)).ok).toBe(true);
      expect((await tenant.search(datastoreId, COMMON_WORD, { topK: 100 })).length).toBeGreaterThanOrEqual(
        found,
      );

      for (const id of accepted) await tenant.remove(id);
      const started = performance.now();
      await uploadAll(tenant, datastoreId, makeCorpus(7).slice(6));
      report(`upload accepted again after ${((performance.now() - started) / 1_000).toFixed(1)} s`);
      const finished = await waitUntilFinished(tenant, datastoreId);
      expect(finished.filter(({ status }) => status !== 'synched')).toEqual([]);
    } finally {
      await deployment.stop({ keepFiles: true });
      spawnSync('umount', [mountPoint]);
      await deployment.stop();
    }
  });
});

/**
 * Text of 1 MB that hardly repeats. Its parsed text takes as much space again on the disk, at two bytes a
 * letter.
 */
function ballast(name: string): SourceFile {
  const lines = Array.from({ length: 20_000 }, (_, line) => `ballast line ${line} of ${name} and so on`);
  return {
    name,
    mimeType: 'text/plain',
    content: new TextEncoder().encode(lines.join('\n').slice(0, 1_000_000)),
  };
}

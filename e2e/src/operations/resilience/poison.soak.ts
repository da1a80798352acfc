import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { parsersOf } from '../../deployments/processes.js';
import { report } from '../../report.js';
import { disturbEmbedded } from '../../deployments/disturbed.js';
import { makeCorpus } from './corpus.js';
import type { SourceFile } from '../../client/tenant.js';
import { waitUntilFinished, uploadAll } from './ingestion.js';
import { takeInventory } from './inventory.js';

const ATTEMPTS = 3;

describe('files that crash their parser', () => {
  it('end with an error after three attempts, and do not block others', async () => {
    await disturbEmbedded(
      async (deployment) => {
        const { tenant } = deployment;
        const { id: poisonId } = await tenant.datastore('poison');
        const poison = [longTable('table-1.csv'), manyObjects('objects.json'), longTable('table-2.csv')];
        for (const file of poison) await tenant.upload(poisonId, file);
        const { id: goodId } = await tenant.datastore('good');
        const started = performance.now();
        await uploadAll(tenant, goodId, makeCorpus(40, 8));
        const good = await waitUntilFinished(tenant, goodId);
        report(
          `${good.length} good files at the same time in ${((performance.now() - started) / 1_000).toFixed(1)} s`,
        );
        expect(good.every(({ status }) => status === 'synched')).toBe(true);

        for (const { id, name, status, error } of await waitUntilFinished(tenant, poisonId)) {
          const [run] = await tenant.runs(id);
          report(
            `${name}: ${status} ${error?.code} after ${run?.failures} attempts, ${run?.crashes} crashes`,
          );
          expect(status).toBe('error');
          expect(['PARSE_TIMEOUT', 'PARSE_MEMORY', 'PARSER_CRASHED']).toContain(error?.code ?? '');
          expect([run?.failures, run?.crashes]).toEqual([ATTEMPTS, 0]);
        }
        expect((await takeInventory(deployment)).problems).toEqual([]);
      },
      {
        PARSER_TIMEOUT_MS: '1500',
        PARSER_MEMORY_BYTES: String(320 * 1024 * 1024),
      },
    );
  });

  it('count an attempt each time their parser is killed from outside', async () => {
    await disturbEmbedded(
      async (deployment) => {
        const { tenant } = deployment;
        const { id: datastoreId } = await tenant.datastore('killed');
        const { id } = await tenant.upload(datastoreId, longTable('table.csv'));
        let kills = 0;
        while (['unsynched', 'running'].includes((await tenant.datasource(id)).status)) {
          for (const pid of await parsersOf(deployment.process.pid)) {
            process.kill(pid, 'SIGKILL');
            kills += 1;
          }
          await sleep(100);
        }
        const { status, error } = await tenant.datasource(id);
        report(`${kills} kills: ${status} ${error?.code}`);
        expect([status, error?.code]).toEqual(['error', 'PARSER_CRASHED']);
        expect((await tenant.runs(id))[0]?.failures).toBe(ATTEMPTS);
      },
      { PARSER_CONCURRENCY: '1' },
    );
  });
});

/** More rows than can be parsed within the time limit. */
function longTable(name: string): SourceFile {
  const rows = Array.from({ length: 1_500_000 }, (_, row) => `${row},value of row ${row},some more text`);
  return {
    name,
    mimeType: 'text/csv',
    content: new TextEncoder().encode(`number,value,remark\n${rows.join('\n')}\n`),
  };
}

/**
 * More objects than can be parsed within the memory limit: in memory each takes many times its size in the
 * file.
 */
function manyObjects(name: string): SourceFile {
  const items = Array.from({ length: 500_000 }, (_, n) => ({
    n,
    tags: [`a${n}`, `b${n}`],
    deep: { value: n },
  }));
  return { name, mimeType: 'application/json', content: new TextEncoder().encode(JSON.stringify(items)) };
}

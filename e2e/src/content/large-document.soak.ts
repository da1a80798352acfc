import { readFile } from 'node:fs/promises';
import { datasourceSchema } from '@citewell/contracts/schemas';
import { buildPdf } from '@citewell/documents/test-files';
import { describe, expect, it } from '@jest/globals';
import type { FormPart } from '../client/api-client.js';
import { Tenant } from '../client/tenant.js';
import { descendantsOf, residentBytes } from '../deployments/processes.js';
import { startScaled } from '../deployments/scaled.deployment.js';
import { report } from '../report.js';

const MEGABYTE = 1024 ** 2;
const MAX_WORKER_BYTES = 250 * MEGABYTE;
const MAX_CHILD_BYTES = 400 * MEGABYTE;
const PAGES = 2_400;
const LINES_PER_PAGE = 45;
const SAMPLE_INTERVAL_MS = 50;
const TIMEOUT_MS = 300_000;

describe('a document of thousands of pages', () => {
  it(
    'is parsed within the memory limits of parser and worker',
    async () => {
      const deployment = await startScaled();
      try {
        const tenant = await Tenant.create(deployment);
        const { id: datastoreId } = await tenant.datastore();
        const worker = deployment.processes['worker-parser']?.pid ?? 0;
        const peaks = { worker: 0, child: 0 };
        const sampling = setInterval(async () => {
          peaks.worker = Math.max(peaks.worker, await residentBytes(worker));
          for (const child of await descendantsOf(worker))
            peaks.child = Math.max(peaks.child, await residentBytes(child));
        }, SAMPLE_INTERVAL_MS).unref();
        const file: FormPart = ['file', new Blob([await largePdf()]), 'large.pdf'];
        const { id } = (await tenant.api.upload([['datastoreId', datastoreId], file])).as(datasourceSchema);
        const { stats } = await tenant.waitUntilSynched(id, TIMEOUT_MS);
        clearInterval(sampling);
        const megabytes = (bytes: number): number => Math.round(bytes / MEGABYTE);
        report(
          `${stats.pages} pages, ${stats.characters} characters: ${megabytes(peaks.child)} MB in the parser's process, ${megabytes(peaks.worker)} MB in the worker`,
        );
        expect(stats.pages).toBeGreaterThanOrEqual(PAGES);
        expect(peaks.child).toBeGreaterThan(0);
        expect(peaks.child).toBeLessThan(MAX_CHILD_BYTES);
        expect(peaks.worker).toBeLessThan(MAX_WORKER_BYTES);
      } finally {
        await deployment.stop();
      }
    },
    2 * TIMEOUT_MS,
  );
});

/** The file that the environment variable `LARGE_PDF` names, or a generated one. */
async function largePdf(): Promise<Uint8Array<ArrayBuffer>> {
  const { LARGE_PDF } = process.env;
  if (LARGE_PDF !== undefined) return Uint8Array.from(await readFile(LARGE_PDF));
  return buildPdf(
    Array.from({ length: PAGES }, (_, page) =>
      Array.from({ length: LINES_PER_PAGE }, (_, line) => ({
        text: `On page ${page}, line ${line} tells what the harbour master wrote that day.`,
        y: 780 - 16 * line,
      })),
    ),
  );
}

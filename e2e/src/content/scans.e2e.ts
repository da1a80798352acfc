import { documentPageSchema } from '@citewell/contracts/schemas';
import { buildPdf, drawPages } from '@citewell/documents/test-files';
import { expect, it } from '@jest/globals';
import { until } from '../client/tenant.js';
import { disturbEmbedded } from '../deployments/disturbed.js';
import { takeInventory } from '../operations/resilience/inventory.js';

const PAGES = ['anchors', 'lanterns', 'compasses', 'barrels'];
const scan = (): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    buildPdf(
      drawPages(
        buildPdf(
          PAGES.map((goods, index) => [
            { text: `The harbour sells ${goods} on day ${index + 1} of the week.`, y: 700 },
          ]),
        ),
      ),
    ),
  );

it('a scan whose worker is killed between two pages has each page once, and its words on the page', async () => {
  await disturbEmbedded(
    async (deployment) => {
      const { tenant } = deployment;
      const { id: datastoreId } = await tenant.datastore('scans');
      const { id } = await tenant.upload(datastoreId, {
        name: 'scan.pdf',
        mimeType: 'application/pdf',
        content: scan(),
      });
      expect((await deployment.process.ended).signal).toBe('SIGKILL');
      await deployment.start({ CITEWELL_FAULT: '' });
      let done = 0;
      const document = await until(async () => {
        const { progress, ...rest } = await tenant.datasource(id);
        if (progress?.stage === 'parsing') {
          expect(progress.done).toBeGreaterThanOrEqual(done);
          done = progress.done;
        }
        return progress === null && rest;
      }, 'the scan to finish');
      expect([document.status, document.error]).toEqual(['synched', null]);
      expect(document.pages).toMatchObject([{ from: 1, to: PAGES.length, content: 'recognized' }]);
      for (const [index, goods] of PAGES.entries()) {
        const [hit] = await tenant.search(datastoreId, `The harbour sells ${goods}`);
        expect(hit).toMatchObject({ page_number: index + 1, recognized: true });
        const page = await tenant.api.get(`/datasources/${id}/pages/${index + 1}`);
        const { words } = page.as(documentPageSchema.strict());
        const at = (hit?.start ?? 0) + (hit?.text.indexOf(goods) ?? 0);
        const word = words.find(({ start }) => start === at);
        // The text is in the upper half of the page, and the word in the middle of its line.
        expect(word?.top).toBeGreaterThan(0.1);
        expect(word?.top).toBeLessThan(0.25);
        expect(word?.left).toBeGreaterThan(0.2);
      }
      const { problems, abandonedBlobs } = await takeInventory(deployment);
      expect([problems, abandonedBlobs]).toEqual([[], 0]);
    },
    { CITEWELL_FAULT: 'after-page:2', TESSERACT_PATH: 'none' },
  );
});

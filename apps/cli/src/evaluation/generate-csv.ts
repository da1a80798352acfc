import { ARCHIVE_TYPE } from '@citewell/contracts/schemas';
import type { Citewell, Datasource } from '@citewell/sdk';
import { stringify } from 'csv-stringify/sync';
import { showProgress } from '../terminal/output.js';
import { type Draft, draftQuestions } from './draft-questions.js';

/** Documents that drafts are made of, the newest ones. */
const MAX_DOCUMENTS = 200;
/** Chunks of a document that are read. */
const MAX_CHUNKS = 300;
const PAGE = { limit: 100 };

/**
 * Drafts questions about the documents of a datastore, as CSV for `citewell eval`. Each document has its share.
 *
 * @param limit maximum number of questions
 */
export async function generateCsv(client: Citewell, datastoreId: string, limit: number): Promise<string> {
  const rounds: (Draft & { datasource: Datasource })[][] = [];
  let read = 0;
  for await (const datasource of documentsOf(client, datastoreId)) {
    if (read === MAX_DOCUMENTS) break;
    read += 1;
    showProgress(`${read} documents were read`);
    for (const [round, draft] of draftQuestions(await chunksOf(client, datasource)).entries())
      (rounds[round] ??= []).push({ ...draft, datasource });
  }
  showProgress('');
  const rows = rounds
    .flat()
    .slice(0, limit)
    .map(({ question, expected, kind, datasource }) => ({
      question,
      expected,
      document: datasource.customId ?? datasource.id,
      answerable: 'yes',
      note: `draft from ${kind === 'faq' ? 'a question' : 'a heading'} of ${datasource.name}`,
    }));
  return stringify(rows, {
    header: true,
    columns: ['question', 'expected', 'document', 'answerable', 'note'],
    record_delimiter: 'windows',
    // Spreadsheets take files without a mark for another encoding.
    bom: true,
  });
}

/** Also the pages of sites and the files of archives. */
async function* documentsOf(client: Citewell, datastoreId: string): AsyncGenerator<Datasource> {
  for await (const datasource of client.datasources.list({ ...PAGE, datastoreId })) {
    const isGroup = datasource.type === 'web_site' || datasource.mimeType === ARCHIVE_TYPE;
    if (!isGroup) yield datasource;
    else yield* client.datasources.list({ ...PAGE, datastoreId, groupId: datasource.id });
  }
}

async function chunksOf(client: Citewell, { id, lastSynch }: Datasource) {
  const chunks = [];
  if (lastSynch === null) return [];
  for await (const chunk of client.datasources.chunks(id, PAGE)) {
    chunks.push(chunk);
    if (chunks.length === MAX_CHUNKS) break;
  }
  return chunks;
}

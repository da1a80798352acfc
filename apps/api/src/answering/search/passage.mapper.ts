import { createHash } from 'node:crypto';
import type { DatastoreQueryItem, Quote, Source } from '@citewell/contracts/schemas';
import { citationAddress } from './citation-address.js';
import type { FoundPassage } from './retriever.service.js';

/** The id of a chunk on the wire. The same text in the same datasource keeps its id across revisions. */
export function chunkIdOf(datasourceId: string, contentHash: string): string {
  return createHash('sha256').update(`${datasourceId}/${contentHash}`).digest('hex').slice(0, 32);
}

/** The origin of a passage for users: its URL, or the name of the datasource. Never empty. */
function sourceOf({ run, anchor, headingPath, text }: FoundPassage): string {
  const { sourceUrl: url, contentType } = run;
  return url === null ? run.datasourceName : citationAddress({ url, contentType, anchor, headingPath, text });
}

function toDocument({ run }: FoundPassage): { datasource_id: string; datasource_name: string } {
  return { datasource_id: run.datasourceId, datasource_name: run.datasourceName };
}

/** The fields of a passage in both query responses. */
function commonFields(passage: FoundPassage) {
  const { run } = passage;
  return {
    chunk_id: chunkIdOf(run.datasourceId, passage.contentHash),
    datasource_id: run.datasourceId,
    datasource_name: run.datasourceName,
    source: sourceOf(passage),
    score: passage.score,
    text: passage.text,
    ...(run.customId === null ? {} : { custom_id: run.customId }),
    ...(passage.page === null ? {} : { page_number: passage.page }),
    ...(passage.headingPath.length === 0 ? {} : { heading_path: [...passage.headingPath] }),
    start: passage.start,
    end: passage.end,
    ...(run.metadata ? { metadata: run.metadata } : {}),
    ...(passage.copies?.length ? { also_in: passage.copies.map(toDocument) } : {}),
  };
}

/** A passage as an item of a datastore query. */
export function toQueryItem(passage: FoundPassage): DatastoreQueryItem {
  return commonFields(passage);
}

/** A passage as a source of an answer. */
export function toSource(
  passage: FoundPassage,
  { cited, added = false, quote }: { cited: boolean; added?: boolean; quote: Quote | undefined },
): Source {
  const { run } = passage;
  return {
    ...commonFields(passage),
    datasource_type: run.datasourceType,
    ...(run.sourceUrl === null ? {} : { source_url: run.sourceUrl }),
    ...(run.mimeType === null ? {} : { mime_type: run.mimeType }),
    revision: run.revision,
    cited,
    ...(added ? { added } : {}),
    ...(cited && quote ? { quote } : {}),
  };
}

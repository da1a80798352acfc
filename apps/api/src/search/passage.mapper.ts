import { createHash } from 'node:crypto';
import type { DatastoreQueryItem, Source } from '@citewell/contracts/http';
import { citationAddress } from './citation-address.js';
import type { FoundPassage } from './retriever.service.js';

/** A chunk's id on the wire: the same text in the same datasource keeps it across revisions. */
export function chunkIdOf(datasourceId: string, contentHash: string): string {
  return createHash('sha256').update(`${datasourceId}/${contentHash}`).digest('hex').slice(0, 32);
}

/** Where a passage is from, for people: its address on the web, or the name of the file. Never empty. */
function sourceOf({ run, anchor, headingPath, text }: FoundPassage): string {
  const { sourceUrl: url, contentType } = run;
  return url === null ? run.datasourceName : citationAddress({ url, contentType, anchor, headingPath, text });
}

/** What both query shapes say of a passage. */
function common(passage: FoundPassage) {
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
  };
}

/** A passage as a datastore query returns it. */
export function toQueryItem(passage: FoundPassage): DatastoreQueryItem {
  return common(passage);
}

/** A passage as an answer's source. */
export function toSource(passage: FoundPassage, cited: boolean): Source {
  const { run } = passage;
  return {
    ...common(passage),
    datasource_type: run.datasourceType,
    ...(run.sourceUrl === null ? {} : { source_url: run.sourceUrl }),
    ...(run.mimeType === null ? {} : { mime_type: run.mimeType }),
    revision: run.revision,
    cited,
  };
}

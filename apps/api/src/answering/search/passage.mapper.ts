import { createHash } from 'node:crypto';
import type { DatastoreQueryItem, Quote, Source, SourceTable } from '@citewell/contracts/schemas';
import { DESCRIBED } from '@citewell/documents/page-words';
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

/** The fields of text that OCR has read, or in which a model describes a picture. */
export function recognitionOf(
  confidence: number | null | undefined,
): Pick<DatastoreQueryItem, 'recognized' | 'confidence' | 'described'> {
  if (confidence === DESCRIBED) return { described: true };
  return confidence === null || confidence === undefined ? {} : { recognized: true, confidence };
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
    ...recognitionOf(passage.confidence),
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
  {
    cited,
    added = false,
    quote,
    table,
    changedAt,
  }: {
    cited: boolean;
    added?: boolean;
    quote: Quote | undefined;
    table?: SourceTable | undefined;
    /** When the text of the document changed lately. */
    changedAt?: Date | undefined;
  },
): Source {
  const { run } = passage;
  return {
    ...commonFields(passage),
    datasource_type: run.datasourceType,
    ...(run.title ? { title: run.title } : {}),
    ...(run.sourceUrl === null ? {} : { source_url: run.sourceUrl }),
    ...(run.mimeType === null ? {} : { mime_type: run.mimeType }),
    revision: run.revision,
    ...(changedAt ? { changed_at: changedAt.toISOString() } : {}),
    cited,
    ...(added ? { added } : {}),
    ...(cited && quote ? { quote } : {}),
    ...(table ? { table } : {}),
  };
}

const HTML = 'text/html';

/** Words of a text directive, and the fewest that are unlikely to match another place on the page. */
const MAX_WORDS = 8;
const MIN_WORDS = 4;
/** Characters of a line that are searched for words: far more than {@link MAX_WORDS} words take. */
const MAX_LINE_CHARACTERS = 400;
/** List items and their continuation lines. The page shows them without these markers. */
const LIST_LINE = /^(?:\s|[-•☐☒]\s|\d+[.)]\s)/;
/**
 * Characters that canonical text uses where the page has other markup: cells, notes, ruby, superscripts,
 * quotes.
 */
const NOT_ON_PAGE = /[|[\]()^"]/;

const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** A passage of a web document. */
export interface CitedPassage {
  readonly url: string;
  /** Media type of the document; null when unknown. */
  readonly contentType: string | null;
  readonly anchor: string | null;
  readonly headingPath: readonly string[];
  readonly text: string;
}

/**
 * The URL that scrolls to a passage: with its anchor, or, on an HTML page, with a text directive of its first
 * words of prose (https://wicg.github.io/scroll-to-text-fragment). A browser that does not find the words
 * opens the page at its top.
 */
export function citationAddress({ url, contentType, anchor, headingPath, text }: CitedPassage): string {
  const [page = url] = url.split('#', 1);
  if (anchor !== null && anchor !== '') return `${page}#${encodeURIComponent(anchor.toWellFormed())}`;
  const phrase = contentType === HTML ? firstWords(text, headingPath) : null;
  if (phrase === null) return url;
  // The URL's own fragment stays: single-page applications select the page with it.
  const [fragment = ''] = url.slice(page.length + 1).split(':~:', 1);
  // In a text directive, a hyphen separates context from the phrase.
  return `${page}#${fragment}:~:text=${encodeURIComponent(phrase.toWellFormed()).replaceAll('-', '%2D')}`;
}

/**
 * The first words of the first line that the page shows unchanged. A line with {@link MAX_WORDS} words is
 * preferred to an earlier, shorter one.
 */
function firstWords(text: string, headings: readonly string[]): string | null {
  let shorter: string | null = null;
  for (const line of text.split('\n')) {
    if (LIST_LINE.test(line) || headings.includes(line)) continue;
    const { phrase, count } = leadingWords(line);
    if (count === MAX_WORDS) return phrase;
    if (count >= MIN_WORDS) shorter ??= phrase;
  }
  return shorter;
}

function leadingWords(line: string): { readonly phrase: string; readonly count: number } {
  const [plain = ''] = line.slice(0, MAX_LINE_CHARACTERS).split(NOT_ON_PAGE, 1);
  // A word that the limit truncates does not count.
  const limit =
    plain.length === MAX_LINE_CHARACTERS && line.length > MAX_LINE_CHARACTERS ? plain.length : Infinity;
  let count = 0;
  let start = 0;
  let end = 0;
  for (const { index, segment, isWordLike } of words.segment(plain)) {
    if (isWordLike !== true || index + segment.length >= limit) continue;
    if (count === 0) start = index;
    count += 1;
    end = index + segment.length;
    if (count === MAX_WORDS) break;
  }
  return { phrase: plain.slice(start, end), count };
}

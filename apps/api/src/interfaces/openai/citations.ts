import type { Source } from '@citewell/contracts/schemas';

/** The annotation of a citation. The client types of OpenAI allow no other kind in chats. */
export interface UrlCitation {
  type: 'url_citation';
  url_citation: { url: string; title: string; start_index: number; end_index: number };
}

const MARK = /\[(\d+)\]/g;
const HEADING = '\n\nSources:\n';
const SOURCE_LIST = new RegExp(`${HEADING}(?:- \\[\\d+\\] [^\\n]*(?:\\n|$))+$`);
/** The characters with a meaning in Markdown: a name is shown as it is. */
const MARKDOWN = /[\\`*_{}[\]()<>#!|~&]/g;

/**
 * An annotation for each mark, such as `[2]`, that cites a source with an address. Its offsets are those of the mark, in
 * UTF-16 code units.
 */
export function toAnnotations(text: string, sources: readonly Source[]): UrlCitation[] {
  return [...text.matchAll(MARK)].flatMap(({ 0: mark, 1: number, index }) => {
    const source = sources[Number(number) - 1];
    if (!source?.cited || source.source_url === undefined) return [];
    const span = { start_index: index, end_index: index + mark.length };
    const citation = { url: source.source, title: source.datasource_name, ...span };
    return [{ type: 'url_citation' as const, url_citation: citation }];
  });
}

/** The cited sources as the end of an answer, in Markdown; empty if it cites none. */
export function sourceList(sources: readonly Source[]): string {
  const lines = sources.flatMap((source, index) =>
    source.cited ? [`- [${index + 1}] ${describeSource(source)}`] : [],
  );
  return lines.length === 0 ? '' : HEADING + lines.join('\n');
}

/** An earlier answer without its {@link sourceList}, which would mislead the rewriting of a follow-up question. */
export function withoutSourceList(text: string): string {
  return text.replace(SOURCE_LIST, '');
}

function describeSource({
  datasource_name,
  page_number,
  confidence,
  described,
  source_url,
  source,
}: Source): string {
  const name = datasource_name.replace(MARKDOWN, '\\$&');
  const page = page_number === undefined ? '' : `, page ${page_number}`;
  const read = confidence === undefined ? '' : `, recognized text (${confidence} %)`;
  const seen = described ? ', a picture as a model describes it' : '';
  return `${name}${page}${read}${seen}${source_url === undefined ? '' : ` <${source}>`}`;
}

import type { Source } from '@citewell/sdk';

/** Code in Markdown. Numbers in brackets are no citations there. An unclosed fence reaches to the end. */
const CODE = /(^ {0,3}(`{3,}|~{3,})[^]*?(?:^ {0,3}\2|$(?![^])))|(`+)(?!`)[^]*?(?<!`)\3(?!`)/gm;
/** `[1]`, with the space before it; not a link, not the address of one (`[1]: …` on a line), and not escaped. */
const CITATION = /[ \u00a0]?(?<!\\)\[(\d+)\](?!\(|:(?<=^ {0,3}\[\d+\]:))/gm;

/** The Markdown of an answer without its citations. Brackets that cite nothing stay. */
export function withoutCitations(text: string, sources: readonly Source[]): string {
  const remove = (prose: string): string =>
    prose.replace(CITATION, (citation, number: string) => (sources[Number(number) - 1] ? '' : citation));
  let result = '';
  let end = 0;
  for (const { index, 0: code } of text.matchAll(CODE)) {
    result += remove(text.slice(end, index)) + code;
    end = index + code.length;
  }
  return result + remove(text.slice(end));
}

/**
 * The Markdown of an answer with a list of the sources that it cites.
 *
 * @param words.page the sentence about a page
 */
export function withSources(
  text: string,
  sources: readonly Source[],
  words: { sources: string; page: (page: number) => string },
): string {
  const cited = sources.flatMap((source, index) => (source.cited ? [{ source, number: index + 1 }] : []));
  if (cited.length === 0) return text;
  const lines = cited.map(({ source: { datasource_name: name, source, page_number: page }, number }) => {
    const place = page === undefined ? [] : [words.page(page)];
    return `[${number}] ${[name, ...place, ...(source === name ? [] : [source])].join(', ')}`;
  });
  return `${text.trimEnd()}\n\n${words.sources}:\n${lines.join('\n')}`;
}

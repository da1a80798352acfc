import type { Source } from '@citewell/sdk';

/** Fences at the beginning of a line, and other marks of code in Markdown. */
const CODE_MARKS = /^ {0,3}(`{3,}|~{3,})|`+/gm;
/** `[1]`, with the space before it; not a link, not the address of one (`[1]: …` on a line), and not escaped. */
const CITATION = /[ \u00a0]?(?<!\\)\[(\d+)\](?!\(|:(?<=^ {0,3}\[\d+\]:))/gm;

/** The Markdown of an answer without its citations. Brackets that cite nothing stay. */
export function withoutCitations(text: string, sources: readonly Source[]): string {
  const remove = (prose: string): string =>
    prose.replace(CITATION, (citation, number: string) => (sources[Number(number) - 1] ? '' : citation));
  let result = '';
  let end = 0;
  for (const code of codeOf(text)) {
    result += remove(text.slice(end, code.start)) + text.slice(code.start, code.end);
    end = code.end;
  }
  return result + remove(text.slice(end));
}

/** The code in Markdown. Numbers in brackets are no citations there. An unclosed fence reaches to the end. */
function* codeOf(text: string): Generator<{ start: number; end: number }> {
  const marks = Array.from(text.matchAll(CODE_MARKS), ({ index, 0: all, 1: fence }) => {
    return { start: index, end: index + all.length, mark: all.trimStart(), fence };
  });
  const last = new Map(marks.map(({ mark }, at) => [mark, at]));
  for (let at = 0; at < marks.length; at += 1) {
    const open = marks[at];
    if (open === undefined || (open.fence === undefined && last.get(open.mark) === at)) continue;
    const { mark, fence, start } = open;
    const closes = (other: typeof open): boolean =>
      fence === undefined ? other.mark === mark : other.fence?.startsWith(fence) === true;
    do at += 1;
    while (at < marks.length && !closes(marks[at] ?? open));
    yield { start, end: marks[at]?.end ?? text.length };
  }
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
  const lines = cited.map(
    ({ source: { datasource_name, title: name = datasource_name, source, page_number: page }, number }) => {
      const place = page === undefined ? [] : [words.page(page)];
      return `[${number}] ${[name, ...place, ...(source === name ? [] : [source])].join(', ')}`;
    },
  );
  return `${text.trimEnd()}\n\n${words.sources}:\n${lines.join('\n')}`;
}

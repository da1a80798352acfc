import type { AnswerSentence, Source } from '@citewell/contracts';

/** Marks at the beginning of a line: headings, items of lists, block quotes. */
const LINE_MARKS = /^[ \t]*(?:(?:#{1,6}|[-*+>])[ \t]+)+/gm;

const INLINE_CODE = /(?<!`)`+([^`\n]+)`+/g;
const MARKDOWN_LINK = /!?\[([^[\]\n]*)\]\([^()\s]*\)/g;

/** Stars that touch a word on the inside and none on the outside: not those of `2 * 3` and `2**8`. */
const EMPHASIS = /(?<![\p{L}\p{N}*])(\*{1,3})(?=\S)([^*\n]+)(?<=\S)\1(?![\p{L}\p{N}*])/gu;

/** Two noncharacters of Unicode, which no text contains. */
const [BEGIN, END] = ['\uFDD0', '\uFDD1'];

/** A mark of {@link markSentences}. Its group is the number of an added citation; empty: no passage supports the sentence. */
export const SENTENCE_MARK = /\uFDD0(\d*)\uFDD1/;

/**
 * The answer with a mark, as {@link SENTENCE_MARK} matches it, after each sentence that has an added citation or that no
 * passage supports. The Markdown of the answer stays valid.
 */
export function markSentences(answer: string, sentences: readonly AnswerSentence[] = []): string {
  let marked = '';
  let written = 0;
  for (const { start, end, supported, citations } of sentences) {
    const added = citations.flatMap((citation) => (citation.added ? [citation.number] : []));
    const marks = (supported ? added : ['']).map((number) => ` ${BEGIN}${number}${END}`).join('');
    // In a row of a table, the mark belongs to the last cell.
    const at = start + answer.slice(start, end).replace(/(?<![|\s])[|\s]+$/, '').length;
    marked += answer.slice(written, at) + marks;
    written = at;
  }
  return marked + answer.slice(written);
}

/** A marked answer with `[n]` for each added citation, and without other marks. */
export function withAddedCitations(marked: string): string {
  return marked.replace(/ \uFDD0(\d*)\uFDD1/g, (_, number: string) => (number === '' ? '' : ` [${number}]`));
}

/**
 * A text of a document as a page shows it: without the marks of Markdown. The text of sources and quotes is verbatim,
 * so a text file may contain them.
 */
export function withoutMarkdown(text: string): string {
  return text
    .replaceAll(LINE_MARKS, '')
    .replaceAll(INLINE_CODE, '$1')
    .replaceAll(MARKDOWN_LINK, '$1')
    .replaceAll(EMPHASIS, '$2');
}

/**
 * "Customer = Müller GmbH" for each condition that selects the rows of a source's table.
 *
 * @param language of dates and lists, such as `en-GB`
 */
export function conditionTexts(
  { conditions }: Pick<NonNullable<Source['table']>, 'conditions'>,
  language: string,
): string[] {
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const or = new Intl.ListFormat(language, { type: 'disjunction' });
  return conditions.map(({ column, is = [], within = [] }) => {
    // The end of a range is not part of it.
    const ranges = within.map(({ from, to }) => days.formatRange(Date.parse(from), Date.parse(to) - 1));
    return `${column} = ${or.format([...is.map(String), ...ranges])}`;
  });
}

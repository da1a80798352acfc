/** Marks at the beginning of a line: headings, items of lists, block quotes. */
const LINE_MARKS = /^[ \t]*(?:(?:#{1,6}|[-*+>])[ \t]+)+/gm;
const CODE = /(?<!`)`+([^`\n]+)`+/g;
const LINK = /!?\[([^[\]\n]*)\]\([^()\s]*\)/g;
/** Stars that touch a word on the inside and none on the outside: not those of `2 * 3` and `2**8`. */
const EMPHASIS = /(?<![\p{L}\p{N}*])(\*{1,3})(?=\S)([^*\n]+)(?<=\S)\1(?![\p{L}\p{N}*])/gu;

/**
 * A text of a document as a page shows it: without the marks of Markdown. The text of sources and quotes is verbatim,
 * so a text file may contain them.
 */
export function withoutMarkdown(text: string): string {
  return text
    .replaceAll(LINE_MARKS, '')
    .replaceAll(CODE, '$1')
    .replaceAll(LINK, '$1')
    .replaceAll(EMPHASIS, '$2');
}

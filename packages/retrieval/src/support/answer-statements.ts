import { type Range, sentencesOf } from '../analysis/sentence-window.js';

/** A sentence of an answer that states something. */
export interface Statement extends Range {
  /** Without mark-up and citations. */
  readonly text: string;
  /** Numbers of the passages that the sentence cites. */
  readonly cited: readonly number[];
}

/** A citation as `CitationStreamFilter` writes it. */
const CITATION = /(?:(?<![ \t])[ \t]+)?\[(\d{1,4})\]/g;
const FENCE = /^\s*(?:```|~~~)/;
/** The line below the head of a table. */
const DELIMITERS = /^[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*\|[\s|:-]*$/;
const NO_STATEMENT = /^(?:#{1,6}\s|[\s|:-]*$)/;
const MARKER = /^\s*(?:>\s*)*(?:[-*+•]|\d{1,3}[.)])?\s+/;
/** A sentence that announces what follows, or asks. */
const OPEN = /[:：?？؟]["”»)*_]*$/u;
/** Longer lines are not divided. The limit bounds the time for the answer of a model that repeats itself. */
const MAX_LINE = 5_000;
const MAX_STATEMENTS = 100;
/** Statements after the first characters are not compared, for the same reason. */
const MAX_CHARACTERS = 20_000;

/**
 * Returns the sentences of an answer in Markdown that state something, with their offsets in it: no code, headings, heads of tables,
 * questions and sentences that end with a colon. A citation after the full stop belongs to the sentence before it.
 */
export function statementsOf(answer: string): Statement[] {
  const statements: Statement[] = [];
  let start = 0;
  let isCode = false;
  const lines = answer.slice(0, MAX_CHARACTERS).split('\n');
  for (const [index, line] of lines.entries()) {
    const isFence = FENCE.test(line);
    const isTableHead = DELIMITERS.test(lines[index + 1] ?? '');
    if (isFence) isCode = !isCode;
    if (!isFence && !isCode && !isTableHead && line.length <= MAX_LINE && !NO_STATEMENT.test(line.trim()))
      statements.push(...statementsOfLine(line, start));
    start += line.length + 1;
    if (statements.length >= MAX_STATEMENTS) break;
  }
  return statements.slice(0, MAX_STATEMENTS);
}

function statementsOfLine(line: string, offset: number): Statement[] {
  const from = MARKER.exec(line)?.[0].length ?? 0;
  // Citations become spaces, so that offsets stay valid and no sentence ends within one.
  const blank = line.replace(CITATION, (citation) => ' '.repeat(citation.length));
  const sentences = sentencesOf(blank.slice(from)).map(({ start, end }) => ({
    start: from + start,
    end: from + end,
  }));
  return sentences.flatMap((sentence, index) => {
    const next = sentences[index + 1]?.start ?? line.length;
    const whole = line.slice(sentence.start, next);
    const cited = Array.from(whole.matchAll(CITATION), ([, number]) => Number(number));
    const text = plainText(whole.replace(CITATION, ''));
    if (text === '' || OPEN.test(text)) return [];
    const end = sentence.start + whole.trimEnd().length;
    return [{ start: offset + sentence.start, end: offset + end, text, cited }];
  });
}

/** The text without the marks of Markdown: of a link, its words stay. */
function plainText(text: string): string {
  let words = '';
  let at = 0;
  for (let mid = text.indexOf(']('); mid >= 0; mid = text.indexOf('](', at)) {
    const end = text.indexOf(')', mid) + 1;
    if (end === 0) break;
    const label = at + text.slice(at, mid).lastIndexOf(']') + 1;
    words += text.slice(at, label) + text.slice(label, mid).replaceAll('[', '');
    at = end;
  }
  return (words + text.slice(at)).replace(/[*_`]+/g, '').trim();
}

import type { DocumentBuilder } from '../document/document-builder.js';
import type { DocumentParser } from '../document-parser.js';
import { canonicalText } from '../document/canonical-text.js';
import { calendarEntries, isCalendar } from './calendar.js';
import { readText } from '../text-decoding/decode-text.js';
import { withoutDataUrls } from '../text-decoding/text-content.js';

const MAX_HEADING_CHARACTERS = 80;
const HEADING_UNDERLINE = /^\s*(={3,}|-{3,}|~{3,})\s*$/;
const NUMBERED_HEADING = /^(\d{1,3}(?:\.\d{1,3}){0,4})\.?\s+\p{Lu}/u;

const SENTENCE_END = /[.!?,;:]$/;
const UNDERLINE_LEVELS = ['=', '-', '~'];

const BLANK_LINES = /\n(?:[^\S\n]*\n)+/;

/** A state of a progress bar that a program has overwritten by the next one, with the same words before the percentage. */
const OVERWRITTEN = /(?<=[\r\n]|^)([^\d\r\n]*)\d[\d.]*%[^\r\n]*\r(?=\1\d)/g;

/** A title and its underline. */
const MAX_HEADING_LINES = 2;

/** Reads plain text as paragraphs separated by blank lines, and simple headings. Line breaks are kept. */
export const plainTextParser: DocumentParser = {
  async parse(input, builder) {
    const text = withoutDataUrls(await readText(input, builder));
    const entries = isCalendar(text) ? calendarEntries(text) : [];
    for (const entry of entries) builder.block('paragraph', entry);
    if (entries.length === 0) addPlainText(text, builder);
  },
};

/** Adds the paragraphs and headings of a text. Indented paragraphs keep their indentation, as code. */
export function addPlainText(source: string, builder: DocumentBuilder): void {
  const left: string[] = [];
  const leave = (state: string): string => {
    left.push(state);
    return '';
  };
  // Classic Mac OS ends every line with a carriage return.
  const shown = source.includes('\n') ? source.replace(OVERWRITTEN, leave) : source;
  builder.leaveOut('hidden', left.join(' '));
  // A form feed is a page break in listings and RFCs, so it separates paragraphs like a blank line.
  const text = shown.replaceAll('\r\r\n', '\n').replaceAll('\f', '\n\n');
  for (const paragraph of canonicalText(text).split(BLANK_LINES)) addParagraph(paragraph, builder);
}

function addParagraph(paragraph: string, builder: DocumentBuilder): void {
  const lines = paragraph.split('\n', MAX_HEADING_LINES + 1).filter((line) => line.trim() !== '');
  const heading = lines.length > MAX_HEADING_LINES ? null : plainHeading(lines);
  if (heading !== null) builder.heading(heading.level, heading.title);
  else builder.block(isIndented(paragraph) ? 'code' : 'paragraph', paragraph);
}

/** Whether a paragraph begins with indentation, and not only its first line has it, as in books. */
function isIndented(paragraph: string): boolean {
  return /^[ \t]/.test(paragraph) && !/^[^\n]*(?:\n\S[^\n]*)+$/.test(paragraph);
}

interface PlainHeading {
  readonly level: number;
  readonly title: string;
}

/**
 * Recognizes a paragraph that is clearly a heading: an underlined line, or a single line that is numbered
 * like a section, or is in capitals.
 *
 * @param lines the non-blank lines of the paragraph
 */
function plainHeading(lines: readonly string[]): PlainHeading | null {
  const [first = '', second = ''] = lines;
  const title = first.trim();
  if (title === '' || title.length > MAX_HEADING_CHARACTERS || !/\p{L}/u.test(title)) return null;
  const underline = HEADING_UNDERLINE.exec(second)?.[1];
  if (underline !== undefined && lines.length === 2)
    return { level: UNDERLINE_LEVELS.indexOf(underline.charAt(0)) + 1, title };
  if (lines.length !== 1 || SENTENCE_END.test(title)) return null;
  const number = NUMBERED_HEADING.exec(title)?.[1];
  if (number !== undefined) return { level: number.split('.').length, title };
  const letters = title.match(/\p{L}/gu)?.length ?? 0;
  const isCapital = title === title.toUpperCase() && title !== title.toLowerCase();
  return isCapital && letters > 3 && letters > title.length / 2 ? { level: 2, title } : null;
}

import type { DocumentBuilder } from '../document/document-builder.js';
import type { DocumentParser } from '../document-parser.js';
import { canonicalText } from '../document/canonical-text.js';
import { readText } from '../text-decoding/read-text.js';
import { plainHeading } from './plain-heading.js';

/** A title and its underline. */
const MAX_HEADING_LINES = 2;

/** Reads plain text as paragraphs separated by blank lines, and simple headings. Line breaks are kept. */
export const plainTextParser: DocumentParser = {
  async parse(input, builder) {
    const text = await readText(input, builder);
    addPlainText(text, builder);
  },
};

/** Adds the paragraphs and headings of a text. */
export function addPlainText(text: string, builder: DocumentBuilder): void {
  // A form feed is a page break in listings and RFCs, so it separates paragraphs like a blank line.
  for (const paragraph of paragraphs(canonicalText(text.replaceAll('\f', '\n\n')))) {
    addParagraph(paragraph, builder);
  }
}

function addParagraph(paragraph: string, builder: DocumentBuilder): void {
  const lines = paragraph.split('\n', MAX_HEADING_LINES + 1).filter((line) => line.trim() !== '');
  const heading = lines.length > MAX_HEADING_LINES ? null : plainHeading(lines);
  if (heading === null) builder.block('paragraph', paragraph);
  else builder.heading(heading.level, heading.title);
}

function* paragraphs(text: string): Generator<string> {
  const blankLines = /\n[^\S\n]*\n\s*/g;
  let start = 0;
  for (const gap of text.matchAll(blankLines)) {
    yield text.slice(start, gap.index);
    start = gap.index + gap[0].length;
  }
  yield text.slice(start);
}

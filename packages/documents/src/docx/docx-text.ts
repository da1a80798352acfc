import { isGraphic } from '../office/embedded-graphics.js';
import { childElements, textContent, type XmlElement } from '../xml/xml-tree.js';
import type { DocxNotes } from './docx-notes.js';
import { mathText } from './math-text.js';

/** The text of a paragraph and the objects to read after it. */
export interface ParagraphText {
  readonly text: string;
  /**
   * Objects anchored in the paragraph: text box contents (with block-level children), charts and diagrams.
   */
  readonly boxes: readonly XmlElement[];
  /** Ids of the comments on the paragraph. */
  readonly comments: readonly string[];
}

/** Elements without text for the reader: deleted or moved revisions, field codes, properties, duplicates. */
const SKIPPED = new Set([
  'del',
  'moveFrom',
  'instrText',
  'delText',
  'pPr',
  'rPr',
  'Fallback',
  'sdtPr',
  'sdtEndPr',
  'rt',
]);

const CHARACTERS: Readonly<Record<string, string>> = {
  tab: '\t',
  ptab: '\t',
  br: '\n',
  cr: '\n',
  noBreakHyphen: '\u2011',
};

/** Reads the text of runs, links, fields, insertions, content controls and equations. */
export function paragraphText(paragraph: XmlElement, notes?: DocxNotes): ParagraphText {
  const parts: string[] = [];
  const boxes: XmlElement[] = [];
  const comments: string[] = [];
  const walk = (element: XmlElement): void => {
    for (const child of childElements(element)) {
      const { id = '' } = child.attributes;
      if (SKIPPED.has(child.name)) continue;
      if (child.name === 't') parts.push(textContent(child));
      else if (child.name === 'txbxContent' || isGraphic(child)) boxes.push(child);
      else if (child.name === 'oMath') parts.push(mathText(child));
      else if (child.name === 'footnoteReference') parts.push(notes?.mark('footnote', id) ?? '');
      else if (child.name === 'endnoteReference') parts.push(notes?.mark('endnote', id) ?? '');
      else if (child.name === 'commentReference') comments.push(id);
      else if (Object.hasOwn(CHARACTERS, child.name)) parts.push(CHARACTERS[child.name] ?? '');
      else walk(child);
    }
  };
  walk(paragraph);
  return { text: parts.join(''), boxes, comments };
}

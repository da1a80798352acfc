import { commentText } from '../document/comment.js';
import { descendant, descendants, textContent, type XmlElement } from '../xml/xml-tree.js';

/** The text of a paragraph, and what to read after it. */
export interface ParagraphText {
  readonly text: string;
  /** Text boxes and shapes, with block-level children. */
  readonly boxes: readonly XmlElement[];
  readonly comments: readonly string[];
}

/** Elements without text of the document: descriptions and data of pictures, readings of ruby text. */
const SKIPPED: ReadonlySet<string> = new Set(['binary-data', 'desc', 'ruby-text']);
/** More spaces in a row are not indentation. */
const MAX_SPACES = 80;

/**
 * Reads a `text:p` or `text:h` (ODF 1.3, 6.1): white space, links, fields and notes.
 *
 * @param notes gets the footnotes and endnotes of the paragraph, each with its mark
 */
export function paragraphText(paragraph: XmlElement, notes: string[]): ParagraphText {
  const parts: string[] = [];
  const boxes: XmlElement[] = [];
  const comments: string[] = [];
  const read = (element: XmlElement): void => {
    if (SKIPPED.has(element.name)) return;
    if (element.name === 's') parts.push(' '.repeat(spacesOf(element)));
    else if (element.name === 'tab') parts.push('\t');
    else if (element.name === 'line-break') parts.push('\n');
    else if (element.name === 'note') parts.push(addNote(element, notes));
    else if (element.name === 'annotation') comments.push(commentOf(element));
    else if (descendant(element, 'p') !== undefined || descendant(element, 'list') !== undefined)
      boxes.push(element);
    else readChildren(element);
  };
  const readChildren = (element: XmlElement): void => {
    for (const child of element.children) {
      if (typeof child === 'string') parts.push(child.replace(/\s+/g, ' '));
      // The title of a picture or shape; elsewhere, `title` is the field with the title of the document.
      else if (element.name !== 'frame' || child.name !== 'title') read(child);
    }
  };
  readChildren(paragraph);
  return { text: parts.join(''), boxes, comments };
}

function spacesOf({ attributes }: XmlElement): number {
  const count = Number(attributes['c'] ?? 1);
  return Number.isInteger(count) ? Math.min(MAX_SPACES, Math.max(0, count)) : 1;
}

/** @returns the mark of the note, such as `[1]` */
function addNote(note: XmlElement, notes: string[]): string {
  const citation = descendant(note, 'note-citation');
  const mark = `[${citation === undefined ? '*' : textContent(citation).trim()}]`;
  const body = descendant(note, 'note-body');
  notes.push(`${mark} ${body === undefined ? '' : textOf(body)}`.trim());
  return mark;
}

function commentOf(annotation: XmlElement): string {
  const field = (name: string): string | undefined => {
    const element = descendant(annotation, name);
    return element === undefined ? undefined : textContent(element);
  };
  return commentText({ author: field('creator'), date: field('date'), text: textOf(annotation) });
}

/** The paragraphs of a note or comment. Notes within them are omitted. */
function textOf(element: XmlElement): string {
  return [...descendants(element, 'p')]
    .map((paragraph) => paragraphText(paragraph, []).text.trim())
    .filter((text) => text !== '')
    .join('\n');
}

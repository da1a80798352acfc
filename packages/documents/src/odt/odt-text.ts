import { commentText } from '../document/canonical-text.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import { RunText, shownText, type TextStyle } from '../office/run-text.js';
import { childElements, childText, descendant, textContent, type XmlElement } from '../xml/xml-tree.js';
import type { OdfObjects } from './odf-objects.js';
import type { OdtStyles } from './odt-styles.js';

/** The text of a paragraph, and what to read after it. */
export interface ParagraphText {
  readonly text: string;
  /** Objects, and text boxes and shapes with block-level children. */
  readonly boxes: readonly XmlElement[];
  readonly comments: readonly string[];
}

/** What the text of paragraphs depends on. */
export interface TextContext {
  readonly builder: DocumentBuilder;
  readonly styles: OdtStyles;
  readonly objects: OdfObjects;
}

/** Elements without text of the document: descriptions and data of pictures. */
const SKIPPED: ReadonlySet<string> = new Set(['binary-data', 'desc']);
/** More spaces in a row are not indentation. */
const MAX_SPACES = 80;

/**
 * Reads a `text:p` or `text:h` (ODF 1.3, 6.1): white space, links, fields and notes.
 *
 * @param notes gets the footnotes and endnotes of the paragraph, each with its mark
 * @param outer the style of the cell around it
 */
export function paragraphText(
  paragraph: XmlElement,
  notes: string[],
  context: TextContext,
  outer?: TextStyle,
): ParagraphText {
  const reader = new ParagraphReader(notes, context);
  reader.read(paragraph, context.styles.textStyle('paragraph', paragraph.attributes['style-name'], outer));
  return reader.finish();
}

/** Whether an element shows a picture, a chart, a formula or another file, which is a part of its own (ODF 1.3, 10.4). */
export function isObject({ name, attributes }: XmlElement): boolean {
  return /^(?:image|object(?:-ole)?)$/.test(name) && attributes['href'] !== undefined;
}

class ParagraphReader {
  private readonly text = new RunText();
  private readonly boxes: XmlElement[] = [];
  private readonly comments: string[] = [];

  constructor(
    private readonly notes: string[],
    private readonly context: TextContext,
  ) {}

  finish(): ParagraphText {
    return { text: this.text.take(), boxes: this.boxes, comments: this.comments };
  }

  /** Reads the content of an element. */
  read(element: XmlElement, style: TextStyle): void {
    for (const child of element.children) {
      if (typeof child === 'string') this.addText(child.replace(/\s+/g, ' '), style);
      // The title of a picture or shape; elsewhere, `title` is the field with the title of the document.
      else if (element.name !== 'frame' || child.name !== 'title') this.readChild(child, style);
    }
  }

  private readChild(element: XmlElement, style: TextStyle): void {
    const { name, attributes } = element;
    if (SKIPPED.has(name)) return;
    if (isObject(element)) return void this.boxes.push(element);
    if (name === 'hidden-text' && attributes['is-hidden'] === 'true')
      return this.addText(textContent(element), { ...style, isHidden: true });
    if (name === 'span')
      this.read(element, this.context.styles.textStyle('text', attributes['style-name'], style));
    else if (name === 's') this.addText(' '.repeat(spacesOf(element)), style);
    else if (name === 'tab') this.text.add('\t');
    else if (name === 'line-break') this.text.add('\n');
    else if (name === 'note') this.text.add(addNote(element, this.notes, this.context));
    else if (name === 'annotation') this.comments.push(commentOf(element, this.context));
    else if (name === 'ruby') this.addRuby(element, style);
    else if (descendant(element, 'p') !== undefined || descendant(element, 'list') !== undefined)
      this.boxes.push(element);
    else this.read(element, style);
  }

  private addText(text: string, style: TextStyle): void {
    this.text.add(shownText(text, style, this.context.builder), style.isRaised);
  }

  private addRuby(ruby: XmlElement, style: TextStyle): void {
    const textOf = (name: string): string => {
      const reader = new ParagraphReader(this.notes, this.context);
      const part = descendant(ruby, name);
      if (part !== undefined) reader.read(part, style);
      return reader.finish().text;
    };
    this.text.addRuby(textOf('ruby-base'), textOf('ruby-text'));
  }
}

/** The text of all paragraphs of an element, each on a line. Notes within them are omitted. */
export function blockText(element: XmlElement, context: TextContext): string {
  const lines: string[] = [];
  const walk = (parent: XmlElement): void => {
    if (isObject(parent)) context.objects.leave(parent);
    for (const child of childElements(parent)) {
      if (child.name !== 'p' && child.name !== 'h') {
        walk(child);
        continue;
      }
      const { text, boxes } = paragraphText(child, [], context);
      if (text.trim() !== '') lines.push(text.trim());
      boxes.forEach(walk);
    }
  };
  walk(element);
  return lines.join('\n');
}

function spacesOf({ attributes }: XmlElement): number {
  const count = Number(attributes['c'] ?? 1);
  return Number.isInteger(count) ? Math.min(MAX_SPACES, Math.max(0, count)) : 1;
}

/** @returns the mark of the note, such as `[1]` */
function addNote(note: XmlElement, notes: string[], context: TextContext): string {
  const mark = `[${(childText(note, 'note-citation') ?? '*').trim()}]`;
  const body = descendant(note, 'note-body');
  notes.push(`${mark} ${body === undefined ? '' : blockText(body, context)}`.trim());
  return mark;
}

export function commentOf(annotation: XmlElement, context: TextContext): string {
  return commentText({
    author: childText(annotation, 'creator'),
    date: childText(annotation, 'date'),
    text: blockText(annotation, context),
  });
}

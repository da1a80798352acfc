import type { DocumentBuilder } from '../document/document-builder.js';
import { commentText } from '../document/canonical-text.js';
import { isEmbedded } from '../office/embedded-parts.js';
import { RunText, shownText, type TextStyle } from '../office/run-text.js';
import { symbolText } from '../office/symbol-fonts.js';
import {
  childElements,
  descendant,
  descendants,
  hasFlag,
  textContent,
  type XmlElement,
} from '../xml/xml-tree.js';
import { DocxFields } from './docx-fields.js';
import type { DocxStyles } from './docx-styles.js';
import { mathText } from '../office/math-text.js';
import { formatNumber } from '../office/number-text.js';

/** The text of a paragraph and the objects to read after it. */
export interface ParagraphText {
  readonly text: string;
  /**
   * Objects anchored in the paragraph: text box contents (with block-level children), charts, diagrams and files.
   */
  readonly boxes: readonly XmlElement[];
  /** Ids of the comments on the paragraph. */
  readonly comments: readonly string[];
}

/** What the text of a paragraph depends on. */
export interface TextContext {
  readonly styles: DocxStyles;
  readonly builder: DocumentBuilder;
  /** Absent in notes and comments, which have no notes. */
  readonly notes?: DocxNotes;
}

/** Elements without text. */
const SKIPPED = new Set(['pPr', 'rPr', 'sdtPr', 'sdtEndPr']);

const CHARACTERS: Readonly<Record<string, string>> = {
  tab: '\t',
  ptab: '\t',
  br: '\n',
  cr: '\n',
  noBreakHyphen: '\u2011',
};

/** Reads the text of runs, links, fields, insertions, content controls and equations. */
export function paragraphText(paragraph: XmlElement, context: TextContext): ParagraphText {
  const reader = new ParagraphReader(context);
  reader.read(paragraph, context.styles.ofParagraph(descendant(paragraph, 'pPr')));
  return reader.finish();
}

/**
 * Leaves out a content control that shows its prompt, because nobody has filled it in. The text that authors of templates
 * put there is no prompt, unless it has the style of one.
 *
 * @returns whether the element is such a control
 */
export function leaveOutPrompt(element: XmlElement, { styles, builder }: TextContext): boolean {
  const isPrompt =
    element.name === 'sdt' &&
    hasFlag(element, 'sdtPr', 'showingPlcHdr') &&
    [...descendants(element, 'rStyle')].some(({ attributes }) => styles.isPromptStyle(attributes['val']));
  if (isPrompt) builder.leaveOut('hidden', uncountedText(element));
  return isPrompt;
}

/** All text in an element, including deleted and hidden text, to count it. */
export function uncountedText(element: XmlElement): string {
  return childElements(element)
    .map((child) => {
      return child.name === 't' || child.name === 'delText' ? textContent(child) : uncountedText(child);
    })
    .join('');
}

class ParagraphReader {
  private readonly text = new RunText();
  private readonly boxes: XmlElement[] = [];
  private readonly comments: string[] = [];
  private readonly fields = new DocxFields();
  private isAfterEquation = false;

  constructor(private readonly context: TextContext) {}

  finish(): ParagraphText {
    const text = this.text.take() + this.fields.unfinished();
    return { text, boxes: this.boxes, comments: this.comments };
  }

  read(element: XmlElement, style: TextStyle): void {
    for (const child of childElements(element)) {
      if (SKIPPED.has(child.name) || leaveOutPrompt(child, this.context)) continue;
      if (child.name === 'r') this.read(child, this.context.styles.ofRun(child, style));
      else if (Object.hasOwn(CHARACTERS, child.name)) this.addPlain(CHARACTERS[child.name] ?? '');
      else this.readChild(child, style);
    }
  }

  private readChild(child: XmlElement, style: TextStyle): void {
    const { builder, notes } = this.context;
    const { id = '' } = child.attributes;
    switch (child.name) {
      case 't':
        return this.addText(textContent(child), style);
      case 'sym':
        return this.addSymbol(child, style);
      case 'del':
      case 'moveFrom':
        builder.leaveOut('deleted', uncountedText(child));
        return;
      case 'delText':
        return;
      case 'instrText':
        return this.fields.addCode(textContent(child));
      case 'fldChar':
        return this.addPlain(this.fields.mark(child));
      case 'ruby':
        return this.addRuby(child, style);
      case 'object':
        // The picture beside it shows the object.
        this.boxes.push(...childElements(child).filter(isEmbedded));
        return;
      case 'oMathPara':
        return this.addEquations(child);
      case 'oMath':
        return this.addEquation(child, ' ');
      case 'footnoteReference':
        return this.addPlain(notes?.mark('footnote', id) ?? '');
      case 'endnoteReference':
        return this.addPlain(notes?.mark('endnote', id) ?? '');
      case 'commentReference':
        this.comments.push(id);
        return;
      default:
        if (child.name === 'txbxContent' || isEmbedded(child)) this.boxes.push(child);
        else this.read(child, style);
    }
  }

  private addText(text: string, style: TextStyle): void {
    // The code of a field is not shown in any case.
    if (this.fields.isInCode && (style.isHidden || style.isStruck)) return;
    this.addPlain(shownText(text, style, this.context.builder), style.isRaised);
  }

  private addSymbol({ attributes }: XmlElement, style: TextStyle): void {
    const code = Number.parseInt(attributes['char'] ?? '', 16);
    if (Number.isNaN(code)) return;
    const { font = 'Symbol' } = attributes;
    this.addText(symbolText(String.fromCodePoint(code), font), { ...style, symbolFont: null });
  }

  private addPlain(text: string, isRaised = false): void {
    if (text === '') return;
    if (this.fields.isInCode) return this.fields.skip(text);
    this.isAfterEquation = false;
    this.text.add(text, isRaised);
    this.fields.resultAdded();
  }

  private addRuby(ruby: XmlElement, style: TextStyle): void {
    const textOf = (name: string): string => {
      const reader = new ParagraphReader(this.context);
      for (const part of childElements(ruby, name)) reader.read(part, style);
      return reader.finish().text;
    };
    if (this.fields.isInCode) return;
    this.text.addRuby(textOf('rubyBase'), textOf('rt'));
    this.fields.resultAdded();
  }

  /** Equations in a paragraph of their own, each on a line. */
  private addEquations(paragraph: XmlElement): void {
    if (this.text.last.trim() !== '' && !this.isAfterEquation) this.addPlain('\n');
    for (const equation of descendants(paragraph, 'oMath')) this.addEquation(equation, '\n');
  }

  private addEquation(equation: XmlElement, separator: string): void {
    const text = mathText(equation);
    if (text.trim() === '') return;
    this.addPlain(this.isAfterEquation ? `${separator}${text}` : text);
    this.isAfterEquation = true;
  }
}

/** What the reader of a cell does with parts of it. By default, rows are shown, and objects and comments ignored. */
export interface BlockReader {
  /** The number of a paragraph in a list. */
  readonly labelOf?: (paragraph: XmlElement, text: string) => string;
  readonly isShown?: (row: XmlElement) => boolean;
  readonly addObject?: (object: XmlElement) => void;
  readonly addComments?: (ids: readonly string[]) => void;
}

/** The text of all paragraphs of a cell, note, comment, header or footer, including those of tables and text boxes. */
export function blockText(element: XmlElement, context: TextContext, reader: BlockReader = {}): string {
  const lines: string[] = [];
  const walk = (parent: XmlElement): void => {
    for (const child of childElements(parent)) {
      if (isEmbedded(child)) reader.addObject?.(child);
      else if (child.name === 'p') {
        const { text, boxes, comments } = paragraphText(child, context);
        const label = reader.labelOf?.(child, text) ?? '';
        if (text.trim() !== '') lines.push(`${label}${text.trim()}`);
        reader.addComments?.(comments);
        for (const box of boxes) {
          if (isEmbedded(box)) reader.addObject?.(box);
          else walk(box);
        }
      } else if (child.name === 'tr' && reader.isShown?.(child) === false) continue;
      else if (child.name !== 'tcPr' && !leaveOutPrompt(child, context)) walk(child);
    }
  };
  walk(element);
  return lines.join('\n');
}

type NoteKind = 'footnote' | 'endnote';

/**
 * Footnotes, endnotes and comments. Notes are numbered as in Word: by the order of their references,
 * footnotes with decimal and endnotes with Roman numerals. Their ids in the file are unrelated to these
 * numbers.
 */
export class DocxNotes {
  private readonly numbers: Readonly<Record<NoteKind, Map<string, number>>> = {
    footnote: new Map(),
    endnote: new Map(),
  };
  private readonly comments = new Map<string, string>();

  constructor(
    comments: XmlElement | undefined,
    private readonly context: TextContext,
  ) {
    for (const comment of childElements(comments, 'comment')) {
      const { id, author, date } = comment.attributes;
      if (id !== undefined)
        this.comments.set(id, commentText({ author, date, text: blockText(comment, context) }));
    }
  }

  /** The reference mark of a note in the text, such as `[1]`. Numbers the note on its first reference. */
  mark(kind: NoteKind, id: string): string {
    const numbers = this.numbers[kind];
    const number = numbers.get(id) ?? numbers.size + 1;
    numbers.set(id, number);
    return `[${formatNumber(number, kind === 'footnote' ? 'decimal' : 'lowerRoman')}]`;
  }

  /** The text of a comment; `''` when there is none with this id. */
  comment(id: string): string {
    return this.comments.get(id) ?? '';
  }

  /** The referenced notes in order, each with its mark. */
  textsOf(kind: NoteKind, root: XmlElement | undefined): string[] {
    const texts = new Map<string, string>();
    for (const note of childElements(root, kind)) {
      texts.set(note.attributes['id'] ?? '', blockText(note, { ...this.context, notes: this }));
    }
    return [...this.numbers[kind].keys()].map((id) => `${this.mark(kind, id)} ${texts.get(id) ?? ''}`.trim());
  }
}

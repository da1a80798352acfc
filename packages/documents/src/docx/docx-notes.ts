import { commentText } from '../document/comment.js';
import { childElements, type XmlElement } from '../xml/xml-tree.js';
import { formatNumber } from './format-number.js';
import { blockText, type TextContext } from './docx-text.js';

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
    for (const comment of comments === undefined ? [] : childElements(comments, 'comment')) {
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
    for (const note of root === undefined ? [] : childElements(root, kind)) {
      texts.set(note.attributes['id'] ?? '', blockText(note, { ...this.context, notes: this }));
    }
    return [...this.numbers[kind].keys()].map((id) => `${this.mark(kind, id)} ${texts.get(id) ?? ''}`.trim());
  }
}

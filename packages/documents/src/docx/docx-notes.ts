import { commentText } from '../document/comment.js';
import { childElements, descendants, type XmlElement } from '../xml/xml-tree.js';
import { figure } from './number-figure.js';
import { paragraphText } from './docx-text.js';

type NoteKind = 'footnote' | 'endnote';

/**
 * Footnotes, endnotes and comments. Notes are numbered in the order in which the text refers to them, footnotes in
 * figures and endnotes in Roman ones, as Word shows them; their ids in the file are something else.
 */
export class DocxNotes {
  private readonly numbers: Readonly<Record<NoteKind, Map<string, number>>> = {
    footnote: new Map(),
    endnote: new Map(),
  };
  private readonly comments = new Map<string, string>();

  constructor(comments: XmlElement | undefined) {
    for (const comment of comments === undefined ? [] : childElements(comments, 'comment')) {
      const { id, author, date } = comment.attributes;
      if (id !== undefined) this.comments.set(id, commentText({ author, date, text: textOf(comment) }));
    }
  }

  /** What stands in the text where it refers to a note. */
  mark(kind: NoteKind, id: string): string {
    const numbers = this.numbers[kind];
    const number = numbers.get(id) ?? numbers.size + 1;
    numbers.set(id, number);
    return `[${figure(number, kind === 'footnote' ? 'decimal' : 'lowerRoman')}]`;
  }

  /** A comment by its id, `''` for one that is not there. */
  comment(id: string): string {
    return this.comments.get(id) ?? '';
  }

  /** The notes that the text refers to, each with its mark, in their order. */
  textsOf(kind: NoteKind, root: XmlElement | undefined): string[] {
    const texts = new Map<string, string>();
    for (const note of root === undefined ? [] : childElements(root, kind)) {
      texts.set(note.attributes['id'] ?? '', textOf(note, this));
    }
    return [...this.numbers[kind].keys()].map((id) => `${this.mark(kind, id)} ${texts.get(id) ?? ''}`.trim());
  }
}

/** Text of all paragraphs, those of tables inside too. */
export function textOf(element: XmlElement, notes?: DocxNotes): string {
  return [...descendants(element, 'p')]
    .map((paragraph) => paragraphText(paragraph, notes).text.trim())
    .filter((text) => text !== '')
    .join('\n');
}

/** What a block is, in the words of the reader: not of the file format. */
export const BLOCK_KINDS = ['heading', 'paragraph', 'list', 'table', 'code', 'caption', 'quote'] as const;

/** Of headings. */
export const MAX_HEADING_LEVEL = 6;

export type BlockKind = (typeof BLOCK_KINDS)[number];

/**
 * A piece of a document that belongs together: its text is `document.text.slice(start, end)`.
 * Blocks are in reading order, never empty and never overlap; white space stands between them.
 */
export interface Block {
  readonly kind: BlockKind;
  /** UTF-16 offsets into {@link Document.text}; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Of headings: 1 is the outermost, 6 the innermost. */
  readonly level?: number;
  /** Page of a PDF or number of a slide, from 1: where the block begins. */
  readonly page?: number;
  /**
   * Titles of the headings above the block, outermost first; a heading's own title is not among them. Of a long heading
   * its beginning.
   */
  readonly headingPath: readonly string[];
  /** Id of the place in the source page, for a link's fragment (without `#`). */
  readonly anchor?: string;
  /** Of tables with a header row: the offset at which that row ends. Every line of a table's text is a row. */
  readonly headerEnd?: number;
}

export type MetadataValue = string | number | boolean;

/** A file as text, and what each stretch of the text is. */
export interface Document {
  readonly title: string | null;
  /** BCP 47 tag as the file declares it; `null` when it does not. */
  readonly language: string | null;
  /**
   * The canonical text: well-formed Unicode, LF the only line break, no U+0000. It is settled before any offset
   * exists, and every offset in the system is UTF-16 and points into it.
   */
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly metadata: Readonly<Record<string, MetadataValue>>;
  /** Of paged formats: pages of a PDF, slides of a presentation. */
  readonly pageCount?: number;
  /** What was recognised as repeating on the pages and left out of the text, each once; a thousand at the most. */
  readonly boilerplate?: readonly string[];
}

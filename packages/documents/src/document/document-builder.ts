import { INGESTION_ERRORS, type IngestionErrorCode } from '@citewell/contracts/errors';
import type { LeftOutReason } from '@citewell/contracts/schemas';
import { canonicalText, excerpt, shortTitle, singleLine, trimBlankLines } from './canonical-text.js';
import {
  type Block,
  type BlockKind,
  type CellContent,
  type Document,
  type DocumentWarning,
  MAX_HEADING_LEVEL,
  MAX_SHARE,
  type MetadataValue,
  type TableCells,
} from './document.js';
import { DocumentError } from './document-error.js';
import { missingText } from './missing-text.js';
import { type ReadWord, RecognizedWords } from './recognition.js';
import { RowContents } from './row-contents.js';

const BLOCK_SEPARATOR = '\n\n';
const CELL_SEPARATOR = ' | ';
/** Longer anchors are ignored: a link with such a fragment is useless to a reader. */
const MAX_ANCHOR_CHARACTERS = 300;
const MAX_WARNINGS = 10;

/** A picture in a document. */
export interface PictureSource {
  /** In bytes, at least about. */
  readonly size: number;
  /** The file of the picture; null if there is none. */
  readonly bytes: () => Uint8Array | null;
  /** What the document says in place of the picture. */
  readonly description?: string | undefined;
}

export interface PictureReader {
  /** @returns the text that the picture shows; null for none, and for a picture that was read before */
  read(picture: PictureSource): Document | null;
}

export interface DocumentBuilderOptions {
  /** More UTF-16 code units of canonical text than this are `TOO_COMPLEX`. Default 50,000,000. */
  readonly maxCharacters?: number;
  /** Without it, pictures have no text. */
  readonly pictures?: PictureReader | undefined;
}

export interface BlockDetails {
  /** A missing anchor, or one of more than 300 characters, is replaced by that of the heading above. */
  readonly anchor?: string | undefined;
  /** The words of OCR that the text consists of, in its order. */
  readonly words?: readonly ReadWord[];
  /** As of a {@link Block}, if the words are not known. */
  readonly confidence?: number;
}

export interface RowDetails {
  /** In the sheet, from 1. */
  readonly number?: number;
  readonly contents: readonly CellContent[] | undefined;
}

/** Writes a table row by row; see {@link DocumentBuilder.openTable}. */
export interface TableWriter {
  /** Adds a row as one line of text. Line breaks in cells become spaces; trailing empty cells are dropped. */
  row(cells: readonly string[], details?: RowDetails): void;
  close(): void;
}

/**
 * Builds a {@link Document}. All parsers use this class, so that the rules of canonical text, offsets and
 * heading paths are in one place. Parsers pass text and never compute offsets.
 */
export class DocumentBuilder {
  private readonly parts: string[] = [];
  private readonly blocks: Block[] = [];
  private readonly headings: { level: number; title: string; anchor: string | undefined }[] = [];
  /** Titles of `headings`; the blocks below them share this array. */
  private headingPath: readonly string[] = [];
  private readonly metadata = new Map<string, MetadataValue>();
  readonly maxCharacters: number;
  readonly pictures: PictureReader | undefined;
  /** The pages of OCR. */
  readonly recognized = new RecognizedWords();
  private readonly leftOut = new Map<LeftOutReason, number>();
  private readonly leftOutTexts: string[] = [];
  private readonly visible: string[] = [];
  private readonly warnings: DocumentWarning[] = [];
  private readonly tables = new Map<number, TableCells>();
  private length = 0;
  private title: string | null = null;
  private language: string | null = null;
  private page: number | undefined;
  private pageCount: number | undefined;

  constructor(options: DocumentBuilderOptions = {}) {
    this.maxCharacters = options.maxCharacters ?? 50_000_000;
    this.pictures = options.pictures;
  }

  /** The last non-blank title wins. If there is none, the first level 1 heading becomes the title. */
  setTitle(title: string | null | undefined): this {
    const line = singleLine(title ?? '');
    if (line !== '') this.title = shortTitle(line);
    return this;
  }

  setLanguage(tag: string | null | undefined): this {
    const line = singleLine(tag ?? '');
    // Only text shaped like a BCP 47 tag, so that a hostile file cannot put anything else here.
    if (/^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*$/.test(line)) this.language = line.replaceAll('_', '-');
    return this;
  }

  /** Ignores blank strings and missing values. */
  setMetadata(key: string, value: MetadataValue | null | undefined): this {
    const clean = typeof value === 'string' ? canonicalText(value).trim() : value;
    if (clean !== undefined && clean !== null && clean !== '') this.metadata.set(singleLine(key), clean);
    return this;
  }

  setPageCount(count: number): this {
    this.pageCount = count;
    return this;
  }

  /** The blocks added from now on are on this page (from 1). */
  beginPage(page: number): this {
    this.page = page;
    return this;
  }

  /** Clears the heading path, for example at a new slide or sheet. */
  leaveHeadings(): this {
    this.headings.length = 0;
    this.headingPath = [];
    return this;
  }

  /** @param level 1 to 6; other values are clamped */
  heading(level: number, text: string, { anchor, ...details }: BlockDetails = {}): this {
    const line = singleLine(text);
    if (line === '') return this;
    const bounded = Math.min(MAX_HEADING_LEVEL, Math.max(1, Math.trunc(level)));
    while ((this.headings.at(-1)?.level ?? 0) >= bounded) this.headings.pop();
    this.headingPath = this.headings.map((heading) => heading.title);
    const ownAnchor = this.anchorOrInherited(anchor);
    this.append('heading', line, { ...details, anchor: ownAnchor, level: bounded });
    this.headings.push({ level: bounded, title: shortTitle(line), anchor: ownAnchor });
    this.headingPath = this.headings.map((heading) => heading.title);
    return this;
  }

  /** Adds the text of a document inside of this one. Its headings are below the one above it, which applies again then. */
  addDocument({ blocks, text, leftOut, warnings, tables }: Document): this {
    const outer = [...this.headings];
    const highest = blocks.reduce(
      (least, { kind, level = 1 }) => (kind === 'heading' ? Math.min(least, level) : least),
      MAX_HEADING_LEVEL,
    );
    const lower = Math.max(0, (outer.at(-1)?.level ?? 0) + 1 - highest);
    for (const [index, { kind, start, end, headerEnd, ...block }] of blocks.entries()) {
      const { anchor, level = 1, confidence } = block;
      const details = { anchor, ...(confidence === undefined ? {} : { confidence }) };
      if (kind === 'heading') {
        this.heading(lower + level, text.slice(start, end), details);
        continue;
      }
      const cells = tables.get(index);
      if (cells !== undefined) this.tables.set(this.blocks.length, cells);
      const headerLength = headerEnd === undefined ? {} : { headerLength: headerEnd - start };
      this.append(kind, text.slice(start, end), { ...details, ...headerLength });
    }
    this.headings.splice(0, this.headings.length, ...outer);
    this.headingPath = outer.map(({ title }) => title);
    for (const [reason, count] of Object.entries(leftOut)) {
      const key = reason as LeftOutReason;
      this.leftOut.set(key, (this.leftOut.get(key) ?? 0) + count);
    }
    for (const { code, message, languages } of warnings) this.warn(code, message, languages);
    return this;
  }

  /** Adds the text that a picture shows, at its place. */
  picture(source: PictureSource): this {
    const text = this.pictures?.read(source);
    return text == null ? this : this.addRecognized(text);
  }

  /** Adds the recognized text of a picture. Its headings are not those of the document. */
  addRecognized(picture: Document): this {
    const blocks = picture.blocks.map(({ kind, ...block }): Block => {
      return { ...block, kind: kind === 'heading' ? 'paragraph' : kind };
    });
    return this.addDocument({ ...picture, blocks });
  }

  /** Ignores blocks without text. */
  block(kind: Exclude<BlockKind, 'heading' | 'table'>, text: string, details: BlockDetails = {}): this {
    const clean = canonicalText(text);
    this.append(kind, kind === 'code' ? trimBlankLines(clean) : clean.trim(), details);
    return this;
  }

  /**
   * Adds a whole table; see {@link openTable}.
   *
   * @param options.contents by row: null for a cell that is covered by another one
   */
  table(
    rows: readonly (readonly string[])[],
    options: {
      headerRow: boolean;
      contents?: readonly (readonly CellContent[] | undefined)[] | undefined;
    } & BlockDetails,
  ): this {
    const table = this.openTable(options);
    for (const [index, row] of rows.entries()) table.row(row, { contents: options.contents?.[index] });
    table.close();
    return this;
  }

  /**
   * Opens a table that is written row by row, so that a large sheet is in memory only once. Close the table
   * before adding anything else.
   *
   * @param options.headerRow whether the first row has the column names
   */
  openTable(options: { headerRow: boolean } & BlockDetails): TableWriter {
    const lines: string[] = [];
    let length = 0;
    let rows = 0;
    const divided = new Map<number, readonly string[]>();
    const contents = new RowContents();
    const numbers: number[] = [];
    return {
      row: (cells, details) => {
        let rowLength = 0;
        let hasBar = false;
        const texts = cells.map((cell) => {
          const text = singleLine(cell);
          rowLength += text.length;
          hasBar ||= text.includes('|');
          // A small file can have one large text in thousands of cells.
          this.guardLength(length + rowLength);
          return text;
        });
        while (texts.at(-1) === '') texts.pop();
        const line = texts.join(CELL_SEPARATOR).trimStart();
        if (line === '') return;
        length += line.length + 1;
        this.guardLength(length);
        if (hasBar) divided.set(rows, texts);
        if (details !== undefined) {
          contents.add(details.contents);
          if (details.number !== undefined) numbers.push(details.number);
        }
        lines.push(line);
        rows += 1;
      },
      close: () => {
        const header = options.headerRow && rows > 1 ? lines[0]?.length : undefined;
        const hasCells = divided.size > 0 || numbers.length > 0 || !contents.isEmpty;
        if (rows > 0 && hasCells) this.tables.set(this.blocks.length, { divided, contents, numbers });
        const { anchor, words } = options;
        this.append('table', lines.join('\n'), {
          anchor,
          ...(words && { words }),
          ...(header === undefined ? {} : { headerLength: header }),
        });
      },
    };
  }

  /**
   * Counts text of the file that is not part of the document's text, so that nothing is lost silently. Call it once
   * for each piece of text.
   */
  leaveOut(reason: LeftOutReason, text: string): this {
    const clean = singleLine(text);
    if (clean === '') return this;
    this.leftOut.set(reason, (this.leftOut.get(reason) ?? 0) + clean.length);
    this.leftOutTexts.push(clean);
    return this;
  }

  /**
   * Records text that a person sees in the file, before the reader decides about its order and kind: all text nodes of
   * a page, all glyphs of a PDF page. What is neither added nor left out of it becomes a warning.
   */
  see(text: string): this {
    this.visible.push(text);
    return this;
  }

  /** Adds a warning, which the user sees although the document is read. @param message default: that of the code @param languages data of text recognition that would help */
  warn(
    code: IngestionErrorCode,
    message: string = INGESTION_ERRORS[code].sentence,
    languages?: readonly string[],
  ): this {
    if (this.warnings.length < MAX_WARNINGS)
      this.warnings.push({ code, message: singleLine(message), ...(languages && { languages }) });
    return this;
  }

  get isEmpty(): boolean {
    return this.blocks.length === 0;
  }

  get blockCount(): number {
    return this.blocks.length;
  }

  /** @throws DocumentError EMPTY_DOCUMENT when no block was added */
  build(): Document {
    if (this.isEmpty) throw new DocumentError('EMPTY_DOCUMENT', 'no text in the file');
    const text = this.parts.join('');
    this.warnOfMissing(text);
    return {
      title: this.title ?? this.firstHeading(text),
      language: this.language,
      text,
      blocks: this.blocks,
      metadata: Object.fromEntries(this.metadata),
      leftOut: Object.fromEntries(this.leftOut),
      warnings: this.warnings,
      tables: this.tables,
      pages: this.recognized.ranges(this.pageCount ?? 0),
      recognized: this.recognized.all,
      ...(this.pageCount === undefined ? {} : { pageCount: this.pageCount }),
    };
  }

  private warnOfMissing(text: string): void {
    const passages = missingText(this.visible, [text, this.leftOutTexts.join(' ')]);
    const [first] = passages;
    if (first === undefined) return;
    const characters = passages.reduce((sum, { length }) => sum + length, 0);
    const isMost = characters > (text.length + characters) * MAX_SHARE;
    const count = `${characters.toLocaleString('en')} characters in ${passages.length.toLocaleString('en')} ${passages.length === 1 ? 'passage' : 'passages'}`;
    const code = isMost ? 'MOSTLY_LEFT_OUT' : 'PARTLY_READ';
    const message = `${INGESTION_ERRORS[code].sentence} Not read: ${count}, first “${excerpt(first)}”.`;
    // Before the others, so that no limit drops it.
    this.warnings.unshift({ code, message });
  }

  private firstHeading(text: string): string | null {
    const first = this.blocks.find((block) => block.kind === 'heading' && block.level === 1);
    return first === undefined ? null : shortTitle(text.slice(first.start, first.end));
  }

  private anchorOrInherited(anchor: string | undefined): string | undefined {
    const line = anchor === undefined || anchor.length > MAX_ANCHOR_CHARACTERS ? '' : singleLine(anchor);
    return line === '' ? this.headings.at(-1)?.anchor : line;
  }

  private append(
    kind: BlockKind,
    text: string,
    {
      headerLength,
      level,
      anchor,
      words = [],
      confidence: known,
    }: BlockDetails & Pick<Block, 'level'> & { headerLength?: number },
  ): void {
    if (text.trim() === '') return;
    const separator = this.blocks.length === 0 ? '' : BLOCK_SEPARATOR;
    this.guardLength(separator.length + text.length);
    const start = this.length + separator.length;
    const ownAnchor = this.anchorOrInherited(anchor);
    this.parts.push(separator, text);
    this.length = start + text.length;
    const confidence = this.recognized.add(text, start, words) ?? known;
    this.blocks.push({
      kind,
      start,
      end: this.length,
      headingPath: this.headingPath,
      ...(level === undefined ? {} : { level }),
      ...(this.page === undefined ? {} : { page: this.page }),
      ...(ownAnchor === undefined ? {} : { anchor: ownAnchor }),
      ...(confidence === undefined ? {} : { confidence }),
      ...(headerLength === undefined ? {} : { headerEnd: start + headerLength }),
    });
  }

  private guardLength(added: number): void {
    if (this.length + added <= this.maxCharacters) return;
    const limit = this.maxCharacters.toLocaleString('en');
    throw new DocumentError('TOO_COMPLEX', `more than ${this.maxCharacters} characters of text`, {
      userMessage: `It has more than ${limit} characters of text, the limit of this installation. Split it and upload the parts.`,
    });
  }
}

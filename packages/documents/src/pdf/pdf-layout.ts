import type { BlockKind } from '../document/document.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import type { ReadWord } from '../document/recognition.js';
import { continueText, joinLines, type Line, type TextForm } from './pdf-lines.js';
import type { PageFonts } from './page-fonts.js';
import type { PdfOutline } from './pdf-outline.js';
import { type FoundTable, haveSameColumns, tablesIn } from './pdf-tables.js';
import type { CleanPage } from './running-lines.js';

const MAX_BODY_SIZE_HEADING_CHARACTERS = 100;

/** Factors of the body font size from which a line is a heading of level 1, 2 or 3. */
const HEADING_STEPS = [1.6, 1.3, 1.12] as const;
const MAX_HEADING_CHARACTERS = 160;
const MAX_HEADING_LINES = 3;
/** Lines with a larger distance of baselines, as a factor of the font size, are separate paragraphs. */
const PARAGRAPH_STEP = 1.65;
/** Indentation of the first line of a paragraph, as factors of the font size. */
const INDENT = { min: 0.8, max: 4 };

/** Text that interrupts a paragraph is smaller by this factor. */
const INTERRUPTION_SIZE = 0.9;
const UNFINISHED = /[\p{L}\p{N},;-]$/u;
/** Fewer characters in a line that begins with a capital letter are a title or a label. */
const MIN_CONTINUED_CHARACTERS = 20;
/** Width of the last line of a paragraph that goes on, as a factor of its widest line. */
const FULL_LINE = 0.85;

/** Minimum level of bold headings in the size of the body text. */
const BOLD_LEVEL = 3;

const BULLET = /^(?:[•◦▪‣●○■□]|[–-](?=\s))/;
const CAPTION =
  /^(?:Fig(?:ure|\.)|Table|Listing|Abb(?:ildung|\.)|Tab(?:elle|\.))\s*(?:\d+|[A-Z])(?:[.-]\d+)*\s*[:.–—]\s/u;

/** The last paragraph, which the next column or page may continue. */
interface OpenParagraph {
  readonly text: string;
  readonly linkedText: string;
  readonly page: number;
  readonly lastPage: number;
  /** The first line of its part on the last page or column, and the last line. */
  readonly first: Line;
  readonly last: Line;
  /** Whether the last of several lines is as long as the others. */
  readonly isFull: boolean;
  readonly words: readonly ReadWord[];
}

interface CutTable {
  readonly page: number;
  readonly table: FoundTable;
  /** Empty if there are none. */
  readonly names: readonly string[];
}

/** Text that interrupts an open paragraph: running lines, notes and captions. */
interface Interruption {
  readonly page: number;
  readonly kind: 'paragraph' | 'caption';
  readonly text: string;
  readonly words: readonly ReadWord[];
}

/**
 * Groups lines into blocks, page by page. The body font is determined from the pages so far and the buffered
 * pages after them, so that no page is read twice.
 */
export class PdfLayout {
  private readonly statistics = new TextStatistics();
  /** Heading levels by rounded font size, learned from the outline. */
  private readonly levelBySize = new Map<number, number>();
  /** Level of the last heading that is in the outline. */
  private outlinedLevel = 0;
  private open: OpenParagraph | null = null;
  /** The table at the end of the page, and its column names. */
  private cut: CutTable | null = null;
  /** These follow the open paragraph. */
  private interruptions: Interruption[] = [];

  constructor(
    private readonly builder: DocumentBuilder,
    private readonly outline: PdfOutline,
    private readonly fonts: PageFonts,
  ) {}

  /** Adds the lines of a later page to the statistics, before the page itself is added. */
  addToStatistics(lines: readonly Line[]): void {
    for (const line of lines) this.statistics.add(line);
  }

  /** Font size of most of the text so far, in points; 0 before any text. */
  get bodySize(): number {
    return this.statistics.body.fontSize;
  }

  addPage({ number, lines, first }: Pick<CleanPage, 'number' | 'lines' | 'first'>): void {
    this.addRunning(number, first.top);
    this.addLines(number, lines);
    this.addRunning(number, first.bottom);
  }

  /** Running lines do not interrupt a paragraph or a table that spans pages. */
  private addRunning(page: number, lines: readonly Line[]): void {
    const { cut } = this;
    if (this.open === null) this.addLines(page, lines);
    else
      this.interruptions.push({
        page,
        kind: 'paragraph',
        text: lines.map((line) => line.linkedText).join('\n'),
        words: wordsOf(lines),
      });
    this.cut = cut;
  }

  private addLines(page: number, lines: readonly Line[]): void {
    let group: Line[] = [];
    const flush = (): void => {
      if (group.length > 0) this.addGroup(group, page);
      group = [];
    };
    const tables = tablesIn(lines);
    for (let index = 0; index < lines.length;) {
      const line = lines[index];
      if (line === undefined) break;
      const table = tables.get(index);
      if (table !== undefined) {
        flush();
        this.close(page);
        this.addTable(page, table, wordsOf(lines.slice(index, table.end)));
        index = table.end;
        continue;
      }
      const above = group.at(-1);
      if (above !== undefined && !this.belongTogether(above, line, group)) flush();
      group.push(line);
      this.cut = null;
      index += 1;
    }
    flush();
  }

  /** A table that goes on at the top of a page has the column names of the page before, unless it has its own. */
  private addTable(page: number, table: FoundTable, words: readonly ReadWord[]): void {
    const { cut } = this;
    const { rows, linkedRows } = table;
    const [first = []] = linkedRows;
    const isPart = cut?.page === page - 1 && haveSameColumns(cut.table, table) && isDataRow(first, cut);
    const names = isPart ? cut.names : hasHeader(rows) ? first : [];
    this.builder.table(isPart ? [names, ...linkedRows] : linkedRows, { headerRow: names.length > 0, words });
    this.cut = { page, table, names };
  }

  /** Call this after {@link addPage} for the same page. */
  addComments(page: number, comments: readonly string[]): void {
    if (comments.length === 0) return;
    this.close(page);
    for (const comment of comments) this.builder.block('paragraph', comment);
  }

  /** Adds the last open paragraph. Call this after the last page. */
  finish(): void {
    const { open, interruptions } = this;
    this.open = null;
    if (open !== null)
      this.builder.beginPage(open.page).block('paragraph', open.linkedText, { words: open.words });
    this.interruptions = [];
    for (const { page, kind, text, words } of interruptions)
      this.builder.beginPage(page).block(kind, text, { words });
  }

  private addGroup(lines: readonly Line[], page: number): void {
    const [first] = lines;
    if (first === undefined) return;
    const join = first.isMonospaced ? codeText : joinLines;
    const text = join(lines, 'text');
    const words = wordsOf(lines);
    const level = this.headingLevel(lines, text);
    if (level !== undefined) {
      this.close(page);
      // Without addresses, because headings are repeated in the headers of chunks.
      this.builder.heading(level, text, { words });
      return;
    }
    const hasLinks = lines.some((line) => line.linkedText !== line.text);
    const linkedText = hasLinks ? join(lines, 'linkedText') : text;
    const kind = kindOf(first, text);
    const { open } = this;
    const end = { lastPage: page, first, last: lines.at(-1) ?? first, isFull: endsFull(lines) };
    if (this.isInterruption(first) && (kind === 'paragraph' || kind === 'caption')) {
      this.interruptions.push({ page, kind, text: linkedText, words });
    } else if (kind !== 'paragraph') {
      this.close(page);
      this.builder.block(kind, linkedText, { words });
    } else if (open !== null && isContinued(open, page, lines)) {
      this.open = {
        text: continueText(open.text, text),
        linkedText: continueText(open.linkedText, linkedText),
        page: open.page,
        ...end,
        words: [...open.words, ...words],
      };
    } else {
      this.close(page);
      this.open = { text, linkedText, page, ...end, words };
    }
  }

  /** Whether smaller text, such as a note, follows an unfinished paragraph of the body. */
  private isInterruption({ fontSize }: Line): boolean {
    if (this.open === null || !UNFINISHED.test(this.open.text)) return false;
    const { bodySize } = this;
    return this.open.first.fontSize < bodySize / INTERRUPTION_SIZE && fontSize < bodySize * INTERRUPTION_SIZE;
  }

  /** Ends the open paragraph and sets the page of the next block. */
  private close(page: number): void {
    this.finish();
    this.builder.beginPage(page);
  }

  private headingLevel(lines: readonly Line[], text: string): number | undefined {
    const [first] = lines;
    if (first === undefined || lines.length > MAX_HEADING_LINES || text.length > MAX_HEADING_CHARACTERS)
      return undefined;
    if (first.isEntry || !/\p{L}/u.test(text)) return undefined;
    const { fontSize, font } = this.statistics.body;
    const isLarger = first.fontSize >= fontSize * HEADING_STEPS[2];
    const isOtherFont = first.font !== font && first.fontSize >= fontSize * 0.97;
    if (!isLarger && !isOtherFont) return undefined;
    const size = Math.round(first.fontSize);
    const outlined = isLarger || !first.isMonospaced ? this.outlineLevel(first, text) : undefined;
    if (outlined !== undefined) {
      this.levelBySize.set(size, outlined);
      this.outlinedLevel = outlined;
      return outlined;
    }
    if (isLarger && !first.isMonospaced) {
      return (
        this.levelBySize.get(size) ?? HEADING_STEPS.findIndex((step) => first.fontSize >= fontSize * step) + 1
      );
    }
    // Same size in another font: a heading only if it is numbered or bold.
    if (lines.length > 1 || !couldBeHeading(first)) return undefined;
    const numbering = /^(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+\p{Lu}/u.exec(text)?.[1];
    if (numbering !== undefined) return numbering.split('.').length;
    if (!this.fonts.isBold(first.font) || this.fonts.isBold(font)) return undefined;
    return Math.max(BOLD_LEVEL, this.outlinedLevel + 1);
  }

  /**
   * Also finds entries of reference manuals: a name, which is in the outline, with a description beside it.
   */
  private outlineLevel({ cells: [name, meaning] }: Line, text: string): number | undefined {
    const level = this.outline.levelOf(text);
    if (level !== undefined || name === undefined || meaning === undefined) return level;
    return this.outline.levelOf(name.text);
  }

  private belongTogether(above: Line, below: Line, group: readonly Line[]): boolean {
    const size = Math.max(above.fontSize, below.fontSize);
    const [first] = group;
    if (first?.isMonospaced === true && !below.isMonospaced) return false;
    // Code is indented. Without indentation it is, for example, a file name in the last line of a paragraph.
    if (first?.isMonospaced === false && below.isMonospaced && below.left > first.left + size) return false;
    if (Math.abs(above.fontSize - below.fontSize) > size * 0.1) return false;
    const step = above.y - below.y;
    // A step upwards leads to the next column or to something beside the text.
    if (step < -size * 0.5 || step > size * PARAGRAPH_STEP) return false;
    if (first?.isMonospaced === true || (above.isEntry && below.isEntry)) return true;
    // The line above is a heading in another font of the same size.
    if (above.font !== below.font && group.length === 1 && this.headingLevel(group, above.text) !== undefined)
      return false;
    const indent = (below.left - above.left) / size;
    const isIndented = indent > INDENT.min && indent < INDENT.max && /[.:!?”"')\]]$/.test(above.text);
    return !isIndented && BULLET.test(below.text) === false;
  }
}

function wordsOf(lines: readonly Line[]): ReadWord[] {
  return lines.flatMap(({ recognized }) => recognized ?? []);
}

function kindOf(first: Line, text: string): Exclude<BlockKind, 'heading' | 'table'> {
  if (first.isMonospaced) return 'code';
  if (BULLET.test(text)) return 'list';
  if (first.isEntry) return 'list';
  return CAPTION.test(text) ? 'caption' : 'paragraph';
}

/** Whether a paragraph goes on with lines at the top of the next column or page. */
function isContinued(open: OpenParagraph, page: number, lines: readonly Line[]): boolean {
  const [first, second] = lines;
  if (first === undefined || !UNFINISHED.test(open.text)) return false;
  if (page !== open.lastPage + 1 && (page !== open.lastPage || first.y <= open.last.y)) return false;
  if (Math.abs(open.first.fontSize - first.fontSize) > first.fontSize * 0.05) return false;
  if (/^[\p{Ll}(]/u.test(first.text)) return open.isFull || !/\p{N}$/u.test(open.text);
  const isIndented = second !== undefined && first.left > second.left + first.fontSize * INDENT.min;
  return (
    open.isFull &&
    open.first.font === first.font &&
    !isIndented &&
    /\p{L}$/u.test(open.text) &&
    /^\p{L}/u.test(first.text) &&
    Math.min(open.last.text.length, first.text.length) >= MIN_CONTINUED_CHARACTERS
  );
}

function endsFull(lines: readonly Line[]): boolean {
  const widths = lines.map(({ left, right }) => right - left);
  return lines.length > 1 && (widths.at(-1) ?? 0) > Math.max(...widths) * FULL_LINE;
}

/** Joins lines of code with the indentation that they have on the page. */
function codeText(lines: readonly Line[], form: TextForm): string {
  const left = Math.min(...lines.map((line) => line.left));
  return lines
    .map((line) => {
      const pitch = (line.right - line.left) / Math.max(1, line.text.length);
      const indent = Math.min(80, Math.round((line.left - left) / pitch) || 0);
      return ' '.repeat(Math.max(0, indent)) + line[form];
    })
    .join('\n');
}

/** Whether the first row has column names: no cell of it is empty or a number. */
function hasHeader(rows: readonly (readonly string[])[]): boolean {
  const [header = [], ...others] = rows;
  const isNumber = (text: string): boolean => /^[\d\s.,%€$£()+-]+$/.test(text) && /\d/.test(text);
  if (header.some((text) => text === '' || isNumber(text))) return false;
  return others.length > 0;
}

/** Whether a line is short, begins like a title and does not end like a sentence. */
function couldBeHeading({ text, cells, isMonospaced, isEntry }: Line): boolean {
  // Many books have a wide gap between the number and the title.
  const isNumbered = cells.length === 2 && /^[\dA-Z]{1,3}(?:\.\d{1,2})*\.?$/.test(cells[0]?.text ?? '');
  if ((cells.length > 1 && !isNumbered) || isMonospaced || isEntry) return false;
  if (text.length > MAX_BODY_SIZE_HEADING_CHARACTERS) return false;
  return /^[\p{Lu}\p{Lo}\d]/u.test(text) && /\p{L}{2}/u.test(text) && !/[.,;:!?…]$/.test(text);
}

/** Determines the font and font size of most characters of a file so far. */
class TextStatistics {
  private readonly sizes = new Map<number, number>();
  private readonly fonts = new Map<string, number>();
  private most = { fontSize: 0, font: '' };

  add(line: Line): void {
    const size = roundedSize(line.fontSize);
    const characters = line.text.length;
    const ofSize = (this.sizes.get(size) ?? 0) + characters;
    const ofFont = (this.fonts.get(line.font) ?? 0) + characters;
    this.sizes.set(size, ofSize);
    this.fonts.set(line.font, ofFont);
    if (ofSize >= (this.sizes.get(this.most.fontSize) ?? 0)) this.most.fontSize = size;
    if (ofFont >= (this.fonts.get(this.most.font) ?? 0)) this.most.font = line.font;
  }

  get body(): { readonly fontSize: number; readonly font: string } {
    return this.most;
  }
}

/** Rounds to a quarter of a point, because scaled pages have sizes such as 9.9626. */
function roundedSize(fontSize: number): number {
  return Math.round(fontSize * 4) / 4;
}

/** Whether a row has a figure where most rows of the table have one, below column names without digits. */
function isDataRow(row: readonly string[], { names, table: { rows } }: CutTable): boolean {
  const hasFigure = (text = ''): boolean => /\d/.test(text);
  if (names.some(hasFigure)) return false;
  return names.some((_, column) => {
    const figures = rows.filter((other) => hasFigure(other[column]));
    return hasFigure(row[column]) && figures.length * 2 >= rows.length;
  });
}

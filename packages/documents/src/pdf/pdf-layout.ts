import type { BlockKind } from '../document/document.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import { type BoldFonts, couldBeHeading } from './bold-fonts.js';
import { continueText, joinLines } from './line-joining.js';
import type { Line, TextForm } from './pdf-lines.js';
import type { PdfOutline } from './pdf-outline.js';
import { tableAt } from './pdf-tables.js';
import { TextStatistics } from './text-statistics.js';

/** A heading's font is larger than the body's by at least this factor; the level is the number of steps left above it. */
const HEADING_STEPS = [1.6, 1.3, 1.12] as const;
const MAX_HEADING_CHARACTERS = 160;
const MAX_HEADING_LINES = 3;
/** Distance of baselines, as a share of the font's size, from which on two lines are two paragraphs. */
const PARAGRAPH_STEP = 1.65;
/** How far to the right of the line above a paragraph's first line begins, as shares of the font's size. */
const INDENT = { min: 0.8, max: 4 };

/** Of headings that are as large as the text. */
const BOLD_LEVEL = 3;

const BULLET = /^(?:[•◦▪‣●○■□]|[–-](?=\s))/;
const CAPTION =
  /^(?:Fig(?:ure|\.)|Table|Listing|Abb(?:ildung|\.)|Tab(?:elle|\.))\s*(?:\d+|[A-Z])(?:[.-]\d+)*\s*[:.–—]\s/u;

/** A paragraph at the end of a page, which the next page may continue. */
interface OpenParagraph {
  readonly text: string;
  readonly linkedText: string;
  readonly page: number;
  readonly fontSize: number;
}

/**
 * Puts lines together to blocks, page by page. What is usual in the file is what was usual so far and on the pages that
 * wait, so no page is read twice.
 */
export class PdfLayout {
  private readonly statistics = new TextStatistics();
  /** Levels that the outline gave to headings of a size. */
  private readonly levelBySize = new Map<number, number>();
  /** Of the last heading that is in the outline. */
  private outlinedLevel = 0;
  private open: OpenParagraph | null = null;

  constructor(
    private readonly builder: DocumentBuilder,
    private readonly outline: PdfOutline,
    private readonly fonts: BoldFonts,
  ) {}

  /** Lines of a page that will be added: what is usual in the file shows before the pages that are not. */
  foresee(lines: readonly Line[]): void {
    for (const line of lines) this.statistics.add(line);
  }

  /** Size in which most of the text so far is set, in points; 0 before there is any. */
  get bodySize(): number {
    return this.statistics.body.fontSize;
  }

  addPage(page: number, lines: readonly Line[]): void {
    let group: Line[] = [];
    const flush = (): void => {
      if (group.length > 0) this.addGroup(group, page);
      group = [];
    };
    for (let index = 0; index < lines.length;) {
      const line = lines[index];
      if (line === undefined) break;
      const table = tableAt(lines, index);
      if (table !== null) {
        flush();
        this.close(page);
        this.builder.table(table.linkedRows, { headerRow: hasHeader(table.rows) });
        index = table.end;
        continue;
      }
      const above = group.at(-1);
      if (above !== undefined && !this.belongTogether(above, line, group)) flush();
      group.push(line);
      index += 1;
    }
    flush();
  }

  /** To be called after the page's lines. */
  addComments(page: number, comments: readonly string[]): void {
    if (comments.length === 0) return;
    this.close(page);
    for (const comment of comments) this.builder.block('paragraph', comment);
  }

  /** To be called after the last page. */
  finish(): void {
    const { open } = this;
    this.open = null;
    if (open !== null) this.builder.beginPage(open.page).block('paragraph', open.linkedText);
  }

  private addGroup(lines: readonly Line[], page: number): void {
    const [first] = lines;
    if (first === undefined) return;
    const join = first.isMonospaced ? codeText : joinLines;
    const text = join(lines, 'text');
    const level = this.headingLevel(lines, text);
    if (level !== undefined) {
      this.close(page);
      // Headings are named in the headers of chunks, where addresses would say nothing.
      this.builder.heading(level, text);
      return;
    }
    const hasLinks = lines.some((line) => line.linkedText !== line.text);
    const linkedText = hasLinks ? join(lines, 'linkedText') : text;
    const kind = kindOf(first, text);
    if (kind !== 'paragraph') {
      this.close(page);
      this.builder.block(kind, linkedText);
      return;
    }
    const { open } = this;
    const continues =
      open !== null &&
      open.page === page - 1 &&
      Math.abs(open.fontSize - first.fontSize) < first.fontSize * 0.05 &&
      /[\p{L}\p{N},;-]$/u.test(open.text) &&
      /^[\p{Ll}(]/u.test(text);
    if (open !== null && continues) {
      this.open = {
        ...open,
        text: continueText(open.text, text),
        linkedText: continueText(open.linkedText, linkedText),
      };
    } else {
      this.close(page);
      this.open = { text, linkedText, page, fontSize: first.fontSize };
    }
  }

  /** Ends the open paragraph; what follows is on this page. */
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
    const isOther = first.font !== font && first.fontSize >= fontSize * 0.97;
    if (!isLarger && !isOther) return undefined;
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
    // Set apart by its font alone: a heading if it is numbered like one, or bold.
    if (lines.length > 1 || !couldBeHeading(first)) return undefined;
    const numbering = /^(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+\p{Lu}/u.exec(text)?.[1];
    if (numbering !== undefined) return numbering.split('.').length;
    if (!this.fonts.isBold(first.font) || this.fonts.isBold(font)) return undefined;
    return Math.max(BOLD_LEVEL, this.outlinedLevel + 1);
  }

  /** Entries of reference books are a name, which is in the outline, and beside it what it means. */
  private outlineLevel({ cells: [name, meaning] }: Line, text: string): number | undefined {
    const level = this.outline.levelOf(text);
    if (level !== undefined || name === undefined || meaning === undefined) return level;
    return this.outline.levelOf(name.text);
  }

  private belongTogether(above: Line, below: Line, group: readonly Line[]): boolean {
    const size = Math.max(above.fontSize, below.fontSize);
    const [first] = group;
    if (first?.isMonospaced === true && !below.isMonospaced) return false;
    // A program is indented; a name of a file that fills the last line of a paragraph is not.
    if (first?.isMonospaced === false && below.isMonospaced && below.left > first.left + size) return false;
    if (Math.abs(above.fontSize - below.fontSize) > size * 0.1) return false;
    const step = above.y - below.y;
    // Upwards is the next column, or something beside the text.
    if (step < -size * 0.5 || step > size * PARAGRAPH_STEP) return false;
    if (first?.isMonospaced === true || (above.isEntry && below.isEntry)) return true;
    // A heading in another font of the same size.
    if (above.font !== below.font && group.length === 1 && this.headingLevel(group, above.text) !== undefined)
      return false;
    const indent = (below.left - above.left) / size;
    const isIndented = indent > INDENT.min && indent < INDENT.max && /[.:!?”"')\]]$/.test(above.text);
    return !isIndented && BULLET.test(below.text) === false;
  }
}

function kindOf(first: Line, text: string): Exclude<BlockKind, 'heading' | 'table'> {
  if (first.isMonospaced) return 'code';
  if (BULLET.test(text)) return 'list';
  if (first.isEntry) return 'list';
  return CAPTION.test(text) ? 'caption' : 'paragraph';
}

/** Lines as they are, indented as they stand on the page. */
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

/** Columns have names when the first row is full and has no number where the others have. */
function hasHeader(rows: readonly (readonly string[])[]): boolean {
  const [header = [], ...others] = rows;
  const isNumber = (text: string): boolean => /^[\d\s.,%€$£()+-]+$/.test(text) && /\d/.test(text);
  if (header.some((text) => text === '' || isNumber(text))) return false;
  return others.length > 0;
}

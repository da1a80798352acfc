import { type Range, sentencesOf, widthOf } from '../analysis/sentence-window.js';

/** The smallest parts of a passage that can be quoted, with what they are about. */
export interface Unit extends Range {
  /**
   * - `label`: names what follows and says nothing itself: a heading, a signature, a question
   * - `item`, `step`: of a list without and with numbers, with its continuation lines
   * - `row`: of a table
   */
  readonly kind: 'sentence' | 'item' | 'step' | 'row' | 'label';
  /** Number of the paragraph, list or table. */
  readonly block: number;
  /** The label above, also if other text lies between. */
  readonly label: Range | null;
  /** The sentence above that announces a list, or the first row of a table. Its last line, if it is long. */
  readonly intro: Range | null;
}

/** Longest line that can be a label; see `widthOf`. */
const MAX_LABEL = 120;
const MAX_LABEL_LINES = 6;
const BLANK_LINES = /\n(?:[^\S\n]*\n)+/g;
const ITEM = /^\s*(?:[-–•*·●▪◦‣]|(\d{1,3}[.)．、]|[a-z]\)))\s+\S/u;
const ROW = /\S \| |\| \S/;
/** An end of a line at which no sentence ends. */
const OPEN_END = /[^.!?:;,。！？：；，、…\s]$/u;
const QUESTION_END = /[?？؟]["”»)]?$/u;
const COLON_END = /[:：]$/u;
/** A call such as `x = read (file, …)`: up to its bracket, and from its last one on. */
const CALL = /^[^!?。！？]{0,60}?[\p{L}\p{N}_\])>*&] ?\(/u;
const CALL_END = /\)[^.!?)]{0,40}$/u;
/** An option such as `-f, --file=ARCHIVE`. */
// At most MAX_LABEL characters: the time is quadratic in the length of a line.
const OPTION = /^--?\p{L}\S*(?:[ ,=].{0,60})?$/u;

/** Whether a text is a signature, which means little without its description, and the description little without it. */
export function isSignature(text: string): boolean {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  return lines.every((line) => line.length <= MAX_LABEL && (isCall(line) || OPTION.test(line)));
}

function isCall(line: string): boolean {
  const [start] = CALL.exec(line) ?? [];
  return start !== undefined && CALL_END.test(line.slice(start.length));
}

/** Whether a line is a row of a table. */
export function isRow(line: string): boolean {
  return ROW.test(line);
}

/** Whether a text asks. */
export function asks(text: string): boolean {
  return QUESTION_END.test(text.trim());
}

/** Whether a text announces what follows it. */
export function announces(text: string): boolean {
  return COLON_END.test(text);
}

/**
 * Divides a passage into units, in order. White space is in none of them.
 *
 * @param beginsInTable whether the text begins with a table whose first row is not part of it
 */
export function unitsOf(text: string, { beginsInTable = false } = {}): Unit[] {
  return new UnitReader(text, beginsInTable).read();
}

class UnitReader {
  private readonly units: Unit[] = [];
  private label: Range | null = null;
  private block = -1;

  constructor(
    private readonly text: string,
    private readonly beginsInTable: boolean,
  ) {}

  read(): Unit[] {
    const blocks = blocksOf(this.text);
    let intro: Range | null = null;
    for (const [index, range] of blocks.entries()) {
      this.block = index;
      const block = this.text.slice(range.start, range.end);
      const lines = linesOf(this.text, range);
      if (lines.every((line) => ROW.test(this.slice(line)))) this.addRows(lines);
      else if (ITEM.test(block)) this.addItems(lines, intro);
      else if (index < blocks.length - 1 && intro === null && isLabel(block, lines)) this.addLabel(range);
      else this.addProse(range, lines, intro);
      const last = this.units.at(-1);
      intro = last !== undefined && COLON_END.test(this.slice(last)) ? last : null;
    }
    return this.units;
  }

  private addRows(rows: readonly Range[]): void {
    const [head = null] = this.beginsInTable && this.block === 0 ? [] : rows;
    for (const row of rows) this.add(row, 'row', row === head ? null : head);
  }

  private addItems(lines: readonly Range[], intro: Range | null): void {
    let item: Range | null = null;
    let kind: Unit['kind'] = 'item';
    const close = (): void => {
      if (item !== null) this.add(item, kind, intro);
    };
    for (const line of lines) {
      const marker = ITEM.exec(this.slice({ start: line.start, end: line.end }));
      if (marker === null && item !== null) {
        item = { start: item.start, end: line.end };
        continue;
      }
      close();
      kind = marker?.[1] === undefined ? 'item' : 'step';
      item = line;
    }
    close();
  }

  /** Adjacent labels are one, as the signatures of a function are. */
  private addLabel(whole: Range): void {
    const range = this.trimmed(whole);
    const last = this.units.at(-1);
    const isAdjacent = last?.kind === 'label' && last.block === this.block - 1;
    const isOne = isAdjacent && isSignature(this.slice(last)) && isSignature(this.slice(range));
    this.label = isOne && this.label ? { start: this.label.start, end: range.end } : range;
    this.units.push({ ...range, kind: 'label', block: this.block, label: null, intro: null });
  }

  private addProse(range: Range, lines: readonly Range[], intro: Range | null): void {
    const rest = this.hangingLabel(lines);
    if (rest !== null) this.addLabel({ start: range.start, end: rest.start });
    for (const sentence of sentencesOf(this.text.slice(rest?.start ?? range.start, range.end))) {
      const start = (rest?.start ?? range.start) + sentence.start;
      const own = { start, end: start + sentence.end - sentence.start };
      const isQuestion = asks(this.slice(own)) && own.end < range.end;
      if (isQuestion) {
        this.label = own;
        this.units.push({ ...own, kind: 'label', block: this.block, label: null, intro: null });
      } else this.add(own, 'sentence', intro);
    }
  }

  /** The text below the first lines of a paragraph, if they are a term or a signature above an indented description. */
  private hangingLabel(lines: readonly Range[]): Range | null {
    const indents = lines.map(
      ({ start, end }) => /^[^\S\n]*/.exec(this.text.slice(start, end))?.[0].length ?? 0,
    );
    const at = indents.findIndex((indent, n) => n > 0 && indent > (indents[0] ?? 0) + 1);
    if (at < 1 || at > 3) return null;
    const above = lines.slice(0, at).map((line) => this.slice(line));
    if (!indents.slice(at).every((indent) => indent > (indents[0] ?? 0) + 1)) return null;
    if (!above.every((line) => OPEN_END.test(line) && widthOf(line) <= MAX_LABEL)) return null;
    const start = lines[at]?.start ?? 0;
    return { start, end: lines.at(-1)?.end ?? start };
  }

  private add(range: Range, kind: Unit['kind'], intro: Range | null): void {
    const trimmed = this.trimmed(range);
    if (trimmed.start < trimmed.end)
      this.units.push({ ...trimmed, kind, block: this.block, label: this.label, intro });
  }

  private slice({ start, end }: Range): string {
    return this.text.slice(start, end).trim();
  }

  private trimmed({ start, end }: Range): Range {
    const slice = this.text.slice(start, end);
    const lead = slice.length - slice.trimStart().length;
    return { start: start + lead, end: Math.max(start + lead, start + slice.trimEnd().length) };
  }
}

/** Parts of a text between blank lines. */
function blocksOf(text: string): Range[] {
  const blocks: Range[] = [];
  let start = 0;
  for (const { 0: gap, index } of text.matchAll(BLANK_LINES)) {
    if (index > start) blocks.push({ start, end: index });
    start = index + gap.length;
  }
  if (text.slice(start).trim() !== '') blocks.push({ start, end: text.length });
  return blocks;
}

/** The lines of a range that are not blank. */
function linesOf(text: string, { start, end }: Range): Range[] {
  const lines: Range[] = [];
  let from = start;
  for (const line of text.slice(start, end).split('\n')) {
    if (line.trim() !== '') lines.push({ start: from, end: from + line.length });
    from += line.length + 1;
  }
  return lines;
}

function isLabel(block: string, lines: readonly Range[]): boolean {
  const text = block.trim();
  if (/^#{1,6}\s/.test(text) && lines.length === 1) return true;
  if (lines.length === 1 && widthOf(text) <= MAX_LABEL) return OPEN_END.test(text) || asks(text);
  return lines.length <= MAX_LABEL_LINES && isSignature(text);
}

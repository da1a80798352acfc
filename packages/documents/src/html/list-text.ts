import { formatNumber } from '../office/number-text.js';
import type { HtmlElement } from './html-tree.js';

const LIST_INDENT = '  ';

/** Deeper lists are not indented further: lines would be mostly white space. */
const MAX_LIST_INDENTS = 8;

/** Kinds of markers, by the `type` attribute and by `list-style-type`, as the names of number systems in Word. */
const MARKERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '1': 'decimal',
    a: 'lowerLetter',
    A: 'upperLetter',
    i: 'lowerRoman',
    I: 'upperRoman',
    decimal: 'decimal',
    'decimal-leading-zero': 'decimalZero',
    'lower-alpha': 'lowerLetter',
    'lower-latin': 'lowerLetter',
    'upper-alpha': 'upperLetter',
    'upper-latin': 'upperLetter',
    'lower-roman': 'lowerRoman',
    'upper-roman': 'upperRoman',
    'cjk-ideographic': 'chineseCounting',
    'simp-chinese-informal': 'chineseCounting',
    'trad-chinese-informal': 'chineseCounting',
    'cjk-decimal': 'ideographDigital',
    circle: 'bullet',
    disc: 'bullet',
    none: 'bullet',
    square: 'bullet',
  }),
);

interface OpenList {
  readonly markers: string;
  readonly step: 1 | -1;
  number: number;
}

/** Formats lists, including nested ones, as lines with markers: the text of one block. */
export class ListText {
  private readonly open: OpenList[] = [];
  private lines: string[] = [];
  private anchor: string | undefined;
  /** Marker of an item whose first line has not been added yet. */
  private marker: string | undefined;

  /** Number of open lists, each inside of the one before. */
  get depth(): number {
    return this.open.length;
  }

  get isOpen(): boolean {
    return this.open.length > 0;
  }

  enter(list: HtmlElement, anchor: string | undefined): void {
    const isReversed = list.attribute('reversed') !== undefined;
    const start = Number.parseInt(list.attribute('start') ?? '', 10);
    this.open.push({
      markers: markersOf(list) ?? (list.name === 'ol' ? 'decimal' : 'bullet'),
      step: isReversed ? -1 : 1,
      number: Number.isFinite(start) ? start : isReversed ? itemsIn(list) : 1,
    });
    if (this.lines.length === 0) this.anchor = anchor;
  }

  leave(): void {
    this.open.pop();
    this.marker = undefined;
  }

  beginItem(item: HtmlElement, anchor: string | undefined): void {
    const list = this.open.at(-1);
    if (list === undefined) return;
    const value = Number.parseInt(item.attribute('value') ?? '', 10);
    if (Number.isFinite(value)) list.number = value;
    const markers = markersOf(item) ?? list.markers;
    this.marker = markers === 'bullet' ? '- ' : `${formatNumber(list.number, markers)}. `;
    list.number += list.step;
    if (this.lines.length === 0) this.anchor = anchor;
  }

  endItem(): void {
    this.marker = undefined;
  }

  /** Adds text to the current item. The first line of an item has its marker; further lines are indented. */
  addText(text: string, anchor: string | undefined): void {
    if (this.lines.length === 0) this.anchor = anchor;
    const indent = this.indent(this.open.length - 1);
    for (const line of text.split(/\n+/)) {
      this.lines.push(`${indent}${this.marker ?? LIST_INDENT}${line}`);
      this.marker = undefined;
    }
  }

  /** Adds lines that already have markers. */
  addLines(lines: readonly string[], anchor: string | undefined): void {
    if (this.lines.length === 0) this.anchor = anchor;
    const indent = this.indent(this.open.length);
    for (const line of lines) this.lines.push(`${indent}${line}`);
    this.marker = undefined;
  }

  /** Returns and clears the lines so far. Open lists stay open. */
  take(): { readonly text: string; readonly anchor: string | undefined } | null {
    if (this.lines.length === 0) return null;
    const block = { text: this.lines.join('\n'), anchor: this.anchor };
    this.lines = [];
    return block;
  }

  private indent(levels: number): string {
    return LIST_INDENT.repeat(Math.max(0, Math.min(levels, MAX_LIST_INDENTS)));
  }
}

/** The kind of markers that an element sets; the style has priority. */
function markersOf({ attributes }: HtmlElement): string | undefined {
  const style = /(?:^|[\s;])list-style(?:-type)?\s*:([^;]{1,80})/i.exec(attributes.get('style') ?? '')?.[1];
  const names = style?.toLowerCase().split(/[\s!]+/) ?? [];
  return [...names, attributes.get('type') ?? ''].map((name) => MARKERS.get(name)).find(Boolean);
}

function itemsIn(list: HtmlElement): number {
  return list.children.filter((child) => typeof child !== 'string' && child.name === 'li').length;
}

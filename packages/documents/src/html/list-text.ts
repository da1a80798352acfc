import type { HtmlElement } from './html-tree.js';

const INDENT = '  ';
/** Deeper lists are not indented further: lines would be mostly white space. */
const MAX_INDENTS = 8;

interface OpenList {
  readonly isOrdered: boolean;
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
    const isOrdered = list.name === 'ol';
    const start = Number.parseInt(list.attribute('start') ?? '', 10);
    this.open.push({ isOrdered, number: Number.isFinite(start) ? start : 1 });
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
    this.marker = list.isOrdered ? `${list.number}. ` : '- ';
    list.number += 1;
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
      this.lines.push(`${indent}${this.marker ?? INDENT}${line}`);
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
    return INDENT.repeat(Math.max(0, Math.min(levels, MAX_INDENTS)));
  }
}

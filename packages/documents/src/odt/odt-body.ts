import type { LeftOutReason } from '@citewell/contracts/schemas';
import type { DocumentBuilder } from '../document/document-builder.js';
import { childElements, descendants, textContent, type XmlElement } from '../xml/xml-tree.js';
import type { OdfObjects } from './odf-objects.js';
import { type OdtStyles, OUTLINE } from './odt-styles.js';
import { isObject, paragraphText } from './odt-text.js';
import { addGrid } from '../office/merged-cells.js';
import { cellsOf, rowsOf } from './odf-table.js';

const MAX_OUTLINE_LEVEL = 10;

/** Elements with paragraphs that are not read: deleted text, and lists of headings, words, pictures and tables. */
export const UNREAD_ELEMENTS: ReadonlySet<string> = new Set([
  'alphabetical-index',
  'illustration-index',
  'object-index',
  'table-index',
  'table-of-content',
  'tracked-changes',
]);

/** Converts block-level elements of OpenDocument text (ODF 1.3, 5) into blocks. */
export class OdtBody {
  /** Consecutive paragraphs that form one block. */
  private openBlock: { kind: 'list' | 'code'; lines: string[] } | undefined;
  /** Comments to add after the current block. */
  private comments: string[] = [];
  /** Pictures and objects in table cells, to add after the table. */
  private afterTable: XmlElement[] = [];
  private readonly notes: string[] = [];
  /** The last number of each list style and level, for lists that continue. */
  private readonly lastNumbers = new Map<string, number>();

  constructor(
    readonly builder: DocumentBuilder,
    readonly styles: OdtStyles,
    readonly objects: OdfObjects,
  ) {}

  add(element: XmlElement): void {
    const { name } = element;
    if (name === 'p') this.addParagraph(element);
    else if (name === 'h') this.addHeading(element, '');
    else if (name === 'list') this.addList(element, '', 1);
    else if (name === 'table') this.addTable(element);
    else if (UNREAD_ELEMENTS.has(name))
      this.leaveOut(element, name === 'tracked-changes' ? 'deleted' : 'navigation');
    else if (isObject(element)) this.addObject(element);
    else if (element.attributes['display'] === 'none') this.leaveOut(element, 'hidden');
    else this.addChildren(element);
  }

  /** Adds what is still open, and the notes. */
  finish(): void {
    this.endBlock();
    for (const note of this.notes) this.builder.block('paragraph', note);
  }

  /** Counts the text of an element that is not read. */
  private leaveOut(element: XmlElement, reason: LeftOutReason): void {
    for (const paragraph of [...descendants(element, 'p'), ...descendants(element, 'h')])
      this.builder.leaveOut(reason, textContent(paragraph));
  }

  private addObject(element: XmlElement): void {
    this.endBlock();
    this.objects.add(element, this.builder);
  }

  private addChildren(element: XmlElement): void {
    for (const child of childElements(element)) this.add(child);
  }

  private endBlock(): void {
    if (this.openBlock !== undefined)
      this.builder.block(this.openBlock.kind, this.openBlock.lines.join('\n'));
    this.openBlock = undefined;
    for (const comment of this.comments) this.builder.block('paragraph', comment);
    this.comments = [];
  }

  private addParagraph(paragraph: XmlElement): void {
    this.read(paragraph, (line) => {
      const role = this.styles.roleOf(paragraph.attributes['style-name']);
      if (role === 'code') return this.addLine('code', line);
      this.endBlock();
      if (role === 'title') this.builder.setTitle(line).heading(1, line);
      else this.builder.block(role, line);
    });
  }

  private addHeading(heading: XmlElement, label: string): void {
    const level = Math.min(MAX_OUTLINE_LEVEL, Math.trunc(Number(heading.attributes['outline-level'])) || 1);
    const number = label === '' ? this.headingLabel(heading, level) : label;
    this.read(heading, (text) => {
      this.endBlock();
      this.builder.heading(level, `${number === '- ' ? '' : number}${text}`);
    });
  }

  /** The number of a heading that is not in a list (ODF 1.3, 5.1.2). */
  private headingLabel({ attributes }: XmlElement, level: number): string {
    const isNumbered =
      attributes['is-list-header'] !== 'true' && this.styles.isNumbered(attributes['style-name']);
    if (!isNumbered) return '';
    const last = this.lastNumbers.get(`${OUTLINE} ${level}`) ?? this.styles.startOf(OUTLINE, level) - 1;
    const restarts = attributes['restart-numbering'] === 'true';
    this.lastNumbers.set(`${OUTLINE} ${level}`, restarts ? Number(attributes['start-value']) || 1 : last + 1);
    for (let below = level + 1; below <= MAX_OUTLINE_LEVEL; below += 1)
      this.lastNumbers.delete(`${OUTLINE} ${below}`);
    return this.labelOf(OUTLINE, level);
  }

  /** Reads a paragraph, passes its text on if there is any, then adds its text boxes. */
  private read(paragraph: XmlElement, addText: (text: string) => void): void {
    const { text, boxes, comments } = paragraphText(paragraph, this.notes, this);
    if (text.trim() !== '') addText(text);
    this.comments.push(...comments);
    for (const box of boxes) {
      this.endBlock();
      if (isObject(box)) this.addObject(box);
      else this.addChildren(box);
    }
  }

  private addLine(kind: 'list' | 'code', line: string): void {
    if (this.openBlock?.kind !== kind) {
      this.endBlock();
      this.openBlock = { kind, lines: [] };
    }
    this.openBlock.lines.push(line);
  }

  /** @param level of the list, from 1 */
  private addList(list: XmlElement, outerStyle: string, level: number): void {
    const { 'style-name': style = outerStyle } = list.attributes;
    for (const [item, label] of this.itemsOf(list, style, level)) {
      let prefix = label;
      for (const child of childElements(item)) {
        if (child.name === 'list') this.addList(child, style, level + 1);
        // Numbered headings are lists of one item.
        else if (child.name === 'h') this.addHeading(child, prefix);
        else if (child.name === 'p') {
          this.read(child, (text) => {
            const indent = '  '.repeat(level - 1);
            this.addLine('list', `${indent}${prefix}${text.trim().replaceAll('\n', ' ')}`);
            prefix = '  ';
          });
        } else this.add(child);
      }
    }
  }

  /** The items of a list with their labels (ODF 1.3, 5.3). */
  private *itemsOf(list: XmlElement, style: string, level: number): Generator<[XmlElement, string]> {
    const key = `${style} ${level}`;
    const first = this.styles.startOf(style, level);
    const { 'continue-numbering': continues, 'continue-list': continued } = list.attributes;
    const last = continues === 'true' || continued !== undefined ? this.lastNumbers.get(key) : undefined;
    let number = last ?? first - 1;
    for (const item of childElements(list)) {
      // An item that begins with a list has no number.
      const isWrapper = item.name === 'list-item' && childElements(item)[0]?.name === 'list';
      if (item.name === 'list-header' || isWrapper) yield [item, ''];
      if (item.name !== 'list-item' || isWrapper) continue;
      const start = Number(item.attributes['start-value'] ?? Number.NaN);
      number = Number.isInteger(start) ? start : number + 1;
      this.lastNumbers.set(key, number);
      yield [item, this.labelOf(style, level)];
    }
  }

  private labelOf(style: string, level: number): string {
    return this.styles.labelOf(style, level, (at) => this.lastNumbers.get(`${style} ${at}`) ?? 1);
  }

  private addTable(table: XmlElement): void {
    this.endBlock();
    // A repeated row is read once.
    const rows = rowsOf(table).map((row) => cellsOf(row, (cell) => this.cellText(cell, 0)));
    addGrid(rows, childElements(table, 'table-header-rows').flatMap(rowsOf).length, this.builder);
    this.endBlock();
    for (const object of this.afterTable.splice(0)) this.addObject(object);
  }

  /** All text of a cell, including lists, nested tables and text boxes. */
  private cellText(element: XmlElement, level: number, style = ''): string {
    if (element.name === 'list') {
      const { 'style-name': ownStyle = style } = element.attributes;
      return [...this.itemsOf(element, ownStyle, level + 1)]
        .map(([item, label]) => `${label}${this.cellText(item, level + 1, ownStyle)}`)
        .join('\n');
    }
    if (isObject(element)) this.afterTable.push(element);
    if (element.name !== 'p' && element.name !== 'h')
      return childElements(element)
        .map((child) => this.cellText(child, level, style))
        .filter((text) => text !== '')
        .join('\n');
    const { text, boxes, comments } = paragraphText(element, this.notes, this);
    this.comments.push(...comments);
    return [text.trim(), ...boxes.map((box) => this.cellText(box, level, style))]
      .filter((part) => part !== '')
      .join('\n');
  }
}

import { type EmbeddedParts, isEmbedded } from '../office/embedded-parts.js';
import { ABOVE, addGrid, type GridCell, LEFT } from '../office/merged-cells.js';
import { childElements, descendant, hasFlag, type XmlElement } from '../xml/xml-tree.js';
import {
  blockText,
  type DocxNotes,
  leaveOutPrompt,
  paragraphText,
  type TextContext,
  uncountedText,
} from './docx-text.js';
import type { DocxNumbering, ListItem } from './docx-numbering.js';

/** Elements whose children are read as if they were not wrapped. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'sdt',
  'sdtContent',
  'ins',
  'moveTo',
  'customXml',
  'smartTag',
]);

/** Marks of a paragraph whose end is deleted, moved away or hidden. */
const UNSEEN_ENDS: ReadonlySet<string> = new Set(['del', 'moveFrom', 'vanish']);

/** Larger spans are errors or attacks. */
const MAX_CELL_SPAN = 63;

/** What the blocks of a document depend on. */
export interface BodyContext extends TextContext {
  readonly notes: DocxNotes;
  readonly numbering: DocxNumbering;
  readonly embedded: EmbeddedParts;
}

/** Converts block-level elements of WordprocessingML (ECMA-376 17.2 to 17.4) into blocks. */
export class DocxBody {
  /** Consecutive paragraphs that form one block: list items or lines of code. */
  private openBlock: { kind: 'list' | 'code'; lines: string[] } | undefined;
  /** Comments to add after the current block. */
  private comments: string[] = [];
  /** Charts, diagrams and files in table cells, to add after the table. */
  private afterTable: (() => void)[] = [];
  /** The large first letter of the next paragraph. */
  private dropCap = '';

  constructor(private readonly context: BodyContext) {}

  add(element: XmlElement): void {
    if (element.name === 'p') this.addParagraph(element);
    else if (element.name === 'tbl') this.addTable(element);
    else if (isEmbedded(element)) {
      this.finish();
      this.context.embedded.add(element);
    } else if (WRAPPERS.has(element.name) && !leaveOutPrompt(element, this.context))
      this.addChildren(element);
  }

  /** Adds the open block, comments and graphics. Also call this after the last element. */
  finish(): void {
    const { builder } = this.context;
    if (this.openBlock !== undefined) builder.block(this.openBlock.kind, this.openBlock.lines.join('\n'));
    this.openBlock = undefined;
    builder.block('paragraph', this.dropCap);
    this.dropCap = '';
    for (const comment of this.comments) builder.block('paragraph', comment);
    this.comments = [];
    for (const add of this.afterTable.splice(0)) add();
  }

  private addChildren(element: XmlElement): void {
    for (const child of childElements(element)) this.add(child);
  }

  private addParagraph(paragraph: XmlElement): void {
    const { notes, embedded } = this.context;
    const { text, boxes, comments } = paragraphText(paragraph, this.context);
    const item = this.listItem(paragraph, text);
    if (isDropCap(paragraph)) this.dropCap += text.trim();
    else if (text.trim() !== '') {
      const whole = this.dropCap + text;
      this.dropCap = '';
      this.addText(whole, paragraph, item);
    }
    this.comments.push(...comments.map((id) => notes.comment(id)));
    for (const box of boxes) {
      if (this.dropCap === '') this.finish();
      if (isEmbedded(box)) embedded.add(box);
      else this.addChildren(box);
    }
  }

  /** The place of a paragraph in its list. A paragraph without text has a number, unless its end is not shown. */
  private listItem(paragraph: XmlElement, text: string): ListItem | null {
    const { numbering, styles } = this.context;
    const properties = descendant(paragraph, 'pPr');
    const end = childElements(descendant(properties, 'rPr'));
    const isShown = text.trim() !== '' || !end.some(({ name }) => UNSEEN_ENDS.has(name));
    return isShown ? numbering.next(styles.numberingOf(properties)) : null;
  }

  private addText(text: string, paragraph: XmlElement, item: ListItem | null): void {
    const { builder, styles } = this.context;
    const role = styles.roleOf(descendant(paragraph, 'pPr'));
    const label = item?.label ?? (role.kind === 'list' ? '- ' : '');
    const isHeading = role.kind === 'heading' || role.kind === 'title';
    if (role.kind === 'code') return this.addToOpenBlock('code', text);
    if (!isHeading && label !== '') {
      const indent = '  '.repeat(item?.depth ?? 0);
      return this.addToOpenBlock('list', `${indent}${label}${text.trim().replaceAll('\n', ' ')}`);
    }
    this.finish();
    const anchor = bookmarkOf(paragraph);
    if (role.kind === 'title') builder.setTitle(text).heading(1, text, { anchor });
    else if (role.kind === 'heading')
      builder.heading(role.level, `${label === '- ' ? '' : label}${text}`, { anchor });
    else builder.block(role.kind, text);
  }

  private addToOpenBlock(kind: 'list' | 'code', line: string): void {
    if (this.openBlock?.kind !== kind) {
      this.finish();
      this.openBlock = { kind, lines: [] };
    }
    this.openBlock.lines.push(line);
  }

  private addTable(table: XmlElement): void {
    this.finish();
    const rows = childrenInWrappers(table, 'tr').filter((row) => this.isShown(row));
    const others = rows.findIndex((row) => !hasFlag(row, 'trPr', 'tblHeader'));
    addGrid(
      rows.map((row) => gridRow(row, (cell) => this.cellText(cell))),
      others,
      this.context.builder,
    );
  }

  /** Whether a row is neither marked as deleted nor hidden. The text of other rows is counted. */
  private isShown(row: XmlElement): boolean {
    const properties = descendant(row, 'trPr');
    const isDeleted = descendant(properties, 'del') !== undefined;
    const isHidden = hasFlag(properties, 'hidden');
    if (isDeleted || isHidden)
      this.context.builder.leaveOut(isDeleted ? 'deleted' : 'hidden', uncountedText(row));
    return !isDeleted && !isHidden;
  }

  /** All text of a cell, including nested tables. Objects are added after the table. */
  private cellText(cell: XmlElement): string {
    const { notes, embedded } = this.context;
    return blockText(cell, this.context, {
      labelOf: (paragraph, text) => this.listItem(paragraph, text)?.label ?? '',
      isShown: (row) => this.isShown(row),
      addObject: (object) => this.afterTable.push(() => embedded.add(object)),
      addComments: (ids) => this.comments.push(...ids.map((id) => notes.comment(id))),
    });
  }
}

function isDropCap(paragraph: XmlElement): boolean {
  const { dropCap = 'none' } = descendant(paragraph, 'pPr', 'framePr')?.attributes ?? {};
  return dropCap !== 'none';
}

/** The bookmark of a paragraph, which links within the document use. `_GoBack` is Word's cursor position. */
function bookmarkOf(paragraph: XmlElement): string | undefined {
  return childElements(paragraph, 'bookmarkStart')
    .map(({ attributes }) => attributes['name'])
    .find((name) => name !== undefined && name !== '_GoBack');
}

/** The cells of a row (ECMA-376 17.4). */
function gridRow(row: XmlElement, textOf: (cell: XmlElement) => string): GridCell[] {
  const before = cellSpanOf(descendant(row, 'trPr', 'gridBefore'), 0);
  const cells = childrenInWrappers(row, 'tc').flatMap((cell): GridCell[] => {
    const span = Math.max(1, cellSpanOf(descendant(cell, 'tcPr', 'gridSpan'), 1));
    const merge = descendant(cell, 'tcPr', 'vMerge');
    // In a vertical merge, only the first cell is shown (17.4.84).
    const continues = merge !== undefined && merge.attributes['val'] !== 'restart';
    if (continues) return Array.from<GridCell>({ length: span }).fill(ABOVE);
    return [textOf(cell), ...Array.from<GridCell>({ length: span - 1 }).fill(LEFT)];
  });
  return [...Array.from({ length: before }, () => ''), ...cells];
}

function cellSpanOf(element: XmlElement | undefined, fallback: number): number {
  const span = Number(element?.attributes['val'] ?? fallback);
  return Number.isInteger(span) ? Math.min(MAX_CELL_SPAN, Math.max(0, span)) : fallback;
}

/** Children with a name, including those inside of content controls and other wrappers. */
function childrenInWrappers(element: XmlElement, name: string): XmlElement[] {
  return childElements(element).flatMap((child) => {
    if (child.name === name) return [child];
    return WRAPPERS.has(child.name) ? childrenInWrappers(child, name) : [];
  });
}

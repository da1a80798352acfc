import type { DocumentBuilder } from '../document/document-builder.js';
import { type EmbeddedGraphics, isGraphic } from '../office/embedded-graphics.js';
import { childElements, descendant, type XmlElement } from '../xml/xml-tree.js';
import type { DocxNotes } from './docx-notes.js';
import type { DocxNumbering } from './docx-numbering.js';
import type { DocxStyles } from './docx-styles.js';
import { tableRows, WRAPPERS } from './docx-table.js';
import { paragraphText } from './docx-text.js';

/** Converts block-level elements of WordprocessingML (ECMA-376 17.2 to 17.4) into blocks. */
export class DocxBody {
  /** Consecutive paragraphs that form one block: list items or lines of code. */
  private openBlock: { kind: 'list' | 'code'; lines: string[] } | undefined;
  /** Comments to add after the current block. */
  private comments: string[] = [];
  /** Charts and diagrams in table cells, to add after the table. */
  private cellGraphics: XmlElement[] = [];

  constructor(
    private readonly builder: DocumentBuilder,
    private readonly styles: DocxStyles,
    private readonly numbering: DocxNumbering,
    private readonly notes: DocxNotes,
    private readonly graphics: EmbeddedGraphics,
  ) {}

  add(element: XmlElement): void {
    if (element.name === 'p') this.addParagraph(element);
    else if (element.name === 'tbl') this.addTable(element);
    else if (WRAPPERS.has(element.name)) for (const child of childElements(element)) this.add(child);
  }

  /** Adds the open block, comments and graphics. Also call this after the last element. */
  finish(): void {
    if (this.openBlock !== undefined)
      this.builder.block(this.openBlock.kind, this.openBlock.lines.join('\n'));
    this.openBlock = undefined;
    for (const comment of this.comments) this.builder.block('paragraph', comment);
    this.comments = [];
    for (const graphic of this.cellGraphics) this.graphics.add(graphic);
    this.cellGraphics = [];
  }

  private addParagraph(paragraph: XmlElement): void {
    const { text, boxes, comments } = paragraphText(paragraph, this.notes);
    if (text.trim() !== '') this.addText(text, paragraph);
    this.comments.push(...comments.map((id) => this.notes.comment(id)));
    for (const box of boxes) {
      this.finish();
      if (isGraphic(box)) this.graphics.add(box);
      else for (const child of childElements(box)) this.add(child);
    }
  }

  private addText(text: string, paragraph: XmlElement): void {
    const properties = descendant(paragraph, 'pPr');
    const role = this.styles.roleOf(properties);
    const item = this.numbering.next(this.styles.numberingOf(properties));
    switch (role.kind) {
      case 'heading': {
        this.finish();
        const number = item === null || item.label === '- ' ? '' : item.label;
        this.builder.heading(role.level, `${number}${text}`, { anchor: bookmarkOf(paragraph) });
        return;
      }
      case 'title':
        this.finish();
        this.builder.setTitle(text).heading(1, text, { anchor: bookmarkOf(paragraph) });
        return;
      case 'code':
        this.addToOpenBlock('code', text);
        return;
      case 'quote':
      case 'caption':
      case 'list':
      case 'paragraph': {
        const label = item?.label ?? (role.kind === 'list' ? '- ' : null);
        if (label !== null) {
          const indent = '  '.repeat(item?.depth ?? 0);
          this.addToOpenBlock('list', `${indent}${label}${text.trim().replaceAll('\n', ' ')}`);
          return;
        }
        this.finish();
        this.builder.block(role.kind === 'list' ? 'paragraph' : role.kind, text);
      }
    }
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
    const rows = tableRows(table, (cell) => this.cellText(cell));
    // A table with a single cell is a frame around text.
    const [only] = rows;
    const isFrame = rows.length === 1 && only?.length === 1;
    if (isFrame) this.builder.block('paragraph', only[0] ?? '');
    else this.builder.table(rows, { headerRow: rows.length > 1 });
  }

  /** All text of a cell, including nested tables. */
  private cellText(cell: XmlElement): string {
    const texts: string[] = [];
    const walk = (element: XmlElement): void => {
      for (const child of childElements(element)) {
        if (child.name === 'p') {
          const { text, boxes, comments } = paragraphText(child, this.notes);
          const item = this.numbering.next(this.styles.numberingOf(descendant(child, 'pPr')));
          if (text.trim() !== '') texts.push(`${item?.label ?? ''}${text.trim()}`);
          this.comments.push(...comments.map((id) => this.notes.comment(id)));
          for (const box of boxes) {
            if (isGraphic(box)) this.cellGraphics.push(box);
            else walk(box);
          }
        } else if (child.name !== 'tcPr' && child.name !== 'Fallback') walk(child);
      }
    };
    walk(cell);
    return texts.join('\n');
  }
}

/** The bookmark of a paragraph, which links within the document use. `_GoBack` is Word's cursor position. */
function bookmarkOf(paragraph: XmlElement): string | undefined {
  return childElements(paragraph, 'bookmarkStart')
    .map(({ attributes }) => attributes['name'])
    .find((name) => name !== undefined && name !== '_GoBack');
}

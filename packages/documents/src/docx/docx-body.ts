import type { DocumentBuilder } from '../document/document-builder.js';
import { childElements, descendant, type XmlElement } from '../xml/xml-tree.js';
import type { DocxNumbering } from './docx-numbering.js';
import type { DocxStyles } from './docx-styles.js';
import { paragraphText } from './docx-text.js';

/** Around block-level elements without a meaning of their own for the reader. */
const WRAPPERS = new Set([
  'sdt',
  'sdtContent',
  'ins',
  'moveTo',
  'customXml',
  'smartTag',
  'AlternateContent',
  'Choice',
]);

/** Turns block-level elements of WordprocessingML (ECMA-376 17.2 to 17.4) into blocks. */
export class DocxBody {
  /** Paragraphs that follow each other and make one block: items of a list, lines of code. */
  private run: { kind: 'list' | 'code'; lines: string[] } | undefined;

  constructor(
    private readonly builder: DocumentBuilder,
    private readonly styles: DocxStyles,
    private readonly numbering: DocxNumbering,
  ) {}

  add(element: XmlElement): void {
    if (element.name === 'p') this.addParagraph(element);
    else if (element.name === 'tbl') this.addTable(element);
    else if (WRAPPERS.has(element.name)) for (const child of childElements(element)) this.add(child);
  }

  /** To be called after the last element. */
  finish(): void {
    if (this.run !== undefined) this.builder.block(this.run.kind, this.run.lines.join('\n'));
    this.run = undefined;
  }

  private addParagraph(paragraph: XmlElement): void {
    const { text, boxes } = paragraphText(paragraph);
    const properties = descendant(paragraph, 'pPr');
    const role = this.styles.roleOf(properties);
    if (role.kind === 'heading') {
      this.finish();
      this.builder.heading(role.level, text);
    } else if (role.kind === 'title') {
      this.finish();
      this.builder.setTitle(text).heading(1, text);
    } else if (text.trim() !== '') {
      const label = this.numbering.next(properties) ?? (role.kind === 'list' ? '- ' : null);
      if (role.kind === 'code') this.addToRun('code', text);
      else if (label !== null) this.addToRun('list', `${label}${text.trim().replaceAll('\n', ' ')}`);
      else {
        this.finish();
        this.builder.block(role.kind === 'list' ? 'paragraph' : role.kind, text);
      }
    }
    for (const box of boxes) {
      this.finish();
      for (const child of childElements(box)) this.add(child);
    }
  }

  private addToRun(kind: 'list' | 'code', line: string): void {
    if (this.run?.kind !== kind) {
      this.finish();
      this.run = { kind, lines: [] };
    }
    this.run.lines.push(line);
  }

  private addTable(table: XmlElement): void {
    this.finish();
    const rows = rowsOf(table);
    // A table of one cell is a frame around text.
    const [only] = rows;
    const isFrame = rows.length === 1 && only?.length === 1;
    if (isFrame) this.builder.block('paragraph', only[0] ?? '');
    else this.builder.table(rows, { headerRow: rows.length > 1 });
  }
}

function rowsOf(table: XmlElement): string[][] {
  return childrenThrough(table, 'tr').map((row) =>
    childrenThrough(row, 'tc').flatMap((cell) => {
      const span = Number(descendant(cell, 'tcPr', 'gridSpan')?.attributes['val'] ?? 1);
      const merge = descendant(cell, 'tcPr', 'vMerge');
      // The lower cells of a vertical merge are hidden by the first (17.4.84).
      const continues = merge !== undefined && merge.attributes['val'] !== 'restart';
      const padding = Array.from({ length: Math.min(63, Math.max(0, span - 1)) || 0 }, () => '');
      return [continues ? '' : cellText(cell), ...padding];
    }),
  );
}

/** All text of a cell, tables inside of it too. */
function cellText(cell: XmlElement): string {
  const texts: string[] = [];
  const walk = (element: XmlElement): void => {
    for (const child of childElements(element)) {
      if (child.name === 'p') {
        const { text, boxes } = paragraphText(child);
        texts.push(text);
        boxes.forEach(walk);
      } else if (child.name !== 'tcPr' && child.name !== 'Fallback') walk(child);
    }
  };
  walk(cell);
  return texts.filter((text) => text.trim() !== '').join('\n');
}

/** Children of a name, also inside of content controls and other wrappers. */
function childrenThrough(element: XmlElement, name: string): XmlElement[] {
  return childElements(element).flatMap((child) => {
    if (child.name === name) return [child];
    return WRAPPERS.has(child.name) ? childrenThrough(child, name) : [];
  });
}

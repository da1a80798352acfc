import type { DocumentBuilder } from '../document/document-builder.js';
import { addMargins } from '../office/margin-text.js';
import { addGrid } from '../office/merged-cells.js';

export interface RtfParagraph {
  readonly text: string;
  /** Level of a heading, from 1. */
  readonly level: number | undefined;
  /** Number or bullet of a list item; `''` for none. */
  readonly label: string;
  /** Depth of a list item, from 0. */
  readonly depth: number;
  readonly isInTable: boolean;
}

const MAX_DEPTH = 9;

/** Converts paragraphs, cells and rows into blocks. */
export class RtfBlocks {
  private items: string[] = [];
  private rows: string[][] = [];
  private row: string[] = [];
  /** Paragraphs of the open cell. */
  private cell: string[] = [];
  private boxes: string[] = [];
  /** Texts of headers and footers. */
  private readonly margins: string[] = [];
  private readonly notes: string[] = [];

  constructor(private readonly builder: DocumentBuilder) {}

  addParagraph({ text, level, label, depth, isInTable }: RtfParagraph): void {
    const isItem = /\S/.test(label);
    const prefix = /[\p{L}\p{N}]/u.test(label) ? `${label.trim()} ` : '- ';
    if (isInTable) {
      this.cell.push(isItem ? `${prefix}${text.trim()}` : text);
      return;
    }
    this.endTable();
    if (text.trim() === '') return;
    if (level !== undefined) {
      this.endList();
      this.builder.heading(level, isItem && prefix !== '- ' ? `${prefix}${text}` : text);
    } else if (isItem) {
      const indent = '  '.repeat(Math.min(MAX_DEPTH, Math.max(0, depth)));
      this.items.push(`${indent}${prefix}${text.trim().replaceAll('\n', ' ')}`);
      return;
    } else {
      this.endList();
      this.builder.block('paragraph', text);
    }
    this.addBoxes();
  }

  endCell(): void {
    this.row.push(this.cell.join('\n'));
    this.cell = [];
  }

  endRow(): void {
    if (this.cell.length > 0) this.endCell();
    if (this.row.length > 0) this.rows.push(this.row);
    this.row = [];
  }

  /** Adds the text of a text box after the next paragraph. */
  addBox(text: string): void {
    this.boxes.push(text);
  }

  /** Adds the text of a header or footer at the end. */
  addMargin(text: string): void {
    this.margins.push(text);
  }

  /** Adds a footnote or endnote after the text. @returns its mark */
  addNote(): { readonly mark: string; readonly setText: (text: string) => void } {
    const index = this.notes.push('') - 1;
    const mark = `[${index + 1}]`;
    return {
      mark,
      setText: (text) => {
        this.notes[index] = `${mark} ${text.trim()}`;
      },
    };
  }

  finish(): void {
    this.endRow();
    this.endTable();
    this.endList();
    this.addBoxes();
    for (const note of this.notes) this.builder.block('paragraph', note);
    addMargins(this.margins, this.builder);
  }

  private endTable(): void {
    if (this.rows.length === 0) return;
    this.endList();
    addGrid(this.rows, 1, this.builder);
    this.rows = [];
  }

  private endList(): void {
    if (this.items.length > 0) this.builder.block('list', this.items.join('\n'));
    this.items = [];
  }

  private addBoxes(): void {
    const { boxes } = this;
    this.boxes = [];
    for (const box of boxes) this.builder.block('paragraph', box);
  }
}

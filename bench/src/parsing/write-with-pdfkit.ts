import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import { seededRandom } from '@citewell/retrieval';
import type { RandomDocument, Section } from './random-document.js';

const FONT = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
const SIZES = ['A4', 'LETTER', 'A5'] as const;
const LINE = 1.35;
const MARGIN = 50;
const GUTTER = 24;

interface Drawn {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

type Pdf = InstanceType<typeof PDFDocument>;

/** Writes a document with pdfkit, in a random order of drawing. */
export async function writeWithPdfkit(
  document: RandomDocument,
  seed: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const random = seededRandom(seed);
  const size = SIZES[Math.floor(random() * SIZES.length)] ?? 'A4';
  const layout = size !== 'A5' && random() < 0.2 ? 'landscape' : 'portrait';
  const pdf = new PDFDocument({ size, layout, margin: 0, autoFirstPage: false });
  pdf.font(FONT);
  const orders: readonly ((drawn: readonly Drawn[]) => readonly Drawn[])[] = [
    (drawn) => drawn,
    (drawn) => drawn.toSorted((one, other) => one.x - other.x),
    (drawn) => shuffle(drawn, random),
  ];
  const inOrder = orders[Math.floor(random() * orders.length)] ?? shuffle;
  const writer = new PageWriter(pdf, document, {
    fontSize: 8 + Math.floor(random() * 4),
    draw: (drawn) => {
      for (const { text, x, y, size: fontSize } of inOrder(drawn, random))
        pdf.fontSize(fontSize).text(text, x, y, { lineBreak: false });
    },
  });
  for (const { sections } of document.pages) {
    writer.beginPage();
    for (const section of sections) writer.add(section);
  }
  writer.endPage();
  pdf.end();
  return Uint8Array.from(await buffer(pdf));
}

/** Places sections on pages. Text from right to left is mirrored, and drawn word by word. */
class PageWriter {
  private drawn: Drawn[] = [];
  private y = 0;
  private page = 0;

  constructor(
    private readonly pdf: Pdf,
    private readonly document: RandomDocument,
    private readonly options: { fontSize: number; draw: (drawn: readonly Drawn[]) => void },
  ) {}

  beginPage(): void {
    this.endPage();
    this.page += 1;
    this.pdf.addPage();
    const { head } = this.document;
    this.y = MARGIN / 2;
    this.line([...head, String(this.page)], MARGIN, 0.8);
    this.y = MARGIN * 1.3;
  }

  endPage(): void {
    if (this.page > 0) this.options.draw(this.drawn);
    this.drawn = [];
  }

  add(section: Section): void {
    const { fontSize } = this.options;
    const width = this.pdf.page.width - MARGIN * 2;
    switch (section.kind) {
      case 'heading':
        this.need(1);
        this.line(section.words, MARGIN, 1.5);
        this.y += fontSize * 0.6;
        break;
      case 'paragraph':
        for (const line of this.wrap(section.words, width)) this.row(() => this.line(line, MARGIN));
        break;
      case 'columns': {
        const column = (width - GUTTER) / 2;
        const columns = section.columns.map((words) => this.wrap(words, column));
        this.need(Math.max(...columns.map((lines) => lines.length)));
        const top = this.y;
        const bottoms = columns.map((lines, index) => {
          this.y = top;
          for (const line of lines) this.row(() => this.line(line, MARGIN + index * (column + GUTTER)));
          return this.y;
        });
        this.y = Math.max(...bottoms);
        break;
      }
      case 'list':
        for (const item of section.items) this.row(() => this.line(['•', ...item], MARGIN));
        break;
      case 'table':
      case 'form': {
        const cells = section.rows[0]?.length ?? 1;
        const scale = this.scaleOf(section.rows.flat(), width / cells - fontSize);
        for (const row of section.rows) {
          this.row(() => {
            const { y } = this;
            for (const [index, cell] of row.entries()) {
              this.y = y;
              this.line(cell.split(' '), MARGIN + (index * width) / cells, scale);
            }
            this.y = y;
          });
        }
        break;
      }
    }
    this.y += fontSize * 1.5;
  }

  /** Begins a page if so many lines have no place on this one. */
  private need(lines: number): void {
    if (this.y + lines * this.options.fontSize * LINE > this.pdf.page.height - MARGIN) this.beginPage();
  }

  private row(draw: () => void): void {
    this.need(1);
    draw();
    this.y += this.options.fontSize * LINE;
  }

  private line(words: readonly string[], left: number, scale = 1): void {
    const size = this.options.fontSize * scale;
    this.pdf.fontSize(size);
    if (this.document.script !== 'arabic') {
      this.drawn.push({ text: words.join(' '), x: left, y: this.y, size });
      return;
    }
    let right = this.pdf.page.width - left;
    for (const text of words) {
      right -= this.pdf.widthOfString(text);
      this.drawn.push({ text, x: right, y: this.y, size });
      right -= this.pdf.widthOfString(' ');
    }
  }

  /** So that cells do not overlap. */
  private scaleOf(cells: readonly string[], width: number): number {
    this.pdf.fontSize(this.options.fontSize);
    return Math.min(1, width / Math.max(...cells.map((cell) => this.pdf.widthOfString(cell))));
  }

  private wrap(words: readonly string[], width: number): string[][] {
    this.pdf.fontSize(this.options.fontSize);
    const lines: string[][] = [[]];
    for (const word of words) {
      const line = lines.at(-1) ?? [];
      if (line.length > 0 && this.pdf.widthOfString([...line, word].join(' ')) > width) lines.push([word]);
      else line.push(word);
    }
    return lines;
  }
}

function shuffle<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

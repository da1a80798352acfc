import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** How far after the last heading that was found, and before it, the next one is looked for. */
const WINDOW_AFTER = 60;
const WINDOW_BEFORE = 20;
const MAX_ENTRIES = 50_000;
const MAX_DEPTH = 6;

/**
 * The bookmarks of a PDF, which name its headings and their levels. They are found again by their text and order,
 * which takes no look at the destination of each: files have tens of thousands of them.
 */
export class PdfOutline {
  private next = 0;
  /** The last one: asking for it again is no other heading. */
  private found: { readonly text: string; readonly level: number } = { text: '', level: 0 };

  private constructor(private readonly entries: { key: string; level: number; isFound: boolean }[]) {}

  static async read(pdf: PDFDocumentProxy): Promise<PdfOutline> {
    const entries: { key: string; level: number; isFound: boolean }[] = [];
    type Nodes = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>;
    const add = (nodes: Nodes, level: number): void => {
      for (const { title, items } of nodes) {
        if (entries.length >= MAX_ENTRIES) return;
        const key = keyOf(title);
        if (key !== '') entries.push({ key, level, isFound: false });
        if (level < MAX_DEPTH) add(items, level + 1);
      }
    };
    // The engine says null when there is none, which its types do not.
    const nodes: Nodes | null = await pdf.getOutline();
    if (nodes !== null) add(nodes, 1);
    return new PdfOutline(entries);
  }

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  /** The level of the heading that a line is, from 1; undefined for lines that are none of the next headings. */
  levelOf(text: string): number | undefined {
    if (this.isEmpty) return undefined;
    if (text === this.found.text) return this.found.level;
    const key = keyOf(text);
    const bare = keyOf(text.replace(NUMBERING, ''));
    if (key === '') return undefined;
    const end = Math.min(this.entries.length, this.next + WINDOW_AFTER);
    for (let index = Math.max(0, this.next - WINDOW_BEFORE); index < end; index += 1) {
      const entry = this.entries[index];
      if (entry === undefined || entry.isFound || (entry.key !== key && entry.key !== bare)) continue;
      entry.isFound = true;
      this.next = Math.max(this.next, index + 1);
      this.found = { text, level: entry.level };
      return entry.level;
    }
    return undefined;
  }
}

/** Numbers of chapters and sections stand on the page and often not in the outline. */
const NUMBERING = /^(?:\p{L}{3,10}\s+)?(?:\d+|[A-Z]|[IVXLC]+)(?:\.\d+)*\s*[.:)–—-]?\s+/u;

function keyOf(title: string): string {
  return title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

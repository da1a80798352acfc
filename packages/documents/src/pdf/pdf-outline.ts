import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

// The next heading is searched among this many entries after and before the last one found.
const WINDOW_AFTER = 60;
const WINDOW_BEFORE = 20;
const MAX_ENTRIES = 50_000;
const MAX_DEPTH = 6;

/**
 * The outline (bookmarks) of a PDF, which has headings and their levels. Entries are matched to lines by text
 * and order and not by destination, because resolving destinations is slow and files have tens of thousands
 * of entries.
 */
export class PdfOutline {
  static readonly EMPTY = new PdfOutline([]);

  private next = 0;
  /** The last match, so that the same line may be looked up again. */
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
    // The engine returns null when there is no outline, contrary to its types.
    const nodes: Nodes | null = await pdf.getOutline();
    if (nodes !== null) add(nodes, 1);
    return new PdfOutline(entries);
  }

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  /** The heading level of a line, from 1; undefined when the line is not among the next outline entries. */
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

/** Chapter and section numbers, which outlines often omit. */
const NUMBERING = /^(?:\p{L}{3,10}\s+)?(?:\d+|[A-Z]|[IVXLC]+)(?:\.\d+)*\s*[.:)–—-]?\s+/u;

function keyOf(title: string): string {
  return title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { DocumentBuilder } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import type { DocumentParser, ParserInput } from '../document-parser.js';
import { BoldFonts } from './bold-fonts.js';
import type { PdfLink } from './annotation-index.js';
import { withAddresses } from './linked-words.js';
import { type PageNotes, readNotes } from './page-notes.js';
import { PdfAnnotations } from './pdf-annotations.js';
import { openPdf, withEngineErrorsContained } from './pdf-engine.js';
import { PdfLayout } from './pdf-layout.js';
import { type Line, linesOf } from './pdf-lines.js';
import { describePdf, pageRanges } from './pdf-metadata.js';
import { PdfOutline } from './pdf-outline.js';
import { withNotes } from './placed-notes.js';
import { inReadingOrder } from './reading-order.js';
import { RecognizedPages } from './recognized-pages.js';
import { type CleanPage, type PageLines, RunningLines } from './running-lines.js';
import { looksScanned } from './scanned-page.js';
import { byDirection, readRuns, type TextRun } from './text-run.js';

/** PDF files, page by page: a page is let go when those around it have shown what repeats on them. */
export const pdfParser: DocumentParser = {
  async parse(input, builder) {
    await withEngineErrorsContained(async () => {
      const annotations = PdfAnnotations.read(input.bytes);
      const task = await openPdf(input.bytes);
      try {
        const pdf = await task.promise;
        await readPages(pdf, annotations, builder, input);
        await describePdf(pdf, builder);
      } catch (error) {
        throw asDocumentError(error);
      } finally {
        await task.destroy();
      }
    });
  },
};

const MAX_PAGES = 50_000;
/** Lines that are kept in case that there is nothing else in the file. */
const MAX_REPEATED = 1000;
/** A file may show one page several times; one that does nothing else would be read for hours. */
const MAX_PAGES_AGAIN = 500;

async function readPages(
  pdf: PDFDocumentProxy,
  annotations: PdfAnnotations,
  builder: DocumentBuilder,
  { onProgress, onScans, recognized }: ParserInput,
): Promise<void> {
  const total = pdf.numPages;
  if (total > MAX_PAGES) {
    const limit = MAX_PAGES.toLocaleString('en');
    throw new DocumentError('TOO_COMPLEX', `${total} pages`, {
      userMessage: `It has more than ${limit} pages. Split it and upload the parts.`,
    });
  }
  builder.setPageCount(total);
  const outline = await PdfOutline.read(pdf);
  const fonts = new BoldFonts();
  const layout = new PdfLayout(builder, outline, fonts);
  const runningLines = new RunningLines();
  const reader = new PageReader(pdf, annotations, fonts, new RecognizedPages(recognized ?? new Map()));
  const unreadable: unknown[] = [];
  const repeated: [page: number, line: string][] = [];
  const settle = ({ number, lines, comments, running }: CleanPage): void => {
    for (const line of running) {
      builder.boilerplate(line);
      if (repeated.length < MAX_REPEATED) repeated.push([number, line]);
    }
    layout.addPage(number, lines);
    layout.addComments(number, comments);
  };
  for (let number = 1; number <= total; number += 1) {
    try {
      const page = await reader.read(number, layout.bodySize);
      layout.foresee(page.lines);
      for (const settled of runningLines.add(page)) settle(settled);
    } catch (error) {
      if (error instanceof DocumentError) throw error;
      // One bad page does not cost the others.
      unreadable.push(error);
    }
    onProgress({ done: number, total });
  }
  for (const page of runningLines.finish()) settle(page);
  layout.finish();
  // Where nothing but repetition is, it is what the file says.
  if (builder.isEmpty) {
    for (const [page, line] of repeated) builder.beginPage(page).block('paragraph', line);
  }
  const { scanned, blank } = reader;
  builder.setMetadata('unreadablePages', unreadable.length === 0 ? null : unreadable.length);
  builder.setMetadata(
    'pagesWithoutText',
    pageRanges([...scanned, ...blank].sort((one, other) => one - other)),
  );
  builder.setMetadata('recognizedPages', pageRanges(reader.recognized));
  builder.setMetadata('unrecognizedPages', pageRanges(scanned));
  if (scanned.length > 0) onScans?.(scanned);
  if (unreadable.length === total) {
    throw new DocumentError('CORRUPT_FILE', 'no page can be read', { cause: unreadable[0] });
  }
  const withText = total - unreadable.length - scanned.length - blank.length;
  // A cover with text before a scanned book is not the book. Once recognition was tried, what there is is all there is.
  if (recognized === undefined && scanned.length > withText) throw ocrRequired(scanned);
  if (builder.isEmpty && recognized !== undefined) {
    throw new DocumentError('EMPTY_DOCUMENT', 'nothing was recognised', {
      userMessage: 'The file holds pictures, and text recognition found no text on them.',
    });
  }
}

function ocrRequired(scanned: readonly number[]): DocumentError {
  const pages = pageRanges(scanned);
  return new DocumentError('OCR_REQUIRED', `no text on pages ${pages}`, {
    userMessage:
      `Pages ${pages} are pictures of text. Ask the operator to install tesseract-ocr and poppler-utils beside the ` +
      'parser and sync again, or run the file through text recognition (OCR) and upload the result.',
  });
}

/** Reads the pages of one file, and keeps count of those that have no text. */
class PageReader {
  /** Pages that look like pictures of text, and were not recognised. */
  readonly scanned: number[] = [];
  /** Pages that were recognised as text. */
  readonly recognized: number[] = [];
  readonly blank: number[] = [];
  private readonly seen = new Set<number>();
  private pagesAgain = 0;

  constructor(
    private readonly pdf: PDFDocumentProxy,
    private readonly annotations: PdfAnnotations,
    private readonly fonts: BoldFonts,
    private readonly pages: RecognizedPages,
  ) {}

  /** @param bodySize see {@link RecognizedPages.runs} */
  async read(number: number, bodySize: number): Promise<PageLines> {
    const page = await this.pdf.getPage(number);
    this.guardRepetition(page);
    try {
      const printed = withAddresses(await readRuns(page), this.linksOn(page));
      const { notes, comments } = await this.notesOn(page);
      const lines = arranged(withNotes(printed, notes));
      if (!isBlank(printed)) {
        await this.fonts.learn(page, lines);
        return { number, lines, comments };
      }
      const recognized = await this.linesOfPicture(page, number, { bodySize, isBlank: lines.length === 0 });
      return { number, lines: [...recognized, ...notIn(recognized, lines)], comments };
    } finally {
      page.cleanup();
    }
  }

  private linksOn({ ref }: PDFPageProxy): PdfLink[] {
    return ref === null ? [] : this.annotations.linksOn(ref.num);
  }

  private async notesOn(page: PDFPageProxy): Promise<PageNotes> {
    const mayHaveNotes = page.ref !== null && this.annotations.mayHaveOthersOn(page.ref.num);
    return mayHaveNotes ? readNotes(page) : { notes: [], comments: [] };
  }

  private guardRepetition({ ref }: PDFPageProxy): void {
    if (ref === null) return;
    if (this.seen.has(ref.num)) this.pagesAgain += 1;
    this.seen.add(ref.num);
    if (this.pagesAgain <= MAX_PAGES_AGAIN) return;
    throw new DocumentError('TOO_COMPLEX', `more than ${MAX_PAGES_AGAIN} pages come again`, {
      userMessage: `The file shows the same pages more than ${MAX_PAGES_AGAIN} times. Save it again with another program and upload the new copy.`,
    });
  }

  /** @param isBlank nothing was written on the page either */
  private async linesOfPicture(
    page: PDFPageProxy,
    number: number,
    { bodySize, isBlank }: { bodySize: number; isBlank: boolean },
  ): Promise<Line[]> {
    if (!this.pages.has(number)) {
      if (await looksScanned(page, { withAnnotations: isBlank })) this.scanned.push(number);
      else if (isBlank) this.blank.push(number);
      return [];
    }
    const { height } = page.getViewport({ scale: 1 });
    const lines = linesOf(this.pages.runs(number, height, bodySize));
    if (lines.length > 0) this.recognized.push(number);
    else if (isBlank) this.blank.push(number);
    return lines;
  }
}

function arranged(runs: readonly TextRun[]): readonly Line[] {
  return byDirection(runs).flatMap((group) => inReadingOrder(linesOf(group)));
}

/** What is drawn with a page is recognised with it: lines that were not, or not rightly. */
function notIn(recognized: readonly Line[], written: readonly Line[]): readonly Line[] {
  const key = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  const known = key(recognized.map(({ text }) => text).join(''));
  return written.filter(({ text }) => !known.includes(key(text)));
}

function isBlank(runs: readonly TextRun[]): boolean {
  return runs.every(({ text }) => text.trim() === '');
}

/** The engine's exceptions are told apart by their names, which its interface documents. */
function asDocumentError(error: unknown): DocumentError {
  if (error instanceof DocumentError) return error;
  const name = error instanceof Error ? error.name : '';
  const message = error instanceof Error ? error.message : String(error);
  if (name === 'PasswordException') return new DocumentError('PASSWORD_REQUIRED', message, { cause: error });
  return new DocumentError('CORRUPT_FILE', `${name}: ${message}`, { cause: error });
}

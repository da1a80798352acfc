import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { DocumentBuilder } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import type { DocumentParser, ParserInput } from '../document-parser.js';
import { BoldFonts } from './bold-fonts.js';
import { openPdf, withEngineErrorsContained } from './pdf-engine.js';
import { PdfLayout } from './pdf-layout.js';
import { type Line, linesOf } from './pdf-lines.js';
import { describePdf, pageRanges } from './pdf-metadata.js';
import { PdfOutline } from './pdf-outline.js';
import { inReadingOrder } from './reading-order.js';
import { type CleanPage, RunningLines } from './running-lines.js';
import { byDirection, readRuns } from './text-run.js';

/** PDF files, page by page: a page is let go when those around it have shown what repeats on them. */
export const pdfParser: DocumentParser = {
  async parse(input, builder) {
    await withEngineErrorsContained(async () => {
      const task = await openPdf(input.bytes);
      try {
        const pdf = await task.promise;
        await readPages(pdf, builder, input.onProgress);
        await describePdf(pdf, builder);
      } catch (error) {
        throw asDocumentError(error);
      } finally {
        await task.destroy();
      }
    });
  },
};

async function readPages(
  pdf: PDFDocumentProxy,
  builder: DocumentBuilder,
  onProgress: ParserInput['onProgress'],
): Promise<void> {
  const total = pdf.numPages;
  builder.setPageCount(total);
  const outline = await PdfOutline.read(pdf);
  const fonts = new BoldFonts();
  const layout = new PdfLayout(builder, outline, fonts);
  const runningLines = new RunningLines();
  const unreadable: unknown[] = [];
  const blank: number[] = [];
  const settle = ({ number, lines, running }: CleanPage): void => {
    for (const line of running) builder.boilerplate(line);
    layout.addPage(number, lines);
  };
  for (let number = 1; number <= total; number += 1) {
    try {
      const lines = await readLines(pdf, number, fonts);
      if (lines.length === 0) blank.push(number);
      layout.foresee(lines);
      for (const page of runningLines.add({ number, lines })) settle(page);
    } catch (error) {
      if (error instanceof DocumentError) throw error;
      // One bad page does not cost the others.
      unreadable.push(error);
    }
    onProgress({ done: number, total });
  }
  for (const page of runningLines.finish()) settle(page);
  layout.finish();
  builder.setMetadata('unreadablePages', unreadable.length === 0 ? null : unreadable.length);
  builder.setMetadata('pagesWithoutText', pageRanges(blank));
  if (!builder.isEmpty) return;
  if (unreadable.length === total) {
    throw new DocumentError('CORRUPT_FILE', 'no page can be read', { cause: unreadable[0] });
  }
  const pages = pageRanges(blank);
  throw new DocumentError('OCR_REQUIRED', `no text on pages ${pages}`, {
    userMessage:
      `The file holds pictures of text and no text (pages ${pages}). Install text recognition, for example the ` +
      'package ocrmypdf, run the file through it and upload the result.',
  });
}

async function readLines(pdf: PDFDocumentProxy, number: number, fonts: BoldFonts): Promise<readonly Line[]> {
  const page = await pdf.getPage(number);
  try {
    const lines = byDirection(await readRuns(page)).flatMap((group) => inReadingOrder(linesOf(group)));
    await fonts.learn(page, lines);
    return lines;
  } finally {
    page.cleanup();
  }
}

/** The engine's exceptions are told apart by their names, which its interface documents. */
function asDocumentError(error: unknown): DocumentError {
  if (error instanceof DocumentError) return error;
  const name = error instanceof Error ? error.name : '';
  const message = error instanceof Error ? error.message : String(error);
  if (name === 'PasswordException') return new DocumentError('PASSWORD_REQUIRED', message, { cause: error });
  return new DocumentError('CORRUPT_FILE', `${name}: ${message}`, { cause: error });
}

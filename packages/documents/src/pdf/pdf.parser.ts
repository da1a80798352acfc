import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { DocumentBuilder } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import { pageNumbers } from '../document/recognition.js';
import type { DocumentParser, ParserInput } from '../document-parser.js';
import { withAddresses } from './linked-words.js';
import { PageFonts } from './page-fonts.js';
import { linksOf } from './page-links.js';
import { addPdfAttachments, notesOf, readAnnotations } from './page-notes.js';
import { type LayerVisibility, readText } from './page-text.js';
import { openPdf, withEngineErrorsContained } from './pdf-engine.js';
import { PdfLayout } from './pdf-layout.js';
import type { Line } from './pdf-lines.js';
import { PdfOutline } from './pdf-outline.js';
import { withNotes } from './placed-notes.js';
import { arrangedLines } from './reading-order.js';
import { RecognizedPages } from './recognized-pages.js';
import { type CleanPage, type PageLines, RunningLines } from './running-lines.js';
import type { TextRun } from './text-run.js';
import { warnOfRecognition } from '../recognized/recognition-warnings.js';
import { ocrRequired, warnOfUnreadPages } from './unread-pages.js';
import { addXfaForm } from './xfa-form.js';

/** Of a page. The time to compare lines with OCR results is the product of their words. */
const MAX_COMPARED_WORDS = 10_000;
/** Of a word that OCR may have misread. Short words that differ in a letter are other words. */
const MIN_MISREAD_LETTERS = 4;

/**
 * Reads PDF files page by page. Only the pages that are needed to recognize running lines are kept in memory.
 */
export const pdfParser: DocumentParser = {
  async parse(input, builder) {
    await withEngineErrorsContained(async () => {
      let task = await openPdf(input.bytes);
      try {
        let pdf = await task.promise;
        guardPageCount(pdf.numPages);
        if (!addXfaForm(pdf, builder)) {
          if (pdf.isPureXfa || pdf.numPages === 0) {
            // The form is empty or damaged. The file has pages beside it.
            const bytes = await pdf.getData();
            await task.destroy();
            task = await openPdf(bytes, { enableXfa: false });
            pdf = await task.promise;
          }
          await readPages(pdf, builder, input);
        }
        await addPdfAttachments(pdf, builder);
        await addPdfMetadata(pdf, builder);
      } catch (error) {
        throw asDocumentError(error);
      } finally {
        await task.destroy();
      }
    });
  },
};

const MAX_PAGES = 50_000;
/** Limit of pages that refer to an already read page object: a hostile file could repeat a page for hours. */
const MAX_REPEATED_PAGES = 500;

function guardPageCount(total: number): void {
  if (total <= MAX_PAGES) return;
  const limit = MAX_PAGES.toLocaleString('en');
  throw new DocumentError('TOO_COMPLEX', `${total} pages`, {
    userMessage: `It has more than ${limit} pages. Split it and upload the parts.`,
  });
}

async function readPages(
  pdf: PDFDocumentProxy,
  builder: DocumentBuilder,
  { onProgress, onScans, recognized }: ParserInput,
): Promise<void> {
  const total = pdf.numPages;
  guardPageCount(total);
  builder.setPageCount(total);
  const outline = await PdfOutline.read(pdf);
  const fonts = new PageFonts();
  const layout = new PdfLayout(builder, outline, fonts);
  const runningLines = new RunningLines();
  const reader = new PageReader(
    { pdf, fonts, layers: await pdf.getOptionalContentConfig() },
    new RecognizedPages(recognized ?? new Map()),
    builder,
  );
  const unreadable = new Map<number, unknown>();
  const addPage = (page: CleanPage): void => {
    for (const line of page.repeated) builder.leaveOut('running', line);
    layout.addPage(page);
    layout.addComments(page.number, page.comments);
  };
  for (let number = 1; number <= total; number += 1) {
    try {
      const page = await reader.read(number, layout.bodySize);
      layout.addToStatistics(page.lines);
      for (const cleanPage of runningLines.add(page)) addPage(cleanPage);
    } catch (error) {
      if (error instanceof DocumentError) throw error;
      // Continue with the other pages.
      unreadable.set(number, error);
    }
    // Scans are not read yet, and progress never goes back.
    onProgress({ done: number - reader.scanned.length, total });
  }
  for (const page of runningLines.finish()) addPage(page);
  layout.finish();
  const { scanned, blank, garbled } = reader;
  for (const page of blank) builder.recognized.setContent(page, 'empty');
  for (const page of [...scanned, ...unreadable.keys()]) builder.recognized.setContent(page, 'unread');
  builder.setMetadata('unrecognizedPages', pageNumbers(scanned));
  if (scanned.length > 0) onScans?.(scanned);
  if (unreadable.size === total) {
    throw new DocumentError('CORRUPT_FILE', 'no page can be read', { cause: unreadable.get(1) });
  }
  const withoutText = scanned.length - reader.withWords;
  const withText = total - unreadable.size - withoutText - blank.length;
  // Mostly scans, even if some pages have text, such as a cover: require OCR unless it has been run.
  if (recognized === undefined && withoutText > withText) throw ocrRequired(scanned, garbled);
  warnOfUnreadPages(builder, { scanned, garbled, damaged: [...unreadable.keys()] });
  if (recognized !== undefined) warnOfRecognition(builder, recognized);
  if (builder.isEmpty && recognized !== undefined) {
    throw new DocumentError('EMPTY_DOCUMENT', 'OCR found no text', {
      userMessage: 'The pages are images, and text recognition (OCR) found no text on them.',
    });
  }
}

interface PdfFile {
  readonly pdf: PDFDocumentProxy;
  readonly fonts: PageFonts;
  readonly layers: LayerVisibility;
}

/** Reads the pages of one file and records the pages without text. */
class PageReader {
  /** Pages that need OCR, such as scans, and have no OCR result. */
  readonly scanned: number[] = [];
  /** How many of them have words that are read. */
  withWords = 0;
  /** Those whose letters are unknown. */
  readonly garbled: number[] = [];
  readonly blank: number[] = [];
  private readonly seen = new Set<number>();
  private repeatedPages = 0;

  constructor(
    private readonly file: PdfFile,
    private readonly pages: RecognizedPages,
    private readonly builder: DocumentBuilder,
  ) {}

  /** @param bodySize see {@link RecognizedPages.lines} */
  async read(number: number, bodySize: number): Promise<PageLines> {
    const page = await this.file.pdf.getPage(number);
    this.guardRepetition(page);
    try {
      const annotations = await readAnnotations(page);
      const { notes, comments, drawn } = notesOf(annotations);
      const text = await readText(page, this.file.fonts, this.file.layers, drawn);
      this.builder.see(text.text);
      for (const hidden of text.hidden) this.builder.leaveOut('hidden', hidden);
      const printed = withAddresses(text.runs, linksOf(annotations));
      const lines = arrangedLines(withNotes(printed, notes));
      const isScan = text.garbled !== 'no' || text.isStampedScan;
      if (text.garbled !== 'no' && !this.pages.has(number)) this.garbled.push(number);
      if (isScan && text.garbled !== 'mostly' && !this.pages.has(number)) this.withWords += 1;
      if (!isScan && !isBlank(printed)) return { number, lines, comments };
      const mayShowText = isScan || text.hasDrawings;
      const recognized = this.readScan(page, number, { bodySize, isBlank: lines.length === 0, mayShowText });
      const [main, other] = text.garbled === 'partly' ? [lines, recognized] : [recognized, lines];
      return { number, lines: [...main, ...missingIn(main, other)], comments };
    } finally {
      page.cleanup();
    }
  }

  private guardRepetition({ ref }: PDFPageProxy): void {
    if (ref === null) return;
    if (this.seen.has(ref.num)) this.repeatedPages += 1;
    this.seen.add(ref.num);
    if (this.repeatedPages <= MAX_REPEATED_PAGES) return;
    throw new DocumentError('TOO_COMPLEX', `more than ${MAX_REPEATED_PAGES} repeated pages`, {
      userMessage: `The file contains the same pages more than ${MAX_REPEATED_PAGES} times. Save it again with another program and upload the new copy.`,
    });
  }

  /** @param isBlank whether nothing else of the page is stored */
  private readScan(
    page: PDFPageProxy,
    number: number,
    { bodySize, isBlank, mayShowText }: { bodySize: number; isBlank: boolean; mayShowText: boolean },
  ): readonly Line[] {
    if (!this.pages.has(number)) {
      if (mayShowText) this.scanned.push(number);
      else if (isBlank) this.blank.push(number);
      return [];
    }
    this.builder.recognized.addUnreadable(this.pages.unreadable(number));
    const { height } = page.getViewport({ scale: 1 });
    const lines = this.pages.lines(number, height, bodySize);
    if (lines.length > 0) this.builder.recognized.setContent(number, 'recognized');
    else if (isBlank) this.blank.push(number);
    return lines;
  }
}

/**
 * The lines that are missing in others. OCR reads all that is drawn on a page, also annotations: a line is known if the
 * others have its words in this order. Words count once, and those of long lines first.
 */
function missingIn(others: readonly Line[], lines: readonly Line[]): readonly Line[] {
  const known = wordsOf(others.map(({ text }) => text).join('\n')).slice(0, MAX_COMPARED_WORDS);
  const missing = new Set<Line>();
  for (const line of lines.toSorted((one, other) => other.text.length - one.text.length)) {
    const words = wordsOf(line.text);
    const start = known.findIndex((_, at) =>
      words.every((word, index) => isReading(word, known[at + index])),
    );
    if (start >= 0) known.fill('', start, start + words.length);
    else if (words.length > 0) missing.add(line);
  }
  return lines.filter((line) => missing.has(line));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Whether OCR reads a word as another one: the same word, or a longer one of which one letter differs. */
function isReading(word: string, other = ''): boolean {
  if (word === other) return true;
  if (word.length < MIN_MISREAD_LETTERS || word.length !== other.length || /\p{N}/u.test(word + other))
    return false;
  let differing = 0;
  for (let index = 0; index < word.length && differing < 2; index += 1)
    if (word[index] !== other[index]) differing += 1;
  return differing < 2;
}

function isBlank(runs: readonly TextRun[]): boolean {
  return runs.every(({ text }) => text.trim() === '');
}

/** Maps exceptions of the engine by their name, which is part of its API. */
function asDocumentError(error: unknown): DocumentError {
  if (error instanceof DocumentError) return error;
  const name = error instanceof Error ? error.name : '';
  const message = error instanceof Error ? error.message : String(error);
  if (name === 'PasswordException') return new DocumentError('PASSWORD_REQUIRED', message, { cause: error });
  return new DocumentError('CORRUPT_FILE', `${name}: ${message}`, { cause: error });
}

/** Titles written by programs, such as file names. */
const PROGRAM_TITLE = /^(?:microsoft \w+ - |untitled)|\.(?:docx?|dvi|indd|pdf|pptx?|qxd|rtf|tex|xlsx?)$/i;

/** Sets title, language and metadata. */
async function addPdfMetadata(pdf: PDFDocumentProxy, builder: DocumentBuilder): Promise<void> {
  const { info } = await pdf.getMetadata();
  const field = (name: string): string | null => {
    const value: unknown = name in info ? Reflect.get(info, name) : null;
    return typeof value === 'string' ? value : null;
  };
  const title = field('Title');
  if (title !== null && !PROGRAM_TITLE.test(title)) builder.setTitle(title);
  builder.setLanguage(field('Language'));
  for (const name of ['Author', 'Subject', 'Keywords', 'Producer', 'CreationDate']) {
    builder.setMetadata(name.charAt(0).toLowerCase() + name.slice(1), field(name));
  }
}

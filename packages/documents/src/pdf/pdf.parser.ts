import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { getDocument, VerbosityLevel, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { DocumentBuilder } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import type { DocumentParser, ParserInput } from '../document-parser.js';
import { linesOf, type TextRun } from './pdf-lines.js';
import { PdfLayout } from './pdf-layout.js';

const ENGINE_FOLDER = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/** PDF files, page by page: a page is let go before the next one is read. */
export const pdfParser: DocumentParser = {
  async parse(input, builder) {
    const task = getDocument({
      data: input.bytes,
      // Character maps of Chinese, Japanese and Korean files are not inside of them.
      cMapUrl: join(ENGINE_FOLDER, 'cmaps/'),
      cMapPacked: true,
      standardFontDataUrl: join(ENGINE_FOLDER, 'standard_fonts/'),
      // Text needs neither glyphs nor pictures.
      disableFontFace: true,
      useSystemFonts: false,
      useWasm: false,
      enableXfa: false,
      maxImageSize: 0,
      verbosity: VerbosityLevel.ERRORS,
    });
    try {
      const pdf = await task.promise;
      await readPages(pdf, builder, input.onProgress);
      await describe(pdf, builder);
    } catch (error) {
      throw asDocumentError(error);
    } finally {
      await task.destroy();
    }
  },
};

async function readPages(
  pdf: PDFDocumentProxy,
  builder: DocumentBuilder,
  onProgress: ParserInput['onProgress'],
): Promise<void> {
  const total = pdf.numPages;
  builder.setPageCount(total);
  const layout = new PdfLayout(builder);
  const unreadable: unknown[] = [];
  for (let number = 1; number <= total; number += 1) {
    try {
      const runs = await readPage(pdf, number);
      builder.beginPage(number);
      layout.addPage(linesOf(runs));
    } catch (error) {
      if (error instanceof DocumentError) throw error;
      // One bad page does not cost the others.
      unreadable.push(error);
    }
    onProgress({ done: number, total });
  }
  builder.setMetadata('unreadablePages', unreadable.length === 0 ? null : unreadable.length);
  if (!builder.isEmpty) return;
  if (unreadable.length === total) {
    throw new DocumentError('CORRUPT_FILE', 'no page can be read', { cause: unreadable[0] });
  }
  throw new DocumentError('OCR_REQUIRED', `no text on any of ${total} pages`);
}

async function readPage(pdf: PDFDocumentProxy, number: number): Promise<TextRun[]> {
  const page = await pdf.getPage(number);
  try {
    const { items } = await page.getTextContent();
    return items.flatMap((item) => {
      if (!('str' in item)) return [];
      const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = item.transform.map(Number);
      const fontSize = Math.hypot(c, d) || Math.hypot(a, b) || item.height;
      // Text that runs along another direction is laid out in its own: turned so that it reads from left to right.
      const length = Math.hypot(a, b) || 1;
      const [cos, sin] = [a / length, b / length];
      return [
        {
          text: item.str,
          x: x * cos + y * sin,
          y: y * cos - x * sin,
          width: item.width,
          fontSize,
          endsLine: item.hasEOL,
        },
      ];
    });
  } finally {
    page.cleanup();
  }
}

async function describe(pdf: PDFDocumentProxy, builder: DocumentBuilder): Promise<void> {
  const { info } = await pdf.getMetadata();
  const field = (name: string): string | null => {
    const value: unknown = name in info ? Reflect.get(info, name) : null;
    return typeof value === 'string' ? value : null;
  };
  const title = field('Title');
  // What a program wrote when nobody gave a title: the name of a file.
  if (
    title !== null &&
    !/^(?:microsoft \w+ - |untitled)|\.(?:docx?|dvi|indd|pdf|pptx?|qxd|rtf|tex|xlsx?)$/i.test(title)
  ) {
    builder.setTitle(title);
  }
  builder.setLanguage(field('Language'));
  for (const name of ['Author', 'Subject', 'Keywords', 'Producer', 'CreationDate']) {
    builder.setMetadata(name.charAt(0).toLowerCase() + name.slice(1), field(name));
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

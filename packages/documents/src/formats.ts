import type { DocumentParser } from './document-parser.js';
import type { FileType } from './file-type/file-type.js';

/** Parsers by MIME type, loaded on first use so that a text file does not pay for loading the PDF engine. */
const FORMATS: Readonly<Record<FileType, () => Promise<DocumentParser>>> = {
  'application/epub+zip': async () => (await import('./epub/epub.parser.js')).epubParser,
  'application/json': async () => (await import('./json/json.parser.js')).jsonParser,
  'application/pdf': async () => (await import('./pdf/pdf.parser.js')).pdfParser,
  'application/rtf': async () => (await import('./rtf/rtf.parser.js')).rtfParser,
  'application/vnd.oasis.opendocument.text': async () => (await import('./odt/odt.parser.js')).odtParser,
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': async () =>
    (await import('./pptx/pptx.parser.js')).pptxParser,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': async () =>
    (await import('./xlsx/xlsx.parser.js')).xlsxParser,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': async () =>
    (await import('./docx/docx.parser.js')).docxParser,
  'message/rfc822': async () => (await import('./eml/eml.parser.js')).emlParser,
  'text/csv': async () => (await import('./csv/csv.parser.js')).csvParser,
  'text/html': async () => (await import('./html/html.parser.js')).htmlParser,
  'text/markdown': async () => (await import('./markdown/markdown.parser.js')).markdownParser,
  'text/plain': async () => (await import('./plain-text/plain-text.parser.js')).plainTextParser,
};

export function loadParser(type: FileType): Promise<DocumentParser> {
  return FORMATS[type]();
}

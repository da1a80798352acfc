export { buildPdf, type PdfLine } from './pdf.builder.js';
export {
  buildDocx,
  buildPptx,
  buildXlsx,
  buildZip,
  slideShape,
  wordParagraph,
  type SheetSpec,
} from './office.builder.js';

export { buildPdf, type PdfLine, type PdfOptions } from './pdf.builder.js';
export {
  buildDocx,
  buildPptx,
  buildXlsx,
  buildZip,
  relationships,
  slideShape,
  wordParagraph,
  type SheetSpec,
} from './office.builder.js';

export { drawPages, pngOf } from './drawn-pages.js';
export { buildEpub } from './epub.builder.js';
export { confluencePage, notionId, slackEntries, slackMessage, slackTime } from './exports.builder.js';
export { chartPoints, chartSpace, diagramModel, graphic } from './graphics.builder.js';
export { buildOdp, buildOds, buildOdt } from './odt.builder.js';
export {
  buildPdf,
  buildPdfPage,
  buildRawPdf,
  FIRST_EXTRA,
  type PdfLine,
  type PdfOptions,
  type PdfPageOptions,
  type PdfPicture,
  streamObject,
} from './pdf.builder.js';
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

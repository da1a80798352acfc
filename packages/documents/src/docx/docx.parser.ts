import { posix } from 'node:path';
import type { DocumentParser } from '../document-parser.js';
import { EmbeddedFiles } from '../office/embedded-parts.js';
import { addMargins } from '../office/margin-text.js';
import { OfficePackage } from '../office/office-package.js';
import { descendant, readXmlElements, type XmlElement } from '../xml/xml-tree.js';
import { DocxBody } from './docx-body.js';
import { blockText, DocxNotes, type TextContext } from './docx-text.js';
import { DocxNumbering } from './docx-numbering.js';
import { DocxStyles } from './docx-styles.js';

const BLOCK_ELEMENTS = new Set(['p', 'tbl', 'sdt', 'altChunk']);

/**
 * Reads Word documents (ECMA-376, WordprocessingML): body with tables, lists, text boxes, charts, diagrams
 * and comments, then notes, headers and footers.
 */
export const docxParser: DocumentParser = {
  async parse(input, builder) {
    const office = new OfficePackage(input.bytes, input.container);
    office.addMetadata(builder);
    const main = office.packagePart('officeDocument', 'word/document.xml');
    const files = new EmbeddedFiles(office, input, builder);
    const related = (type: string, root: string): XmlElement | undefined =>
      office.tree(office.relatedPart(main, type) ?? posix.join(posix.dirname(main), `${type}.xml`), root);
    const styleSheet = related('styles', 'styles');
    const context = { styles: new DocxStyles(styleSheet), builder };
    const notes = new DocxNotes(related('comments', 'comments'), context);
    const body = new DocxBody({
      ...context,
      notes,
      numbering: new DocxNumbering(related('numbering', 'numbering')),
      embedded: await files.partsOf(main),
    });
    readXmlElements(office.text(main), BLOCK_ELEMENTS, (element) => body.add(element));
    body.finish();

    for (const kind of ['footnote', 'endnote'] as const) {
      for (const note of notes.textsOf(kind, related(`${kind}s`, `${kind}s`)))
        builder.block('paragraph', note);
    }
    addMargins(marginsOf(office, main, context), builder);
    office.close(builder);
    const language = descendant(styleSheet, 'docDefaults', 'rPrDefault', 'rPr', 'lang');
    builder.setLanguage(language?.attributes['val']);
  },
};

/** The texts of all headers, then of all footers. */
function marginsOf(office: OfficePackage, main: string, context: TextContext): string[] {
  const margins = [...office.newParts(main, 'header', 'hdr'), ...office.newParts(main, 'footer', 'ftr')];
  return margins.map(([, margin]) => blockText(margin, context));
}

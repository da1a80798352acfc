import { posix } from 'node:path';
import type { DocumentBuilder } from '../document/document-builder.js';
import type { DocumentParser } from '../document-parser.js';
import { EmbeddedGraphics } from '../office/embedded-graphics.js';
import { OfficePackage } from '../office/office-package.js';
import { descendant, readXmlElements, type XmlElement } from '../xml/xml-tree.js';
import { DocxBody } from './docx-body.js';
import { DocxNotes, textOf } from './docx-notes.js';
import { DocxNumbering } from './docx-numbering.js';
import { DocxStyles } from './docx-styles.js';

const BLOCK_ELEMENTS = new Set(['p', 'tbl', 'sdt']);

/**
 * Reads Word documents (ECMA-376, WordprocessingML): body with tables, lists, text boxes, charts, diagrams
 * and comments, then notes and headers.
 */
export const docxParser: DocumentParser = {
  parse({ bytes }, builder) {
    const office = new OfficePackage(bytes);
    office.addMetadata(builder);
    const main = office.mainPart('word/document.xml');
    const related = (type: string, root: string): XmlElement | undefined =>
      office.tree(office.relatedPart(main, type) ?? posix.join(posix.dirname(main), `${type}.xml`), root);

    const styles = new DocxStyles(related('styles', 'styles'));
    const notes = new DocxNotes(related('comments', 'comments'));
    const numbering = new DocxNumbering(related('numbering', 'numbering'));
    const graphics = new EmbeddedGraphics(office, office.relationships(main), builder);
    const body = new DocxBody(builder, styles, numbering, notes, graphics);
    readXmlElements(office.text(main), BLOCK_ELEMENTS, (element) => body.add(element));
    body.finish();

    for (const kind of ['footnote', 'endnote'] as const) {
      for (const note of notes.textsOf(kind, related(`${kind}s`, `${kind}s`)))
        builder.block('paragraph', note);
    }
    addHeadersAndFooters(office, main, builder);
    const language = descendant(related('styles', 'styles'), 'docDefaults', 'rPrDefault', 'rPr', 'lang');
    builder.setLanguage(language?.attributes['val']);
  },
};

/**
 * Adds distinct headers after the text, because they often identify the file (number, version, recipient).
 * Footers mostly repeat that and have page numbers, so they are boilerplate.
 */
function addHeadersAndFooters(office: OfficePackage, main: string, builder: DocumentBuilder): void {
  const texts = new Set<string>();
  for (const { type, target } of office.relationships(main).values()) {
    if (type === 'header') texts.add(partText(office.tree(target, 'hdr')));
    if (type === 'footer') builder.leaveOut('running', partText(office.tree(target, 'ftr')));
  }
  if (texts.size > 0) builder.leaveHeadings();
  for (const text of texts) builder.block('paragraph', text);
}

function partText(root: XmlElement | undefined): string {
  return root === undefined ? '' : textOf(root);
}

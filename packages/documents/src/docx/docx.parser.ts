import { posix } from 'node:path';
import type { DocumentParser } from '../document-parser.js';
import { OfficePackage } from '../office/office-package.js';
import { childElements, descendant, readXmlElements, type XmlElement } from '../xml/xml-tree.js';
import { DocxBody } from './docx-body.js';
import { DocxNumbering } from './docx-numbering.js';
import { DocxStyles } from './docx-styles.js';
import { paragraphText } from './docx-text.js';

const BLOCK_ELEMENTS = new Set(['p', 'tbl', 'sdt']);

/** Word documents (ECMA-376, WordprocessingML): body, tables, lists, text boxes; then foot- and endnotes. */
export const docxParser: DocumentParser = {
  parse({ bytes }, builder) {
    const office = new OfficePackage(bytes);
    office.describe(builder);
    const main = office.mainPart('word/document.xml');
    const related = (type: string, root: string): XmlElement | undefined =>
      office.tree(office.relatedPart(main, type) ?? posix.join(posix.dirname(main), `${type}.xml`), root);

    const styles = new DocxStyles(related('styles', 'styles'));
    const body = new DocxBody(builder, styles, new DocxNumbering(related('numbering', 'numbering')));
    readXmlElements(office.text(main), BLOCK_ELEMENTS, (element) => body.add(element));
    body.finish();

    for (const kind of ['footnote', 'endnote']) {
      const notes = related(`${kind}s`, `${kind}s`);
      for (const note of notes === undefined ? [] : childElements(notes, kind)) {
        // Separator lines are notes with a type (17.11.17).
        if (note.attributes['type'] !== undefined && note.attributes['type'] !== 'normal') continue;
        const text = childElements(note, 'p').map((paragraph) => paragraphText(paragraph).text.trim());
        builder.block('paragraph', `[${note.attributes['id'] ?? ''}] ${text.join('\n')}`);
      }
    }
    const language = descendant(related('styles', 'styles'), 'docDefaults', 'rPrDefault', 'rPr', 'lang');
    builder.setLanguage(language?.attributes['val']);
  },
};

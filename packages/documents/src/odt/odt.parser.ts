import type { DocumentParser } from '../document-parser.js';
import { addMargins } from '../office/margin-text.js';
import { readXmlElements, readXmlPieces, tagFreeText, type XmlElement } from '../xml/xml-tree.js';
import { OdfObjects } from './odf-objects.js';
import { OdtBody, UNREAD_ELEMENTS } from './odt-body.js';
import { CONTENT, openPackage } from './odf-package.js';
import { OdtStyles, STYLE_ELEMENTS } from './odt-styles.js';
import { blockText, type TextContext } from './odt-text.js';

const MARGINS: ReadonlySet<string> = new Set(
  ['header', 'footer'].flatMap((name) => [name, `${name}-left`, `${name}-first`]),
);
const CONTENT_ELEMENTS: ReadonlySet<string> = new Set([
  ...STYLE_ELEMENTS,
  ...UNREAD_ELEMENTS,
  'h',
  'list',
  'object',
  'object-ole',
  'p',
  'section',
  'table',
]);

/**
 * Reads OpenDocument text (ODF 1.0 to 1.3): headings, paragraphs, lists, tables, text boxes and comments,
 * then notes, headers and footers. Charts are read at their places, other objects are named.
 */
export const odtParser: DocumentParser = {
  async parse({ bytes, container }, builder) {
    const archive = openPackage(bytes, container, builder);
    const styles = new OdtStyles();
    const body = new OdtBody(builder, styles, new OdfObjects(archive));
    const add = (element: XmlElement): void => {
      if (STYLE_ELEMENTS.has(element.name)) styles.add(element);
      else body.add(element);
    };
    const common = archive.readText('styles.xml');
    if (common !== null) readXmlElements(common, STYLE_ELEMENTS, add);
    await readXmlPieces(archive.readTextPieces(CONTENT), CONTENT_ELEMENTS, add);
    body.finish();
    builder.see(tagFreeText(archive.readText(CONTENT) ?? ''));
    if (common !== null) addMargins(marginsOf(common, body), builder);
    body.objects.unread.warn(builder);
  },
};

/** The headers and footers of all kinds of pages (ODF 1.3, 16.9 to 16.15). */
function marginsOf(styles: string, context: TextContext): string[] {
  const texts: string[] = [];
  readXmlElements(styles, MARGINS, (margin) => {
    if (margin.attributes['display'] !== 'false') texts.push(blockText(margin, context));
  });
  return texts;
}

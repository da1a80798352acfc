import { ZipArchive } from '../archive/zip-archive.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import type { DocumentParser } from '../document-parser.js';
import { withoutPageNumbers } from '../office/margin-text.js';
import {
  descendant,
  descendants,
  readXmlElements,
  readXmlPieces,
  readXmlTree,
  textContent,
  type XmlElement,
} from '../xml/xml-tree.js';
import { OdtBody, UNREAD_ELEMENTS } from './odt-body.js';
import { OdtStyles } from './odt-styles.js';
import { blockText, type TextContext } from './odt-text.js';

const CONTENT = 'content.xml';
const STYLE_ELEMENTS: ReadonlySet<string> = new Set(['style', 'list-style']);
const MARGINS: ReadonlySet<string> = new Set(
  ['header', 'footer'].flatMap((name) => [name, `${name}-left`, `${name}-first`]),
);
const CONTENT_ELEMENTS: ReadonlySet<string> = new Set([
  ...STYLE_ELEMENTS,
  ...UNREAD_ELEMENTS,
  'h',
  'list',
  'p',
  'table',
]);

/**
 * Reads OpenDocument text (ODF 1.0 to 1.3): headings, paragraphs, lists, tables, text boxes and comments,
 * then notes, headers and footers. Embedded objects are omitted.
 */
export const odtParser: DocumentParser = {
  async parse({ bytes }, builder) {
    const archive = new ZipArchive(bytes);
    rejectEncrypted(archive);
    addMetadata(archive, builder);
    const styles = new OdtStyles();
    const body = new OdtBody(builder, styles);
    const add = (element: XmlElement): void => {
      if (STYLE_ELEMENTS.has(element.name)) styles.add(element);
      else body.add(element);
    };
    const common = archive.readText('styles.xml');
    if (common !== null) readXmlElements(common, STYLE_ELEMENTS, add);
    if (!archive.has(CONTENT)) throw new DocumentError('CORRUPT_FILE', `the part ${CONTENT} is missing`);
    await readXmlPieces(archive.readTextPieces(CONTENT), CONTENT_ELEMENTS, add);
    body.finish();
    if (common !== null) addMargins(common, { builder, styles });
  },
};

/** Adds the headers and footers of all kinds of pages, each once, without numbers of pages (ODF 1.3, 16.9 to 16.15). */
function addMargins(styles: string, context: TextContext): void {
  const { builder } = context;
  const texts = new Set<string>();
  readXmlElements(styles, MARGINS, (margin) => {
    if (margin.attributes['display'] !== 'false') texts.add(blockText(margin, context));
  });
  if (texts.size > 0) builder.leaveHeadings();
  for (const text of texts) builder.block('paragraph', withoutPageNumbers(text, builder));
}

/** The manifest has the keys of encrypted parts (ODF 1.3, part 2, 4.4). */
function rejectEncrypted(archive: ZipArchive): void {
  const manifest = archive.readText('META-INF/manifest.xml');
  if (manifest === null) return;
  for (const entry of descendants(readXmlTree(manifest, 'manifest'), 'file-entry')) {
    if (descendant(entry, 'encryption-data') === undefined) continue;
    throw new DocumentError('PASSWORD_REQUIRED', `${entry.attributes['full-path']} is encrypted`);
  }
}

function addMetadata(archive: ZipArchive, builder: DocumentBuilder): void {
  const text = archive.readText('meta.xml');
  const meta = text === null ? undefined : descendant(readXmlTree(text, 'document-meta'), 'meta');
  const value = (name: string): string | undefined => {
    const element = descendant(meta, name);
    return element === undefined ? undefined : textContent(element);
  };
  builder
    .setTitle(value('title'))
    .setLanguage(value('language'))
    .setMetadata('author', value('initial-creator') ?? value('creator'))
    .setMetadata('subject', value('subject'))
    .setMetadata('keywords', value('keyword'))
    .setMetadata('created', value('creation-date'))
    .setMetadata('modified', value('date'));
}

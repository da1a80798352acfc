import { posix } from 'node:path';
import { ZipArchive } from '../archive/zip-archive.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import type { DocumentParser } from '../document-parser.js';
import { addHtml } from '../html/add-html.js';
import { VOID_ELEMENTS } from '../html/html-elements.js';
import {
  childElements,
  descendant,
  descendants,
  readXmlTree,
  textContent,
  type XmlElement,
} from '../xml/xml-tree.js';

const CONTAINER = 'META-INF/container.xml';
const ENCRYPTION = 'META-INF/encryption.xml';
const PAGE_TYPES: ReadonlySet<string> = new Set(['application/xhtml+xml', 'text/html']);
/** `<a id="x"/>` is a complete element in XHTML, but only a start tag in HTML. */
const EMPTY_ELEMENT = /<([a-z][\w:-]*)(\s[^<>]*?)?\s*\/>/gi;

/** Reads books (EPUB 2 and 3): the pages of the spine in order, each as HTML. */
export const epubParser: DocumentParser = {
  parse({ bytes, onProgress }, builder) {
    const archive = new ZipArchive(bytes);
    const path = packagePath(archive);
    const book = readXmlPart(archive, path, 'package');
    addMetadata(descendant(book, 'metadata'), builder);
    const pages = spine(book, path);
    const encrypted = encryptedFiles(archive);
    if (pages.some((page) => encrypted.has(page))) {
      throw new DocumentError('UNSUPPORTED_FILE', 'pages are encrypted', {
        userMessage:
          'The book has copy protection (DRM) and cannot be read. Upload a copy without protection.',
      });
    }
    for (const [index, page] of pages.entries()) {
      const html = archive.readText(page);
      if (html !== null) addPage(html, builder);
      onProgress({ done: index + 1, total: pages.length });
    }
  },
};

function addPage(html: string, builder: DocumentBuilder): void {
  // A page without headings, such as the imprint, does not belong to a heading of the previous page.
  builder.leaveHeadings();
  addHtml(
    html.replace(EMPTY_ELEMENT, (tag, name: string, attributes: string | undefined) =>
      VOID_ELEMENTS.has(name.toLowerCase()) ? tag : `<${name}${attributes ?? ''}></${name}>`,
    ),
    builder,
  );
}

function packagePath(archive: ZipArchive): string {
  const rootFile = [...descendants(readXmlPart(archive, CONTAINER, 'container'), 'rootfile')][0];
  const path = rootFile?.attributes['full-path'];
  if (path === undefined) throw new DocumentError('CORRUPT_FILE', 'the container names no package');
  return path;
}

/** Paths of the pages in reading order, without the table of contents and auxiliary pages (`linear="no"`). */
function spine(book: XmlElement, path: string): string[] {
  const { dir } = posix.parse(path);
  const items = new Map<string, string>();
  const manifest = descendant(book, 'manifest');
  for (const { attributes } of manifest === undefined ? [] : childElements(manifest, 'item')) {
    const { id, href, 'media-type': type = '', properties = '' } = attributes;
    if (id === undefined || href === undefined || !PAGE_TYPES.has(type)) continue;
    if (!properties.split(/\s+/).includes('nav')) items.set(id, posix.join(dir, unescapePath(href)));
  }
  const list = descendant(book, 'spine');
  return (list === undefined ? [] : childElements(list, 'itemref')).flatMap(({ attributes }) => {
    const page = items.get(attributes['idref'] ?? '');
    return page === undefined || attributes['linear'] === 'no' ? [] : [page];
  });
}

/** Sets title, language and metadata (EPUB 3.3, 5.5). */
function addMetadata(metadata: XmlElement | undefined, builder: DocumentBuilder): void {
  const value = (name: string): string | undefined => {
    const element = descendant(metadata, name);
    return element === undefined ? undefined : textContent(element);
  };
  builder
    .setTitle(value('title'))
    .setLanguage(value('language'))
    .setMetadata('author', value('creator'))
    .setMetadata('publisher', value('publisher'))
    .setMetadata('identifier', value('identifier'))
    .setMetadata('published_at', value('date'));
}

/** The paths of encrypted files. Many books without DRM have encrypted fonts; encrypted pages mean DRM. */
function encryptedFiles(archive: ZipArchive): ReadonlySet<string> {
  if (!archive.has(ENCRYPTION)) return new Set();
  const references = descendants(readXmlPart(archive, ENCRYPTION, 'encryption'), 'CipherReference');
  return new Set([...references].map(({ attributes }) => unescapePath(attributes['URI'] ?? '')));
}

function readXmlPart(archive: ZipArchive, name: string, root: string): XmlElement {
  const text = archive.readText(name);
  if (text === null) throw new DocumentError('CORRUPT_FILE', `the part ${name} is missing`);
  return readXmlTree(text, root);
}

function unescapePath(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

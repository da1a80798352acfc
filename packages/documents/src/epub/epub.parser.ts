import { posix } from 'node:path';
import { targetPart } from '../archive/package-parts.js';
import { ZipArchive } from '../archive/zip-archive.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import type { DocumentParser, ParserInput } from '../document-parser.js';
import { addHtml } from '../html/html.parser.js';
import type { PictureOf } from '../html/page-pictures.js';
import {
  childElements,
  childText,
  descendant,
  descendants,
  readXmlTree,
  tagFreeText,
  type XmlElement,
} from '../xml/xml-tree.js';

const PAGE_TYPES: ReadonlySet<string> = new Set([
  'application/xhtml+xml',
  'text/html',
  'text/x-oeb1-document',
]);

const PAGE_NAME = /\.x?html?$/i;
const PAGE_LINK = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

const CONTAINER = 'META-INF/container.xml';
const ENCRYPTION = 'META-INF/encryption.xml';
const MAX_NAMED_PAGES = 5;

/** Reads books (EPUB 2 and 3): the pages of the spine in order, each as HTML, and notes after the page that links to them. */
export const epubParser: DocumentParser = {
  parse({ bytes, container, onProgress }, builder) {
    const archive = new ZipArchive(bytes, container?.archive);
    const path = packagePath(archive);
    const book = readXmlPart(archive, path, 'package');
    addMetadata(descendant(book, 'metadata'), builder);
    const pages = readPages(book, posix.parse(path).dir, archive);
    const encrypted = encryptedFiles(archive);
    if ([...pages.main, ...pages.auxiliary].some((page) => encrypted.has(page))) {
      throw new DocumentError('UNSUPPORTED_FILE', 'pages are encrypted', {
        userMessage:
          'The book has copy protection (DRM) and cannot be read. Upload a copy without protection.',
      });
    }
    new BookReader(archive, pages, builder).read(onProgress);
    if (pages.missing.length > 0) builder.warn('PARTLY_READ', missingPages(pages.missing));
  },
};

/** Adds each page once: those of the reading order, and after each of them the notes that it links to. */
class BookReader {
  private readonly added = new Set<string>();

  constructor(
    private readonly archive: ZipArchive,
    private readonly pages: EpubPages,
    private readonly builder: DocumentBuilder,
  ) {}

  read(onProgress: ParserInput['onProgress']): void {
    const { main, auxiliary, unlisted } = this.pages;
    for (const [index, page] of main.entries()) {
      this.addWithNotes(page);
      onProgress({ done: index + 1, total: main.length });
    }
    for (const page of auxiliary) if (!this.added.has(page)) this.addWithNotes(page);
    for (const page of unlisted) {
      // No link has this target.
      if (!this.added.has(page))
        this.builder.leaveOut('hidden', tagFreeText(this.archive.readText(page) ?? ''));
    }
  }

  private addWithNotes(first: string): void {
    const queue = [first];
    for (const page of queue) {
      if (this.added.has(page)) continue;
      this.added.add(page);
      const html = this.archive.readText(page);
      if (html === null) continue;
      addPage(html, this.builder, (address) => {
        const name = this.archive.nameOf(targetPart(posix.dirname(page), address));
        return name === undefined ? null : this.archive.picture(name);
      });
      for (const linked of linkedFiles(html, page, this.archive)) {
        const isNote = this.pages.auxiliary.has(linked) || this.pages.unlisted.has(linked);
        if (isNote && !this.added.has(linked)) queue.push(linked);
      }
    }
  }
}

function missingPages(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_NAMED_PAGES).join(', ');
  return `${paths.length} ${paths.length === 1 ? 'page' : 'pages'} of the book cannot be read, because the file lacks them: ${shown}. Upload a complete copy of the book.`;
}

function addPage(xhtml: string, builder: DocumentBuilder, pictureOf: PictureOf): void {
  // A page without headings, such as the imprint, does not belong to a heading of the previous page.
  builder.leaveHeadings();
  addHtml(xhtml, builder, { isXhtml: true, pictureOf });
}

function packagePath(archive: ZipArchive): string {
  const rootFile = [...descendants(readXmlPart(archive, CONTAINER, 'container'), 'rootfile')][0];
  const path = rootFile?.attributes['full-path'];
  if (path === undefined) throw new DocumentError('CORRUPT_FILE', 'the container names no package');
  return path;
}

/** Sets title, language and metadata (EPUB 3.3, 5.5). */
function addMetadata(metadata: XmlElement | undefined, builder: DocumentBuilder): void {
  const value = (name: string): string | undefined => childText(metadata, name);
  builder
    .setTitle(value('title'))
    .setLanguage(value('language'))
    .setMetadata('author', value('creator'))
    .setMetadata('publisher', value('publisher'))
    .setMetadata('identifier', value('identifier'))
    .setMetadata('published_at', value('date'));
}

/** The paths of encrypted files. Many books without DRM have encrypted fonts; encrypted pages mean DRM. */
function encryptedFiles(archive: ZipArchive): ReadonlySet<string | undefined> {
  if (!archive.has(ENCRYPTION)) return new Set();
  const references = descendants(readXmlPart(archive, ENCRYPTION, 'encryption'), 'CipherReference');
  return new Set(
    [...references].map(({ attributes }) => archive.nameOf(targetPart('', attributes['URI'] ?? ''))),
  );
}

function readXmlPart(archive: ZipArchive, name: string, root: string): XmlElement {
  const text = archive.readText(name);
  if (text === null) throw new DocumentError('CORRUPT_FILE', `the part ${name} is missing`);
  return readXmlTree(text, root);
}

/** The pages of a book, by their names in the archive. */
interface EpubPages {
  /** In reading order. */
  readonly main: readonly string[];
  /** Pages outside of the reading order that readers open by a link, such as notes (`linear="no"`). */
  readonly auxiliary: ReadonlySet<string>;
  /** Pages that only the manifest lists. */
  readonly unlisted: ReadonlySet<string>;
  /** Paths in the reading order that are not in the archive. */
  readonly missing: readonly string[];
}

/**
 * @param book the root of the package document
 * @param folder of the package document
 */
function readPages(book: XmlElement, folder: string, archive: ZipArchive): EpubPages {
  const items = new Map<string, { readonly name: string | undefined; readonly href: string }>();
  const unlisted = new Set<string>();
  const manifest = descendant(book, 'manifest');
  for (const { attributes } of childElements(manifest, 'item')) {
    const { id, href, 'media-type': type = '', properties = '' } = attributes;
    if (href === undefined || !(PAGE_TYPES.has(type) || PAGE_NAME.test(href.replace(/[?#].*$/s, ''))))
      continue;
    // The table of contents.
    if (properties.split(/\s+/).includes('nav')) continue;
    const name = archive.nameOf(targetPart(folder, href));
    if (id !== undefined) items.set(id, { name, href });
    if (name !== undefined) unlisted.add(name);
  }
  const main = new Set<string>();
  const auxiliary = new Set<string>();
  const missing: string[] = [];
  const list = descendant(book, 'spine');
  for (const { attributes } of childElements(list, 'itemref')) {
    const item = items.get(attributes['idref'] ?? '');
    if (item === undefined) continue;
    if (item.name === undefined) missing.push(item.href);
    else if (attributes['linear'] === 'no') auxiliary.add(item.name);
    else main.add(item.name);
  }
  for (const name of main) auxiliary.delete(name);
  for (const name of [...main, ...auxiliary]) unlisted.delete(name);
  return { main: [...main], auxiliary, unlisted, missing };
}

/** The files that a page links to, in the order of the links. */
function* linkedFiles(html: string, page: string, archive: ZipArchive): Generator<string> {
  const { dir } = posix.parse(page);
  for (const [, double, single] of html.matchAll(PAGE_LINK)) {
    const found = archive.nameOf(targetPart(dir, (double ?? single ?? '').replaceAll('&amp;', '&')));
    if (found !== undefined) yield found;
  }
}

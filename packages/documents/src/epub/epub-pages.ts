import { posix } from 'node:path';
import type { ZipArchive } from '../archive/zip-archive.js';
import { childElements, descendant, type XmlElement } from '../xml/xml-tree.js';

const PAGE_TYPES: ReadonlySet<string> = new Set([
  'application/xhtml+xml',
  'text/html',
  'text/x-oeb1-document',
]);
const PAGE_NAME = /\.x?html?$/i;
const LINK = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

/** The pages of a book, by their names in the archive. */
export interface EpubPages {
  /** In reading order. */
  readonly main: readonly string[];
  /** Pages outside of the reading order that readers open by a link, such as notes (`linear="no"`). */
  readonly auxiliary: ReadonlySet<string>;
  /** Pages that only the manifest lists. */
  readonly unlisted: ReadonlySet<string>;
  /** Paths in the reading order that are not in the archive. */
  readonly missing: readonly string[];
}

/** Finds files of an archive as reading systems do, which forgive other case and escapes. */
export class EpubFiles {
  private readonly byKey = new Map<string, string>();

  constructor(archive: ZipArchive) {
    for (const name of archive.names) this.byKey.set(keyOf(name), name);
    for (const name of archive.names) this.byKey.set(name, name);
  }

  /**
   * @param folder of the file that has the reference
   * @returns the name in the archive; undefined when there is no such file
   */
  find(folder: string, reference: string): string | undefined {
    const path = reference.replace(/[?#].*$/s, '');
    if (path === '' || /^[a-z][\w+.-]*:/i.test(path)) return undefined;
    for (const variant of [path, unescapePath(path)]) {
      const name = variant.startsWith('/') ? variant.slice(1) : posix.join(folder, variant);
      const found = this.byKey.get(name) ?? this.byKey.get(keyOf(name));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/**
 * @param book the root of the package document
 * @param folder of the package document
 */
export function readPages(book: XmlElement, folder: string, files: EpubFiles): EpubPages {
  const items = new Map<string, { readonly name: string | undefined; readonly href: string }>();
  const unlisted = new Set<string>();
  const manifest = descendant(book, 'manifest');
  for (const { attributes } of manifest === undefined ? [] : childElements(manifest, 'item')) {
    const { id, href, 'media-type': type = '', properties = '' } = attributes;
    if (href === undefined || !(PAGE_TYPES.has(type) || PAGE_NAME.test(href.replace(/[?#].*$/s, ''))))
      continue;
    // The table of contents.
    if (properties.split(/\s+/).includes('nav')) continue;
    const name = files.find(folder, href);
    if (id !== undefined) items.set(id, { name, href });
    if (name !== undefined) unlisted.add(name);
  }
  const main = new Set<string>();
  const auxiliary = new Set<string>();
  const missing: string[] = [];
  const list = descendant(book, 'spine');
  for (const { attributes } of list === undefined ? [] : childElements(list, 'itemref')) {
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
export function* linkedFiles(html: string, page: string, files: EpubFiles): Generator<string> {
  const { dir } = posix.parse(page);
  for (const [, double, single] of html.matchAll(LINK)) {
    const found = files.find(dir, (double ?? single ?? '').replaceAll('&amp;', '&'));
    if (found !== undefined) yield found;
  }
}

function unescapePath(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

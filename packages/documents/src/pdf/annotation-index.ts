import { isUtf8 } from 'node:buffer';
import type { PdfObject } from './pdf-objects.js';
import { asArray, asDictionary, type PdfDictionary, PdfReference, type PdfValue } from './pdf-values.js';

/** A link on a page: its address and its rectangle in PDF points. */
export interface PdfLink {
  readonly address: string;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

/** A link annotation. `action` is the address, or the object number of an indirect action. */
interface Annotation extends Omit<PdfLink, 'address'> {
  readonly action: string | number;
}

/**
 * An annotation of a page: a link, the object number of an indirect annotation, or null for another
 * annotation.
 */
type Entry = Annotation | number | null;

// Limits far above what real files have. Anything beyond them is ignored.
const MAX_LINKS_PER_PAGE = 300;
const MAX_ENTRIES_PER_PAGE = 2000;
const MAX_NON_LINKS_PER_PAGE = 1000;
const MAX_DUPLICATES = 10;
const MAX_ENTRIES = 1_000_000;
const MAX_LINKS = 300_000;
const MAX_ADDRESS_CHARACTERS = 20_000_000;

const LINK = /\/Subtype\s*\/Link\b/;
const INDIRECT_ACTION = /\/A\s+\d/;

/** What the index keeps of an object. The list of a page is an object number if it is an indirect object. */
type IndexedObject =
  | { readonly kind: 'page'; readonly list: readonly Entry[] | number }
  | { readonly kind: 'annotation'; readonly annotation: Annotation }
  | { readonly kind: 'action'; readonly address: string };

/**
 * Index of the annotations of a file by object number: links with address and rectangle, and whether a page
 * has other annotations. Of several objects with the same number, the last one counts.
 */
export class AnnotationIndex {
  private readonly indexed = new Map<number, IndexedObject>();
  private readonly lists = new Map<number, readonly Entry[]>();
  /** Object numbers of all links, including links within the file. */
  private readonly links = new Set<number>();
  /** Links with indirect actions. */
  private readonly indirectLinks = new Map<number, Annotation>();
  /** Distinct addresses, so that equal addresses share one string. */
  private readonly addresses = new Map<string, string>();
  private hasAddresses = false;
  private linkCount = 0;
  private entryCount = 0;
  private characterCount = 0;

  /** Call this for all objects in file order. */
  add(object: PdfObject): void {
    this.indexed.delete(object.number);
    this.links.delete(object.number);
    if (this.links.size < MAX_ENTRIES && object.has('/Link') && LINK.test(object.source))
      this.links.add(object.number);
    const hasAddress = object.has('/URI');
    this.hasAddresses ||= hasAddress;
    const indexed = object.has('/Annots')
      ? this.pageOf(object)
      : hasAddress
        ? this.linkOrActionOf(object)
        : null;
    if (indexed !== null) this.indexed.set(object.number, indexed);
  }

  /**
   * Returns a function to call for all objects again, which resolves indirect annotation lists and actions;
   * null if the file has none, as most files.
   */
  secondPass(): ((object: PdfObject) => void) | null {
    const missing = new Set<number>();
    let hasActions = false;
    for (const indexed of this.indexed.values()) {
      if (indexed.kind === 'page' && typeof indexed.list === 'number') missing.add(indexed.list);
      else if (indexed.kind === 'action') hasActions = true;
    }
    if (missing.size === 0 && !hasActions) return null;
    return (object) => {
      if (missing.has(object.number)) this.lists.set(object.number, this.entriesOf(object.read()));
      if (hasActions) this.addIndirectLink(object);
    };
  }

  /**
   * The links of a page in the order of its annotation list, at most 300.
   *
   * @param page object number of the page
   */
  linksOf(page: number): PdfLink[] {
    const links: PdfLink[] = [];
    for (const entry of this.entriesOn(page)) {
      const link = this.linkAt(entry);
      if (link !== null) links.push(link);
      if (links.length >= MAX_LINKS_PER_PAGE) break;
    }
    return links;
  }

  /**
   * Whether a page has annotations other than links. False for a page with more than 1,000 of them or with
   * many duplicates, because reading them would be too expensive.
   *
   * @param page object number of the page
   */
  hasNonLinks(page: number): boolean {
    const nonLinks = this.entriesOn(page).filter(
      (entry) => entry === null || (typeof entry === 'number' && !this.links.has(entry)),
    );
    const numbers = nonLinks.filter((entry) => entry !== null);
    return (
      nonLinks.length > 0 &&
      nonLinks.length <= MAX_NON_LINKS_PER_PAGE &&
      numbers.length - new Set(numbers).size <= MAX_DUPLICATES
    );
  }

  private entriesOn(page: number): readonly Entry[] {
    const indexed = this.indexed.get(page);
    if (indexed?.kind !== 'page') return [];
    return typeof indexed.list === 'number' ? (this.lists.get(indexed.list) ?? []) : indexed.list;
  }

  private linkAt(entry: Entry): PdfLink | null {
    if (entry === null) return null;
    const annotation = typeof entry === 'number' ? this.annotationAt(entry) : entry;
    if (annotation === undefined) return null;
    const { action, ...box } = annotation;
    if (typeof action === 'string') return { ...box, address: action };
    const indexed = this.indexed.get(action);
    return indexed?.kind === 'action' ? { ...box, address: indexed.address } : null;
  }

  private annotationAt(number: number): Annotation | undefined {
    const indexed = this.indexed.get(number);
    return indexed?.kind === 'annotation' ? indexed.annotation : this.indirectLinks.get(number);
  }

  private pageOf(object: PdfObject): IndexedObject {
    const list = object.readDictionary()?.get('/Annots');
    return { kind: 'page', list: list instanceof PdfReference ? list.number : this.entriesOf(list) };
  }

  private linkOrActionOf(object: PdfObject): IndexedObject | null {
    const dictionary = object.readDictionary();
    if (dictionary === undefined || this.linkCount >= MAX_LINKS) return null;
    this.linkCount += 1;
    const annotation = this.annotationOf(dictionary);
    if (annotation !== null) return { kind: 'annotation', annotation };
    const address = this.addressOf(dictionary);
    return address === null ? null : { kind: 'action', address };
  }

  private addIndirectLink(object: PdfObject): void {
    this.indirectLinks.delete(object.number);
    if (this.linkCount >= MAX_LINKS || !object.has('/Link') || !INDIRECT_ACTION.test(object.source)) return;
    const dictionary = object.readDictionary();
    const annotation = dictionary === undefined ? null : this.annotationOf(dictionary);
    if (annotation === null) return;
    this.linkCount += 1;
    this.indirectLinks.set(object.number, annotation);
  }

  private entriesOf(list: PdfValue | undefined): Entry[] {
    const entries: Entry[] = [];
    for (const item of asArray(list) ?? []) {
      if (entries.length >= MAX_ENTRIES_PER_PAGE || this.entryCount >= MAX_ENTRIES) break;
      const dictionary = asDictionary(item);
      const entry = item instanceof PdfReference ? item.number : dictionary && this.annotationOf(dictionary);
      const isLink = dictionary?.get('/Subtype') === '/Link';
      if (entry === undefined || (entry === null && isLink)) continue;
      entries.push(entry);
      this.entryCount += 1;
    }
    return entries;
  }

  /** @returns null when the annotation is not a link, or is a link within the file */
  private annotationOf(dictionary: PdfDictionary): Annotation | null {
    const rectangle = asArray(dictionary.get('/Rect'))?.filter((value) => typeof value === 'number') ?? [];
    const [x1, y1, x2, y2] = rectangle;
    const value = dictionary.get('/A');
    const action = value instanceof PdfReference ? value.number : this.addressOf(asDictionary(value));
    if (dictionary.get('/Subtype') !== '/Link' || action === null) return null;
    if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return null;
    return {
      action,
      left: Math.min(x1, x2),
      right: Math.max(x1, x2),
      bottom: Math.min(y1, y2),
      top: Math.max(y1, y2),
    };
  }

  /** The address of a URI action (ISO 32000-1, 12.6.4.7); null when it is not a web or mail address. */
  private addressOf(action: PdfDictionary | undefined): string | null {
    const uri = action?.get('/URI');
    if (action?.get('/S') !== '/URI' || !Buffer.isBuffer(uri)) return null;
    const address = addressOf(uri);
    if (address === null) return null;
    const known = this.addresses.get(address);
    if (known !== undefined) return known;
    this.characterCount += address.length;
    if (this.characterCount > MAX_ADDRESS_CHARACTERS) return null;
    this.addresses.set(address, address);
    return address;
  }
}

/** Longer addresses contain data and are useless to a reader. */
const MAX_CHARACTERS = 2000;
const WANTED = /^(?:https?:\/\/[^/?#]|mailto:[^?])/i;

/**
 * Decodes a web or mail address from a PDF string, without control characters and with white space escaped.
 *
 * @returns null for other schemes, relative addresses, and addresses of more than 2,000 characters
 */
export function addressOf(bytes: Buffer): string | null {
  // A character has at most four bytes.
  if (bytes.length > MAX_CHARACTERS * 4) return null;
  const address = bytes
    .toString(isUtf8(bytes) ? 'utf8' : 'latin1')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .replace(/\p{Z}/gu, '%20');
  return address.length <= MAX_CHARACTERS && WANTED.test(address) ? address : null;
}

/** Whether the words contain the address (or its DOI), ignoring case, scheme, `www.` and line breaks. */
export function showsAddress(words: string, address: string): boolean {
  return keyOf(words).includes(keyOf(address.replace(/^mailto:([^?]+).*/i, '$1')));
}

/**
 * Normalizes a text for comparison: removes what typesetting adds or drops, and scheme, `www.` and final
 * slash.
 */
function keyOf(text: string): string {
  return unescaped(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{Pd}\p{M}\p{Cc}\p{Cf}~∼_'’]+/gu, '')
    .replace(/^(?:https?:\/\/|mailto:)?(?:www\.|(?:dx\.)?doi\.org\/)?/, '')
    .replace(/\/$/, '');
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

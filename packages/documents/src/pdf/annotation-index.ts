import { addressOf } from './link-address.js';
import type { PdfObject } from './pdf-objects.js';
import { asArray, asDictionary, type PdfDictionary, PdfReference, type PdfValue } from './pdf-values.js';

/** A place on a page that leads to an address, in points of the page. */
export interface PdfLink {
  readonly address: string;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

/** A link whose action may be an object of its own, and is its number then. */
interface Annotation extends Omit<PdfLink, 'address'> {
  readonly action: string | number;
}

/** A link of a page, or the number of the object that is an annotation; null is an annotation that is no link. */
type Entry = Annotation | number | null;

/** More than anybody reads on one page, and more than files have; what is more is left out. */
const MAX_LINKS_PER_PAGE = 300;
const MAX_ENTRIES_PER_PAGE = 2000;
const MAX_OTHERS_PER_PAGE = 1000;
const MAX_REPEATED = 10;
const MAX_ENTRIES = 1_000_000;
const MAX_LINKS = 300_000;
const MAX_ADDRESS_CHARACTERS = 20_000_000;

const LINK = /\/Subtype\s*\/Link\b/;
const ACTION_ELSEWHERE = /\/A\s+\d/;

/** A page's list is an object of its own where it is a number. */
type Found =
  | { readonly kind: 'page'; readonly list: readonly Entry[] | number }
  | { readonly kind: 'annotation'; readonly annotation: Annotation }
  | { readonly kind: 'action'; readonly address: string };

/**
 * What of a file's objects has to do with annotations, by their numbers: links whole, of others that there are some. Of
 * objects with the same number the last counts.
 */
export class AnnotationIndex {
  private readonly found = new Map<number, Found>();
  private readonly lists = new Map<number, readonly Entry[]>();
  /** Objects that are links, wherever they lead. */
  private readonly links = new Set<number>();
  /** Links whose actions are objects of their own. */
  private readonly referring = new Map<number, Annotation>();
  /** Each once. */
  private readonly addresses = new Map<string, string>();
  private hasAddresses = false;
  private linkCount = 0;
  private entryCount = 0;
  private characterCount = 0;

  /** To be called for all objects of the file, in its order. */
  add(object: PdfObject): void {
    this.found.delete(object.number);
    this.links.delete(object.number);
    if (this.links.size < MAX_ENTRIES && object.has('/Link') && LINK.test(object.source))
      this.links.add(object.number);
    const hasAddress = object.has('/URI');
    this.hasAddresses ||= hasAddress;
    const found = object.has('/Annots')
      ? this.pageOf(object)
      : hasAddress
        ? this.linkOrActionOf(object)
        : null;
    if (found !== null) this.found.set(object.number, found);
  }

  /** What is only referred to, which most files have nothing of: null, or to be called for all objects once more. */
  secondPass(): ((object: PdfObject) => void) | null {
    const missing = new Set<number>();
    let hasActions = false;
    for (const found of this.found.values()) {
      if (found.kind === 'page' && typeof found.list === 'number') missing.add(found.list);
      else if (found.kind === 'action') hasActions = true;
    }
    if (missing.size === 0 && !hasActions) return null;
    return (object) => {
      if (missing.has(object.number)) this.lists.set(object.number, this.entriesOf(object.read()));
      if (hasActions) this.addReferring(object);
    };
  }

  /** In the order in which the file lists them. @param page number of the page's object */
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
   * Whether a page has annotations that are no links. A page that lists so many, or the same again and again, as nobody
   * fills in has none: whoever reads them pays for each.
   *
   * @param page number of the page's object
   */
  hasOthers(page: number): boolean {
    const others = this.entriesOn(page).filter(
      (entry) => entry === null || (typeof entry === 'number' && !this.links.has(entry)),
    );
    const numbers = others.filter((entry) => entry !== null);
    return (
      others.length > 0 &&
      others.length <= MAX_OTHERS_PER_PAGE &&
      numbers.length - new Set(numbers).size <= MAX_REPEATED
    );
  }

  private entriesOn(page: number): readonly Entry[] {
    const found = this.found.get(page);
    if (found?.kind !== 'page') return [];
    return typeof found.list === 'number' ? (this.lists.get(found.list) ?? []) : found.list;
  }

  private linkAt(entry: Entry): PdfLink | null {
    if (entry === null) return null;
    const annotation = typeof entry === 'number' ? this.annotationAt(entry) : entry;
    if (annotation === undefined) return null;
    const { action, ...place } = annotation;
    if (typeof action === 'string') return { ...place, address: action };
    const found = this.found.get(action);
    return found?.kind === 'action' ? { ...place, address: found.address } : null;
  }

  private annotationAt(number: number): Annotation | undefined {
    const found = this.found.get(number);
    return found?.kind === 'annotation' ? found.annotation : this.referring.get(number);
  }

  private pageOf(object: PdfObject): Found {
    const list = object.readDictionary()?.get('/Annots');
    return { kind: 'page', list: list instanceof PdfReference ? list.number : this.entriesOf(list) };
  }

  private linkOrActionOf(object: PdfObject): Found | null {
    const dictionary = object.readDictionary();
    if (dictionary === undefined || this.linkCount >= MAX_LINKS) return null;
    this.linkCount += 1;
    const annotation = this.annotationOf(dictionary);
    if (annotation !== null) return { kind: 'annotation', annotation };
    const address = this.addressOf(dictionary);
    return address === null ? null : { kind: 'action', address };
  }

  private addReferring(object: PdfObject): void {
    this.referring.delete(object.number);
    if (this.linkCount >= MAX_LINKS || !object.has('/Link') || !ACTION_ELSEWHERE.test(object.source)) return;
    const dictionary = object.readDictionary();
    const annotation = dictionary === undefined ? null : this.annotationOf(dictionary);
    if (annotation === null) return;
    this.linkCount += 1;
    this.referring.set(object.number, annotation);
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

  /** Null when it is no link, or one to another place of the file. */
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

  /** Where an action leads (ISO 32000-1, 12.6.4.7); null when that is no address that a reader wants. */
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

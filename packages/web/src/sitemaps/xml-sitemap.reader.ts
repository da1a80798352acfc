import { SaxesParser, type SaxesTagNS } from 'saxes';

const URLSET: SitemapFormat = { kind: 'urlset', entryName: 'url', entryKind: 'page', urlFields: ['loc'] };

const SITEMAP_INDEX: SitemapFormat = {
  kind: 'index',
  entryName: 'sitemap',
  entryKind: 'sitemap',
  urlFields: ['loc'],
};

const RSS: SitemapFormat = {
  kind: 'feed',
  entryName: 'item',
  entryKind: 'page',
  urlFields: ['link', 'guid'],
};

const ATOM: SitemapFormat = { kind: 'feed', entryName: 'entry', entryKind: 'page', urlFields: ['link'] };

/** By the name of the root element. `rdf` is RSS 1.0. */
const SITEMAP_FORMATS: ReadonlyMap<string, SitemapFormat> = new Map([
  ['urlset', URLSET],
  ['sitemapindex', SITEMAP_INDEX],
  ['rss', RSS],
  ['rdf', RSS],
  ['feed', ATOM],
]);

interface OpenEntry {
  uri: string;
  fields: Map<string, string>;
}

/** Every start tag looks up its namespace in all open elements. */
const MAX_DEPTH = 100;
/** Of one element. */
const MAX_ATTRIBUTES = 1000;
/** The parser cannot be stopped while it parses a text, so it gets this many characters at once. */
const STEP_LENGTH = 1024;
/** The parser buffers each token until its end. Sitemaps have no longer ones. */
const MAX_TOKEN_LENGTH = 1024 * 1024;
/**
 * An `&` that starts no reference, as in `<loc>/?a=1&b=2</loc>`: the most common error in sitemaps. The
 * parser would read everything up to the next semicolon as the name of an entity.
 */
const BARE_AMPERSAND = /&(?!(?:\w{1,31}|#\d{1,7}|#x[\da-f]{1,6});)/gi;
/** A reference that may continue in the next piece. */
const PARTIAL_REFERENCE = /&[\w#]{0,31}$/;

/**
 * Reads `urlset`, `sitemapindex`, RSS and Atom, with any prefix. A field counts if it is a child of its entry
 * and in the same namespace. So `image:loc`, `atom:link` and `xhtml:link` do not count.
 *
 * Only the five entities of XML are known. A file that declares others is refused.
 */
export class XmlSitemapReader implements SitemapReader {
  isStopped = false;
  private readonly parser = new LenientParser({ xmlns: true, position: false });
  private partialReference = '';
  /** Names of the open elements. */
  private readonly open: string[] = [];
  private format: SitemapFormat | null = null;
  private entry: OpenEntry | null = null;
  private field: { name: string; text: string } | null = null;
  private found: SitemapEntry[] = [];
  private tokenLength = 0;
  private attributes = 0;
  private hasRoot = false;
  private rootHasEnded = false;

  constructor(
    private readonly report: SitemapReport,
    private readonly baseUrl: string,
  ) {
    this.parser.on('attribute', () => this.countAttribute());
    this.parser.on('opentag', (tag) => this.openTag(tag));
    this.parser.on('closetag', () => this.closeTag());
    this.parser.on('text', (text) => this.appendText(text));
    // `write` has escaped the ampersands of CDATA, too.
    this.parser.on('cdata', (text) => this.appendText(text.replaceAll('&amp;', '&')));
    this.parser.on('comment', () => this.endToken());
    this.parser.on('processinginstruction', () => this.endToken());
    this.parser.on('doctype', (doctype) => {
      this.endToken();
      if (/<!ENTITY/i.test(doctype)) this.stop('ENTITIES_REFUSED');
    });
  }

  write(text: string): SitemapEntry[] {
    const all = this.partialReference + text;
    this.partialReference = PARTIAL_REFERENCE.exec(all.slice(-32))?.[0] ?? '';
    this.parse(all.slice(0, all.length - this.partialReference.length));
    return this.found.splice(0);
  }

  end(): SitemapEntry[] {
    this.parse(this.partialReference);
    if (!this.rootHasEnded) {
      this.finishEntry();
      this.report.cut('TRUNCATED');
    }
    return this.found.splice(0);
  }

  private parse(text: string): void {
    const escaped = text.replace(BARE_AMPERSAND, '&amp;');
    for (let at = 0; at < escaped.length && !this.isStopped; at += STEP_LENGTH) {
      const step = escaped.slice(at, at + STEP_LENGTH);
      this.parser.write(step);
      this.tokenLength += step.length;
      if (this.tokenLength > MAX_TOKEN_LENGTH) this.stop('TRUNCATED');
    }
  }

  private openTag({ local, uri, attributes }: SaxesTagNS): void {
    this.endToken();
    const name = local.toLowerCase();
    const parent = this.open.at(-1);
    this.open.push(name);
    if (this.open.length > MAX_DEPTH) this.stop('TRUNCATED');
    if (!this.hasRoot) this.recognize(name);
    if (this.format === null) return;
    if (name === this.format.entryName) {
      // The previous entry may lack its end tag.
      this.finishEntry();
      this.entry = { uri, fields: new Map() };
    } else if (this.entry && parent === this.format.entryName && uri === this.entry.uri) {
      this.openField(this.entry, name, attributes);
    }
  }

  private countAttribute(): void {
    this.attributes += 1;
    if (this.attributes > MAX_ATTRIBUTES) this.stop('TRUNCATED');
  }

  private openField({ fields }: OpenEntry, name: string, attributes: SaxesTagNS['attributes']): void {
    const value = (attribute: string): string => attributes[attribute]?.value.trim() ?? '';
    // An Atom link has its URL in an attribute. Other relations lead to comments, enclosures or the feed.
    if (name === 'link' && value('href') !== '' && /^(alternate)?$/i.test(value('rel')) && !fields.has(name))
      fields.set(name, value('href'));
    if (name === 'guid' && value('isPermaLink').toLowerCase() === 'false') return;
    this.field = { name, text: '' };
  }

  private closeTag(): void {
    this.endToken();
    const name = this.open.pop();
    if (this.open.length === 0) this.rootHasEnded = true;
    if (this.field && name === this.field.name) {
      const { text } = this.field;
      if (text.trim() !== '' && !this.entry?.fields.has(name)) this.entry?.fields.set(name, text);
      this.field = null;
    }
    if (name === this.format?.entryName) this.finishEntry();
  }

  private finishEntry(): void {
    if (this.entry === null || this.format === null) return;
    const { fields } = this.entry;
    const [name = ''] = this.format.urlFields.filter((field) => fields.has(field));
    const entry = toEntry(fields.get(name) ?? '', this.baseUrl, this.format.entryKind);
    if (entry) this.found.push(entry);
    this.entry = null;
    this.field = null;
  }

  private recognize(root: string): void {
    this.hasRoot = true;
    if (this.isStopped) return;
    this.format = SITEMAP_FORMATS.get(root) ?? null;
    this.isStopped = this.format === null;
    this.report.kind = this.format?.kind ?? (root === 'html' ? 'html' : 'unknown');
  }

  private appendText(text: string): void {
    this.endToken();
    if (this.field && this.field.text.length <= MAX_ENTRY_URL_LENGTH) this.field.text += text;
  }

  private stop(code: SitemapProblemCode): void {
    this.isStopped = true;
    this.report.cut(code);
  }

  private endToken(): void {
    this.tokenLength = 0;
    this.attributes = 0;
  }
}

/**
 * Ignores XML errors. The parser would create an Error with its stack for each, which takes seconds for a
 * million.
 */
class LenientParser extends SaxesParser<{ xmlns: true; position: false }> {
  override fail(): this {
    return this;
  }
}

/** How an XML format lists pages. Element names are in lower case and without prefix. */
interface SitemapFormat {
  kind: SitemapKind;
  entryName: string;
  entryKind: SitemapEntry['kind'];
  /** By precedence, if an entry has several. */
  urlFields: readonly string[];
}

export const MAX_ENTRY_URL_LENGTH = 8192;

/** Reads one format, piece by piece. Errors in the file go into the report; nothing throws. */
export interface SitemapReader {
  /** Whether the rest of the file is useless. */
  readonly isStopped: boolean;
  /** @returns the entries that end in this piece */
  write(text: string): SitemapEntry[];
  /** Ends the file. Not called for a truncated file. @returns the last entries */
  end(): SitemapEntry[];
}

export interface SitemapEntry {
  /** Absolute, http or https, without fragment. Not normalized further. */
  url: string;
  /** A page, or another sitemap in an index. */
  kind: 'page' | 'sitemap';
}

/** @returns null for a URL that is malformed, too long, or not http or https */
export function toEntry(url: string, base: string, kind: SitemapEntry['kind']): SitemapEntry | null {
  const trimmed = url.trim();
  if (trimmed === '' || trimmed.length > MAX_ENTRY_URL_LENGTH) return null;
  const parsed = URL.parse(trimmed, base);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return null;
  parsed.hash = '';
  return { url: parsed.href, kind };
}

export type SitemapKind =
  | 'urlset'
  /** A list of sitemaps. */
  | 'index'
  /** RSS 0.9x, 1.0 or 2.0, or Atom. */
  | 'feed'
  /** One URL per line. */
  | 'text'
  /** A web page, which servers send instead of a missing file. */
  | 'html'
  | 'unknown';

/** Why a file was not read to its end. */
export type SitemapProblemCode =
  /** The file ends early, is damaged, or has a structure that no sitemap has. */
  | 'TRUNCATED'
  /** More bytes than allowed, after decompression. */
  | 'TOO_LARGE'
  /** More entries than allowed. */
  | 'TOO_MANY_ENTRIES'
  /** The compression ratio is implausible. */
  | 'DECOMPRESSION_BOMB'
  /** It declares entities, which can expand to any size and are not needed in a sitemap. */
  | 'ENTITIES_REFUSED';

/** What is known about a file as far as it has been read. */
export interface SitemapSummary {
  kind: SitemapKind;
  /** Number of entries returned. */
  entries: number;
  /** Why the file was not read to its end; null if it was. */
  cutBy: SitemapProblemCode | null;
  /** Whether the whole file was read: a URL that is not listed is then not in the sitemap. */
  isComplete: boolean;
}

/** Collects the summary while a file is read. */
export class SitemapReport {
  kind: SitemapKind = 'unknown';
  entries = 0;
  /** Set at the end of the file. */
  hasEnded = false;
  cutBy: SitemapProblemCode | null = null;

  /** Records why the rest of the file is not read. The first reason counts. */
  cut(code: SitemapProblemCode): void {
    this.cutBy ??= code;
  }

  toSummary(): SitemapSummary {
    const { kind, entries, cutBy } = this;
    const isComplete = this.hasEnded && cutBy === null && kind !== 'unknown' && kind !== 'html';
    return { kind, entries, cutBy, isComplete };
  }
}

import { SaxesParser, type SaxesTagNS } from 'saxes';
import { BareAmpersands } from './bare-ampersands.js';
import { MAX_ENTRY_URL_LENGTH, type SitemapEntry, toEntry } from './sitemap-entry.js';
import { FORMATS, type SitemapFormat } from './sitemap-format.js';
import type { SitemapReader } from './sitemap-reader.js';
import type { SitemapProblemCode, SitemapReport } from './sitemap-summary.js';

interface OpenElement {
  name: string;
  uri: string;
  /** What relative addresses in it are relative to; `xml:base` changes it. */
  base: string;
}

interface OpenEntry {
  uri: string;
  base: string;
  fields: Map<string, string>;
}

/** Names are looked up in all open elements. */
const MAX_DEPTH = 100;
/** Of one element. */
const MAX_ATTRIBUTES = 1000;
/** The parser cannot be stopped in what it was given, so it is given little at a time. */
const STEP_LENGTH = 1024;
/** The parser keeps a token until it ends; no token of a sitemap is longer. */
const MAX_TOKEN_LENGTH = 1024 * 1024;

/**
 * Reads `urlset`, `sitemapindex`, RSS and Atom, with any prefix. A field counts if it stands directly in its entry and
 * in the entry's namespace, so that `image:loc`, `atom:link` and `xhtml:link` do not.
 *
 * No entity but XML's own five is known. A file that declares others is refused.
 */
export class XmlSitemapReader implements SitemapReader {
  isStopped = false;
  private readonly parser = new LenientParser((message) => this.noteError(message));
  private readonly ampersands = new BareAmpersands();
  private mended = 0;
  private readonly open: OpenElement[] = [];
  private format: SitemapFormat | null = null;
  private entry: OpenEntry | null = null;
  private field: { name: string; text: string; isDoubtful: boolean } | null = null;
  private found: SitemapEntry[] = [];
  private tokenLength = 0;
  /** Of the element that is being read. */
  private attributes = 0;
  private hasRoot = false;
  private rootHasEnded = false;

  constructor(
    private readonly report: SitemapReport,
    private readonly baseUrl: string,
  ) {
    const append = (text: string): void => this.appendText(text);
    this.parser.on('attribute', () => this.countAttribute());
    this.parser.on('opentag', (tag) => this.openTag(tag));
    this.parser.on('closetag', () => this.closeTag());
    this.parser.on('text', append);
    this.parser.on('cdata', append);
    this.parser.on('comment', () => this.endToken());
    this.parser.on('processinginstruction', () => this.endToken());
    this.parser.on('doctype', (doctype) => {
      this.endToken();
      if (/<!ENTITY/i.test(doctype)) this.stop('ENTITIES_REFUSED', doctype);
    });
  }

  write(text: string): void {
    this.parse(this.ampersands.mend(text));
  }

  end(): void {
    this.parse(this.ampersands.end());
    if (this.rootHasEnded) return;
    this.finishEntry();
    this.report.add('TRUNCATED', 'the XML ends before its root element');
  }

  take(): SitemapEntry[] {
    const taken = this.found;
    this.found = [];
    return taken;
  }

  private parse(text: string): void {
    for (let at = 0; at < text.length && !this.isStopped; at += STEP_LENGTH) {
      const step = text.slice(at, at + STEP_LENGTH);
      this.parser.write(step);
      this.tokenLength += step.length;
      if (this.tokenLength > MAX_TOKEN_LENGTH) this.stop('TRUNCATED', 'the XML has an endless token');
    }
    if (this.ampersands.count > this.mended) this.report.add('MALFORMED', 'an & that begins no reference');
    this.mended = this.ampersands.count;
  }

  private openTag({ local, uri, attributes }: SaxesTagNS): void {
    this.endToken();
    const name = local.toLowerCase();
    const parent = this.open.at(-1);
    const base = baseOf(attributes['xml:base']?.value, parent?.base ?? this.baseUrl);
    this.open.push({ name, uri, base });
    if (this.open.length > MAX_DEPTH) this.stop('TRUNCATED', `XML nested deeper than ${MAX_DEPTH}`);
    if (!this.hasRoot) this.recognize(name);
    if (this.format === null) return;
    if (name === this.format.entryName) {
      // One that was never closed ends here.
      this.finishEntry();
      this.entry = { uri, base, fields: new Map() };
    } else if (this.entry && parent?.name === this.format.entryName && uri === this.entry.uri) {
      this.openField(name, attributes);
    }
  }

  private countAttribute(): void {
    this.attributes += 1;
    if (this.attributes > MAX_ATTRIBUTES)
      this.stop('TRUNCATED', `XML with more than ${MAX_ATTRIBUTES} attributes`);
  }

  private openField(name: string, attributes: SaxesTagNS['attributes']): void {
    const value = (attribute: string): string => attributes[attribute]?.value ?? '';
    // An Atom link has its address in an attribute, and may lead to comments, parts, or the page itself.
    if (name === 'link' && value('href') !== '' && /^(alternate)?$/i.test(value('rel').trim())) {
      const base = this.open.at(-1)?.base ?? this.baseUrl;
      if (!this.entry?.fields.has(name)) this.entry?.fields.set(name, resolved(value('href'), base));
    }
    if (name === 'guid' && value('isPermaLink').toLowerCase() === 'false') return;
    this.field = { name, text: '', isDoubtful: false };
  }

  private closeTag(): void {
    this.endToken();
    const closed = this.open.pop();
    if (this.open.length === 0) this.rootHasEnded = true;
    if (this.field && closed?.name === this.field.name) {
      const { name, text, isDoubtful } = this.field;
      // An entity that nobody has declared stands there as it was written: no part of an address.
      if (text.trim() !== '' && !(isDoubtful && /&\w+;/.test(text)) && !this.entry?.fields.has(name)) {
        this.entry?.fields.set(name, text);
      }
      this.field = null;
    }
    if (closed?.name === this.format?.entryName) this.finishEntry();
  }

  private finishEntry(): void {
    if (this.entry === null || this.format === null) return;
    const { fields, base } = this.entry;
    const first = (names: readonly string[]): string =>
      names.map((name) => fields.get(name)).find((text) => text !== undefined) ?? '';
    const raw = { url: first(this.format.urlFields), lastmod: first(this.format.dateFields), base };
    const entry = toEntry(raw, this.format.entryKind, this.report);
    if (entry) this.found.push(entry);
    this.entry = null;
    this.field = null;
  }

  private recognize(root: string): void {
    this.hasRoot = true;
    if (this.isStopped) return;
    this.format = FORMATS.get(root) ?? null;
    this.isStopped = this.format === null;
    this.report.kind = this.format?.kind ?? (root === 'html' ? 'html' : 'unknown');
  }

  private appendText(text: string): void {
    this.endToken();
    if (this.field && this.field.text.length <= MAX_ENTRY_URL_LENGTH) this.field.text += text;
  }

  private noteError(message: string): void {
    if (this.field) this.field.isDoubtful = true;
    if (!this.isStopped) this.report.add('MALFORMED', message);
  }

  private stop(code: SitemapProblemCode, detail: string): void {
    this.isStopped = true;
    this.report.add(code, detail);
  }

  private endToken(): void {
    this.tokenLength = 0;
    this.attributes = 0;
  }
}

/** Mistakes are messages: an Error, with its stack, for each of a million takes seconds. */
class LenientParser extends SaxesParser<{ xmlns: true; position: false }> {
  constructor(private readonly onMistake: (message: string) => void) {
    super({ xmlns: true, position: false });
  }

  override fail(message: string): this {
    this.onMistake(message);
    return this;
  }
}

/** @returns the parent's where an element has none, or one that no address could be built on */
function baseOf(attribute: string | undefined, parent: string): string {
  const base = attribute === undefined ? parent : resolved(attribute, parent);
  return base.length > MAX_ENTRY_URL_LENGTH ? parent : base;
}

function resolved(url: string, base: string): string {
  return URL.parse(url.trim(), base)?.href ?? url;
}

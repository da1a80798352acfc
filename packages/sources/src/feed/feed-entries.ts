import { createHash } from 'node:crypto';
import { parseFeed } from 'feedsmith';
import { escapeHtml } from '../html-page.js';
import { SourceError } from '../source.js';

/** An entry of a feed. Its texts are HTML. */
export interface FeedEntry {
  /** Its guid or id, else its link, else a hash of what it says. */
  readonly id: string;
  readonly title: string;
  readonly html: string;
  /** Absolute; null if it has none. */
  readonly link: string | null;
  /** What relative links of `html` are relative to. */
  readonly base: string;
  readonly published: Date | null;
  readonly updated: Date | null;
}

export interface FeedPage {
  readonly entries: readonly FeedEntry[];
  /** The page with earlier entries (RFC 5005, JSON Feed 1.1), absolute; null if there is none. */
  readonly next: string | null;
}

type Parsed = ReturnType<typeof parseFeed<string>>;
type Of<Format extends Parsed['format']> = Extract<Parsed, { format: Format }>['feed'];
type RawEntry = Partial<Record<'id' | 'title' | 'html' | 'link' | 'base' | 'published' | 'updated', string>>;

const MAX_ID_CHARACTERS = 1_024;
/** Where the first and the last tag of a feed in XML are looked for. */
const TAG_CHARACTERS = 4_000;
const FIRST_TAG = /<(?:\w{1,40}:)?(?:rss|feed|rdf)\b/i;
const LAST_TAG = /<\/(?:\w{1,40}:)?(?:rss|feed|rdf)\s{0,40}>/i;

/**
 * Reads RSS, RDF, Atom or JSON Feed.
 *
 * @param url of the feed, which relative links are relative to
 * @throws SourceError `unavailable` for a feed that is cut off; another error for what is no feed
 */
export function readFeed(text: string, url: string): FeedPage {
  // The parser is lenient: the last entry would lack a part.
  if (FIRST_TAG.test(text.slice(0, TAG_CHARACTERS)) && !LAST_TAG.test(text.slice(-TAG_CHARACTERS)))
    throw new SourceError('unavailable', 'The server sent a part of the feed only.');
  const parsed = parseFeed(text);
  const { base = url, entries, next } = partsOf(parsed);
  const feedBase = resolve(base, url) ?? url;
  return {
    entries: entries.map((entry) => finished(entry, feedBase)),
    next: next === undefined ? null : resolve(next, feedBase),
  };
}

interface FeedParts {
  readonly base?: string | undefined;
  readonly entries: readonly RawEntry[];
  readonly next?: string | undefined;
}

function partsOf(parsed: Parsed): FeedParts {
  switch (parsed.format) {
    case 'rss':
      return rssParts(parsed.feed);
    case 'rdf':
      return rdfParts(parsed.feed);
    case 'atom':
      return atomParts(parsed.feed);
    case 'json':
      return jsonParts(parsed.feed);
  }
}

function rssParts({ items = [], xml, atom }: Of<'rss'>): FeedParts {
  const entries = items.map((item): RawEntry => {
    const { guid, link, title, description, content, dc, pubDate } = item;
    const permalink = guid?.isPermaLink === false ? undefined : guid?.value;
    return defined({
      id: guid?.value,
      link: link ?? (permalink?.startsWith('http') ? permalink : undefined),
      title,
      html: longer(content?.encoded, description),
      published: pubDate ?? dc?.dates?.[0],
      updated: item.atom?.updated,
    });
  });
  return { base: xml?.base, entries, next: nextOf(atom?.links) };
}

function rdfParts({ items = [], xml, atom }: Of<'rdf'>): FeedParts {
  const entries = items.map(({ rdf, link, title, description, content, dc }) =>
    defined({
      id: rdf?.about,
      link,
      title,
      html: longer(content?.encoded, description),
      published: dc?.dates?.[0],
    }),
  );
  return { base: xml?.base, entries, next: nextOf(atom?.links) };
}

function atomParts({ entries = [], links, xml }: Of<'atom'>): FeedParts {
  return {
    base: xml?.base,
    next: nextOf(links),
    entries: entries.map((entry) =>
      defined({
        id: entry.id,
        link: alternateOf(entry.links),
        title: htmlOf(entry.title),
        html: longer(htmlOf(entry.content), htmlOf(entry.summary)),
        base: entry.xml?.base,
        published: entry.published,
        updated: entry.updated,
      }),
    ),
  };
}

function jsonParts({ items = [], next_url: next }: Of<'json'>): FeedParts {
  const entries = items.map((item) => {
    const text = item.content_text ?? item.summary;
    return defined({
      id: item.id,
      link: item.url ?? item.external_url,
      title: item.title === undefined ? undefined : escapeHtml(item.title),
      html: item.content_html ?? (text === undefined ? undefined : paragraphs(text)),
      published: item.date_published,
      updated: item.date_modified,
    });
  });
  return { entries, next };
}

function finished(entry: RawEntry, feedBase: string): FeedEntry {
  const { title = '', html = '' } = entry;
  const base = resolve(entry.base ?? '', feedBase) ?? feedBase;
  const link = entry.link === undefined ? null : resolve(entry.link, base);
  const id = (entry.id || link) ?? hashOf(title, html);
  return {
    id: id.length > MAX_ID_CHARACTERS ? hashOf(id) : id,
    title,
    html,
    link,
    base,
    published: dateOf(entry.published),
    updated: dateOf(entry.updated),
  };
}

/** A hash of texts, as 64 characters. */
export function hashOf(...texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
}

interface AtomText {
  readonly value?: string;
  readonly type?: string;
}

/** Text without a type is plain (RFC 4287, section 3.1.1). Content of other types, such as pictures, is no text. */
function htmlOf(text: AtomText | undefined): string | undefined {
  const { value, type = 'text' } = text ?? {};
  if (value === undefined) return undefined;
  if (type === 'html' || type === 'xhtml' || type === 'text/html' || type === 'application/xhtml+xml')
    return value;
  return type.startsWith('text') ? paragraphs(value) : undefined;
}

function paragraphs(text: string): string {
  return text
    .split(/\n\n+/)
    .map((part) => `<p>${escapeHtml(part)}</p>`)
    .join('\n');
}

interface Link {
  readonly href?: string;
  readonly rel?: string;
  readonly type?: string;
}

function alternateOf(links: readonly Link[] = []): string | undefined {
  const alternates = links.filter(({ rel = 'alternate' }) => rel === 'alternate');
  return (alternates.find(({ type }) => type?.includes('html')) ?? alternates[0])?.href;
}

function nextOf(links: readonly Link[] = []): string | undefined {
  return links.find(({ rel }) => rel === 'next')?.href;
}

function longer(one: string | undefined, other: string | undefined): string | undefined {
  return (other?.length ?? 0) > (one?.length ?? 0) ? other : one;
}

function resolve(link: string, base: string): string | null {
  const url = URL.parse(link, base);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

function dateOf(text: string | undefined): Date | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : new Date(time);
}

function defined(entry: Partial<Record<keyof RawEntry, string | undefined>>): RawEntry {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)) as RawEntry;
}

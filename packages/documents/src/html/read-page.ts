import type { LeftOutReason } from '@citewell/contracts/schemas';
import type { Document } from '../document/document.js';
import { DocumentError } from '../document/document-error.js';
import { DocumentBuilder } from '../document/document-builder.js';
import { decodeText } from '../text-decoding/decode-text.js';
import { singleLine } from '../document/canonical-text.js';
import { HtmlBlocks } from './html-blocks.js';
import { leaveOutEmptySections } from './empty-sections.js';
import { embedDocument } from './embedded-documents.js';
import { declaredCharset } from './html-encoding.js';
import type { HtmlElement, HtmlTree } from './html-tree.js';
import { selectContent } from './main-content.js';
import { markBoilerplate } from './mark-boilerplate.js';
import { measurePage } from './measure-page.js';
import { canonicalOf, type FactOptions, pageDates, pageFacts, type PageFacts } from './page-facts.js';
import { PageHead } from './page-head.js';
import { parseHtml } from './parse-html.js';
import { moveReferredParts } from './referred-parts.js';
import { flowText } from './text-flow.js';
import { isUnread } from './hidden-content.js';

/** Separators between a page's title and the name of its site. */
const TITLE_SEPARATOR = ' [|–—·•»«›‹:/-]+ | ?[|»«_｜－—] ?|: ';

const TITLE_SEPARATORS = new RegExp(TITLE_SEPARATOR, 'g');
const LEADING_TITLE_SEPARATOR = new RegExp(`^(?:${TITLE_SEPARATOR})`);
const TRAILING_TITLE_SEPARATOR = new RegExp(`(?:${TITLE_SEPARATOR})$`);

/**
 * Limit of start and end tags, because the tree of a larger page might not fit into the memory of the caller.
 */
const MAX_TAGS = 2_500_000;

/** A shorter paragraph is a label or a notice. */
const MIN_PARAGRAPH_LETTERS = 60;
const MAX_PARAGRAPH_LINK_SHARE = 0.3;

export interface ReadPageOptions extends FactOptions {
  /** The `Content-Type` header, with its `charset`. */
  readonly contentType?: string;
  /** Whether to include all visible text, such as menus. Default false. */
  readonly keepBoilerplate?: boolean;
  /** A page with more UTF-16 code units of text is `TOO_COMPLEX`. Default 50,000,000. */
  readonly maxCharacters?: number;
}

export interface Page {
  /** `null` when there is no text on the page. */
  readonly document: Document | null;
  readonly facts: PageFacts;
}

/**
 * Reads a web page in one pass: its main content as a document, and the facts that a crawler needs. Time and
 * memory are linear in the size of the page.
 *
 * @param page the bytes of the response, or the text of a page rendered by a browser
 * @throws DocumentError TOO_COMPLEX
 */
export async function readPage(page: Uint8Array | string, options: ReadPageOptions): Promise<Page> {
  const { text, encoding } = await textOf(page, charsetOf(options.contentType));
  if (hasTooManyTags(text)) throw new DocumentError('TOO_COMPLEX', `more than ${MAX_TAGS} tags`);
  const isXhtml = /^\s*application\/(?:xhtml\+)?xml\b/i.test(options.contentType ?? '');
  const tree = parseHtml(text, { isXhtml });
  const head = new PageHead(tree);
  measurePage(tree);
  const facts = pageFacts(tree, head, options);
  const { maxCharacters } = options;
  const builder = new DocumentBuilder(maxCharacters === undefined ? {} : { maxCharacters });
  buildPage(tree, head, builder, {
    url: options.url,
    encoding,
    keepBoilerplate: options.keepBoilerplate ?? false,
  });
  return { document: builder.isEmpty ? null : builder.build(), facts };
}

/** A page that is embedded in another one. */
export interface EmbeddedPage {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly url: string;
  /** Where the other page embeds it, see `PageFacts`. */
  readonly offset: number;
}

/** The HTML of a page with an embedded page as part of it. */
export async function withEmbeddedPage(
  page: Uint8Array,
  contentType: string,
  embedded: EmbeddedPage,
): Promise<string> {
  const [outer, inner] = await Promise.all([
    textOf(page, charsetOf(contentType)),
    textOf(embedded.bytes, charsetOf(embedded.contentType)),
  ]);
  return embedDocument(outer.text, embedded.offset, inner.text, embedded.url);
}

function charsetOf(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType ?? '')?.[1];
}

function hasTooManyTags(text: string): boolean {
  let tags = 0;
  for (let at = text.indexOf('<'); at >= 0 && tags <= MAX_TAGS; at = text.indexOf('<', at + 1)) tags += 1;
  return tags > MAX_TAGS;
}

async function textOf(
  page: Uint8Array | string,
  charset: string | undefined,
): Promise<{ readonly text: string; readonly encoding: string }> {
  if (typeof page === 'string') return { text: page, encoding: 'utf-8' };
  return await decodeText(page, { declared: declaredCharset(page, charset) });
}

export interface PageSource {
  readonly url?: string;
  readonly encoding?: string;
  readonly keepBoilerplate?: boolean;
}

/** Adds a page to a document: title, language and metadata, then the blocks of its main content. */
export function buildPage(
  tree: HtmlTree,
  head: PageHead,
  builder: DocumentBuilder,
  source: PageSource,
): void {
  const { body } = tree;
  const heading = firstHeading(body);
  const headingText = heading === undefined ? undefined : flowText(heading);
  const core = source.keepBoilerplate === true ? body : contentOf(tree);
  const { publishedAt, modifiedAt } = pageDates(head);
  const title = pageTitle({
    title: head.title,
    social: head.meta('og:title', 'twitter:title'),
    siteName: head.meta('og:site_name', 'application-name'),
    heading: headingText,
    url: source.url ?? head.meta('og:url'),
  });
  builder
    .setTitle(title)
    // The last valid one wins: the language of the content itself is the most specific.
    .setLanguage(head.meta('og:locale'))
    .setLanguage(head.meta('content-language')?.split(',')[0])
    .setLanguage(languageOf(tree))
    .setLanguage(languageOf(core) ?? languageOf(core.outer((outer) => languageOf(outer) !== undefined)))
    .setMetadata('encoding', source.encoding)
    .setMetadata('description', head.meta('description', 'og:description'))
    .setMetadata('author', head.meta('author', 'article:author'))
    .setMetadata('canonical', canonicalOf(head.links, source.url))
    .setMetadata('robots', head.meta('robots'))
    .setMetadata('published_at', publishedAt)
    .setMetadata('modified_at', modifiedAt);
  new HtmlBlocks(builder, body, tree.ids).add();
  countLeftOut(body, builder);
}

function contentOf(tree: HtmlTree): HtmlElement {
  const { footers, isPlain } = markBoilerplate(tree);
  const core = selectContent(tree.body, isPlain);
  moveReferredParts(tree, core, footers);
  leaveOutEmptySections(tree.body);
  return core;
}

function languageOf(element: Pick<HtmlElement, 'attributes'> | undefined): string | undefined {
  return element?.attributes.get('lang') ?? element?.attributes.get('xml:lang');
}

function firstHeading(element: HtmlElement): HtmlElement | undefined {
  if (!element.holdsMain) return undefined;
  for (const child of element.children) {
    if (typeof child === 'string' || child.isSkipped) continue;
    const found = child.name === 'h1' && child.letters > 0 ? child : firstHeading(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

export interface TitleSources {
  /** The `<title>` element. */
  readonly title: string | undefined;
  /** `og:title` or `twitter:title`. */
  readonly social: string | undefined;
  /** `og:site_name` or `application-name`. */
  readonly siteName: string | undefined;
  /** The first heading of level 1. */
  readonly heading: string | undefined;
  readonly url: string | undefined;
}

/**
 * Returns the title of a page without the name of its site. The part to keep is identified by the heading,
 * the social media title, the site name or the host. If none identifies it, the whole `<title>` is returned.
 */
export function pageTitle(sources: TitleSources): string | undefined {
  const title = singleLine(sources.title ?? '');
  const heading = singleLine(sources.heading ?? '');
  const social = singleLine(sources.social ?? '');
  if (title === '') return social || heading || undefined;
  for (const known of [heading, social]) {
    if (known !== '' && known !== title && isPartOfTitle(known, title)) return known;
  }
  const siteName = singleLine(sources.siteName ?? '');
  return withoutSite(title, siteName, hostWords(sources.url)) ?? title;
}

/** Whether a separator divides the title into the known part and the rest. */
function isPartOfTitle(known: string, title: string): boolean {
  if (title.startsWith(known)) return LEADING_TITLE_SEPARATOR.test(title.slice(known.length));
  return title.endsWith(known) && TRAILING_TITLE_SEPARATOR.test(title.slice(0, -known.length));
}

function withoutSite(title: string, siteName: string, host: string): string | undefined {
  const cuts = [...title.matchAll(TITLE_SEPARATORS)];
  const isSite = (part: string): boolean => {
    const bare = squashed(part);
    return bare.length > 2 && (bare === squashed(siteName) || host.includes(bare));
  };
  const last = cuts.at(-1);
  if (last !== undefined && isSite(title.slice(last.index + last[0].length)))
    return title.slice(0, last.index);
  const first = cuts[0];
  if (first !== undefined && isSite(title.slice(0, first.index)))
    return title.slice(first.index + first[0].length);
  return undefined;
}

function hostWords(url: string | undefined): string {
  if (url === undefined || !URL.canParse(url)) return '';
  // In both orders: the site at `worker.graphile.org` is called "Graphile Worker".
  const labels = new URL(url).hostname.split('.').slice(0, -1);
  return `${labels.join('')} ${labels.toReversed().join('')}`;
}

function squashed(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Counts the text of a page that is not part of its document. The builder compares the rest with its text. A warning says
 * when more paragraphs were left out as navigation than the document has, such as the comments of readers.
 */
export function countLeftOut(body: HtmlElement, builder: DocumentBuilder): void {
  const texts = new Map<LeftOutReason | undefined, string[]>();
  let paragraphs = 0;
  const read = (element: HtmlElement, reason: LeftOutReason | undefined): void => {
    if (reason === 'navigation' && isParagraph(element)) paragraphs += element.letters;
    for (const child of element.children) {
      if (typeof child === 'string') textsOf(reason).push(child);
      // Formulas are written anew.
      else if (isUnread(child) || child.name === 'math') continue;
      // In the content, what is skipped without a reason is a copy of text in the document.
      else if (!child.isSkipped || child.leftOut !== undefined || reason !== undefined)
        read(child, child.leftOut ?? reason);
    }
  };
  const textsOf = (reason: LeftOutReason | undefined): string[] => {
    const found = texts.get(reason) ?? [];
    texts.set(reason, found);
    return found;
  };
  read(body, undefined);
  for (const [reason, parts] of texts) {
    if (reason === undefined) builder.see(parts.join('\n'));
    else builder.leaveOut(reason, parts.join(' '));
  }
  if (paragraphs > body.letters)
    builder.warn(
      'MOSTLY_LEFT_OUT',
      `More than half of the paragraphs were left out, such as comments: ${paragraphs.toLocaleString('en')} letters. Compare the stored text with the page before you rely on it.`,
    );
}

/** Whether an element is running text, and not a list of links. */
function isParagraph({ name, letters, linkLetters }: HtmlElement): boolean {
  return name === 'p' && letters >= MIN_PARAGRAPH_LETTERS && linkLetters < letters * MAX_PARAGRAPH_LINK_SHARE;
}

import { Readability } from '@mozilla/readability';
import type { parseHTML } from 'linkedom';
import { ELEMENT, TEXT, type HtmlNode } from './html-blocks.js';

export type HtmlDocument = ReturnType<typeof parseHTML>['document'];
type HtmlElement = NonNullable<HtmlDocument['body']>;

/** Around the content of a page rather than part of it. */
const FURNITURE = new Set(['NAV', 'FOOTER', 'ASIDE']);
const FURNITURE_ROLES = new Set(['navigation', 'banner', 'contentinfo', 'complementary', 'search']);

/** Of the page's text without furniture, what a candidate must hold to be taken for the content. */
const MAIN_SHARE = 0.3;
const ARTICLE_SHARE = 0.5;

export function isFurniture(element: HtmlNode): boolean {
  return (
    FURNITURE.has(element.nodeName.toUpperCase()) || FURNITURE_ROLES.has(element.getAttribute?.('role') ?? '')
  );
}

/**
 * The element that holds a page's content: what the page itself marks as such, else what Readability finds, else the
 * body. The last two may lose what does not look like prose, so each must hold a good share of the text.
 *
 * @param parse makes a second tree of the same page, because Readability takes the one that it works on apart
 */
export function mainContent(document: HtmlDocument, parse: () => HtmlDocument): HtmlElement | null {
  const { body } = document;
  if (!body) return null;
  const total = textLength(body);
  const marked = [...document.querySelectorAll('main, [role="main"]')];
  const articles = [...document.querySelectorAll('article')];
  const own = marked[0] ?? (articles.length === 1 ? articles[0] : undefined);
  if (own && textLength(own) >= total * MAIN_SHARE) return own;
  const article = readableArticle(parse());
  return article && textLength(article) >= total * ARTICLE_SHARE ? article : body;
}

function readableArticle(document: HtmlDocument): HtmlElement | null {
  const result = new Readability<HtmlElement>(document, {
    keepClasses: true,
    maxElemsToParse: 100_000,
    serializer: (node) => node as HtmlElement, // Elements are all that it ever hands over.
  }).parse();
  return result?.content ?? null;
}

/** Letters outside of furniture, scripts and styles. */
function textLength(node: HtmlNode): number {
  if (node.nodeType === TEXT) return (node.textContent ?? '').replace(/\s+/g, '').length;
  if (node.nodeType !== ELEMENT || isFurniture(node) || /^(?:SCRIPT|STYLE|NOSCRIPT)$/i.test(node.nodeName))
    return 0;
  let length = 0;
  for (const child of node.childNodes) length += textLength(child);
  return length;
}

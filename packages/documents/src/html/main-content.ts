import type { HtmlElement } from './html-tree.js';
import { isMain, proseOf } from './measure-page.js';

/**
 * An element marked as main content is used if it has at least this share of the letters outside boilerplate.
 */
const MIN_MARKED_SHARE = 0.3;
/** Otherwise the content is the innermost element with at least this share of the page's prose. */
const MIN_CONTENT_SHARE = 0.8;

const CONTAINER = /^(?:article|body|center|div|form|section|table|tbody|td|tr)$/;

/**
 * Finds the element with the main content of a page: the one that the page marks as such (`main`, its role,
 * `articleBody`), else the innermost element with most of the prose (letters outside of links).
 *
 * Prose combines text density and link density, the two features that best distinguish content from
 * boilerplate: Kohlschütter, Fankhauser, Nejdl, "Boilerplate detection using shallow text features" (WSDM
 * 2010); Sun, Song, Liao, "DOM based content extraction via text density" (SIGIR 2011). Unlike these methods,
 * this rule favours recall: content missing from the index is worse than an indexed menu.
 */
export function mainContent(body: HtmlElement): HtmlElement {
  return firstMain(body, body.letters * MIN_MARKED_SHARE) ?? innermostContent(body);
}

function innermostContent(body: HtmlElement): HtmlElement {
  const minProse = proseOf(body) * MIN_CONTENT_SHARE;
  let content = body;
  for (;;) {
    const next = content.children.find(
      (child): child is HtmlElement =>
        typeof child !== 'string' && !child.isSkipped && proseOf(child) >= minProse && proseOf(child) > 0,
    );
    // Do not descend into paragraphs, lists and the like.
    if (next === undefined || !CONTAINER.test(next.name)) return content;
    content = next;
  }
}

/** The first marked element that is large enough. Pages that mark several begin with the relevant one. */
function firstMain(element: HtmlElement, minLetters: number): HtmlElement | undefined {
  for (const child of element.children) {
    if (typeof child === 'string' || child.isSkipped || !(child.holdsMain || isMain(child))) continue;
    const found = isMain(child) && child.letters >= minLetters ? child : firstMain(child, minLetters);
    if (found !== undefined) return found;
  }
  return undefined;
}

import type { HtmlElement } from './html-tree.js';
import { isMain, proseOf } from './measure-page.js';

/** Of a page's letters without boilerplate, what its marked content must hold to be taken at its word. */
const MIN_MARKED_SHARE = 0.3;
/** Of the prose around it, what the innermost element must hold to be the content. */
const MIN_CONTENT_SHARE = 0.8;

const CONTAINER = /^(?:article|body|center|div|form|section|table|tbody|td|tr)$/;

/**
 * The element that holds a page's content: what the page marks as such (`main`, its role, `articleBody`), else the
 * innermost element that holds nearly all of the prose.
 *
 * Prose, letters outside of links, stands for text density and link density, the two features that tell content from
 * boilerplate best: Kohlschütter, Fankhauser, Nejdl, "Boilerplate detection using shallow text features" (WSDM 2010);
 * Sun, Song, Liao, "DOM based content extraction via text density" (SIGIR 2011). Unlike theirs this rule is made to
 * lose nothing: what an answer needs and the index has not is worse than a menu that nobody asks about.
 */
export function mainContent(body: HtmlElement): HtmlElement {
  return firstMain(body, body.letters * MIN_MARKED_SHARE) ?? innermostContent(body);
}

function innermostContent(body: HtmlElement): HtmlElement {
  const enough = proseOf(body) * MIN_CONTENT_SHARE;
  let content = body;
  for (;;) {
    const next = content.children.find(
      (child): child is HtmlElement =>
        typeof child !== 'string' && !child.isSkipped && proseOf(child) >= enough && proseOf(child) > 0,
    );
    // Below a paragraph or a list there is nothing to choose from.
    if (next === undefined || !CONTAINER.test(next.name)) return content;
    content = next;
  }
}

/** The first one that is large enough: pages that mark several as their main one begin with the one asked for. */
function firstMain(element: HtmlElement, minLetters: number): HtmlElement | undefined {
  for (const child of element.children) {
    if (typeof child === 'string' || child.isSkipped || !(child.holdsMain || isMain(child))) continue;
    const found = isMain(child) && child.letters >= minLetters ? child : firstMain(child, minLetters);
    if (found !== undefined) return found;
  }
  return undefined;
}

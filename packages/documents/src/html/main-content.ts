import type { HtmlElement } from './html-tree.js';
import { isMain, proseOf } from './measure-page.js';

/**
 * An element marked as main content is used if it has at least this share of the letters outside boilerplate.
 */
const MIN_MARKED_SHARE = 0.3;
/** Otherwise the content is the innermost element with at least this share of the prose. */
const MIN_CONTENT_SHARE = 0.8;

const CONTAINER = /^(?:article|body|center|div|form|section|table|tbody|td|tr)$/;

/** Classes that all columns of a page have, whatever they contain. */
const LAYOUT_WORD = /^(?:col(?:umns?)?|grid|large|medium|row|small|span|widget)$/i;

/**
 * Finds the element with the main content of a page: the one that the page marks as such (`main`, its role,
 * `articleBody`), else the densest element. If an article in it has most of its prose, the article is the content.
 *
 * Prose combines text density and link density, the two features that best distinguish content from
 * boilerplate: Kohlschütter, Fankhauser, Nejdl, "Boilerplate detection using shallow text features" (WSDM
 * 2010); Sun, Song, Liao, "DOM based content extraction via text density" (SIGIR 2011). Unlike these methods,
 * this rule favours recall: content missing from the index is worse than an indexed menu.
 */
export function mainContent(body: HtmlElement): HtmlElement {
  const content = firstMain(body, body.letters * MIN_MARKED_SHARE) ?? densestElement(body, MIN_CONTENT_SHARE);
  return articleIn(content, proseOf(content) * MIN_CONTENT_SHARE) ?? content;
}

/**
 * The innermost element with most of the prose (letters outside of links). An element whose siblings are similar is
 * one of several parts of the content.
 */
export function densestElement(body: HtmlElement, minShare: number): HtmlElement {
  const minProse = proseOf(body) * minShare;
  let content = body;
  for (;;) {
    const next = content.children.find(
      (child): child is HtmlElement =>
        typeof child !== 'string' && !child.isSkipped && proseOf(child) >= minProse && proseOf(child) > 0,
    );
    // Do not descend into paragraphs, lists and the like.
    if (next === undefined || !CONTAINER.test(next.name) || hasSimilarSibling(next, content)) return content;
    content = next;
  }
}

/**
 * Whether a sibling, too, has prose, and has the same name and a class that begins with the same word: `tsd-panel` and
 * `tsd-signature` are parts of one text.
 */
function hasSimilarSibling(element: HtmlElement, parent: HtmlElement): boolean {
  const words = classWordsOf(element);
  return parent.children.some(
    (child) =>
      typeof child !== 'string' &&
      child !== element &&
      !child.isSkipped &&
      child.name === element.name &&
      proseOf(child) > child.linkLetters &&
      classWordsOf(child).some((word) => words.includes(word)),
  );
}

/** The first word of each class. */
function classWordsOf(element: HtmlElement): string[] {
  const words = element.attribute('class')?.match(/(?<=^|\s)[^\s_-]+/g) ?? [];
  return words.filter((word) => !LAYOUT_WORD.test(word));
}

/** The outermost article with at least `minProse` letters of prose. */
function articleIn(element: HtmlElement, minProse: number): HtmlElement | undefined {
  for (const child of element.children) {
    if (typeof child === 'string' || child.isSkipped || proseOf(child) < minProse) continue;
    return child.name === 'article' || isMain(child) ? child : articleIn(child, minProse);
  }
  return undefined;
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

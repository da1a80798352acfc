import type { HtmlElement, HtmlNode } from './html-tree.js';
import { structuralHint } from './boilerplate-hints.js';
import { isMain, leaveOut, proseOf } from './measure-page.js';

/** An element marked as main content is used if it has at least this share of the letters outside boilerplate. */
const MIN_MARKED_SHARE = 0.3;
/** Otherwise the core of the content is the innermost element with at least this share of the prose. */
const MIN_CORE_SHARE = 0.8;
/** Beside the core, an element with a larger share of its letters in links is navigation. */
const MAX_LINK_SHARE = 0.4;

/** The same for a section of text, however far from the core. */
const MAX_SECTION_LINK_SHARE = 0.1;

const CONTAINER = /^(?:article|body|center|div|form|section|table|tbody|td|tr)$/;
/** Blocks of text. Blocks of other names with links may be parts of the page: a box about the author, the comments. */
const TEXT = /^(?:address|blockquote|dl|h[1-6]|ol|p|pre|table|ul)$/;

/**
 * Leaves out what is beside the main content of a page, and returns the core of the content: the element that the page
 * marks as such (`main`, its role, `articleBody`), else the one with most of the prose.
 *
 * Prose combines text density and link density, the two features that best distinguish content from
 * boilerplate: Kohlschütter, Fankhauser, Nejdl, "Boilerplate detection using shallow text features" (WSDM
 * 2010); Sun, Song, Liao, "DOM based content extraction via text density" (SIGIR 2011).
 *
 * @param isPlain whether the page has hardly any navigation. Then what is beside the core is content, too.
 */
export function selectContent(body: HtmlElement, isPlain: boolean): HtmlElement {
  const marked = firstMain(body, body.letters * MIN_MARKED_SHARE) ?? densestElement(body, MIN_CORE_SHARE);
  const core = articleIn(marked, proseOf(marked) * MIN_CORE_SHARE) ?? marked;
  if (core !== body) new ContentFrame(core, isPlain).leaveOut(body);
  return core;
}

/** The innermost element with most of the prose (letters outside of links). */
export function densestElement(body: HtmlElement, minShare: number): HtmlElement {
  const minProse = proseOf(body) * minShare;
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

/**
 * Decides which text around the core belongs to the content: all between the headline and the core, and near the core what
 * does not look like navigation.
 */
class ContentFrame {
  /** The elements that contain the core or the headline. */
  private readonly outers = new Set<HtmlElement>();
  private readonly headline: HtmlElement | undefined;
  private place: 'before' | 'lead' | 'after';

  constructor(
    private readonly core: HtmlElement,
    private readonly isPlain: boolean,
  ) {
    const hasHeadline = headlineIn([core]) !== undefined;
    this.headline = hasHeadline ? undefined : headlineBefore(core);
    this.place = hasHeadline || this.headline !== undefined ? 'before' : 'lead';
    for (const inner of [core, this.headline])
      for (let outer = inner?.parent ?? null; outer !== null; outer = outer.parent) this.outers.add(outer);
  }

  leaveOut(outer: HtmlElement): void {
    for (const node of outer.children) {
      if (typeof node === 'string') continue;
      if (node === this.core) this.place = 'after';
      else if (node === this.headline) this.place = 'lead';
      else if (this.outers.has(node)) this.leaveOut(node);
      else if (!node.isSkipped && node.letters > 0 && !this.belongs(node, outer)) leaveOut(node);
    }
  }

  private belongs(node: HtmlElement, outer: HtmlElement): boolean {
    const isNear = outer === this.core.parent || outer === this.core.parent?.parent;
    if (node.fields > 0) return false;
    if (node.linkLetters > node.letters * MAX_LINK_SHARE)
      return isNear && node.links === 1 && isSection(node);
    if (this.place === 'lead') return true;
    // The names of footers and asides by tag have been judged already.
    if (node.hint !== undefined && structuralHint(node) !== node.hint) return false;
    if (this.isPlain || (isNear && (node.links === 0 || TEXT.test(node.name)))) return true;
    return (
      isSection(node) &&
      (node.linkLetters <= node.letters * MAX_SECTION_LINK_SHARE || (isNear && node.links === 1))
    );
  }
}

/** Whether an element has a heading and a paragraph, which are shown without a click. */
function isSection({ headings, paragraphs, isRevealed }: HtmlElement): boolean {
  return headings > 0 && paragraphs > 0 && !isRevealed;
}

/** The last headline before an element. */
function headlineBefore(element: HtmlElement): HtmlElement | undefined {
  for (let inner = element; inner.parent !== null; inner = inner.parent) {
    const { children } = inner.parent;
    const found = headlineIn(children.slice(0, children.indexOf(inner)).toReversed());
    if (found !== undefined) return found;
  }
  return undefined;
}

function headlineIn(nodes: readonly HtmlNode[]): HtmlElement | undefined {
  for (const node of nodes) {
    if (typeof node === 'string' || node.isSkipped || node.letters === 0) continue;
    const found = node.name === 'h1' ? node : node.headings > 0 ? headlineIn(node.children) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
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

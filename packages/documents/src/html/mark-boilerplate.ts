import { HintReader, structuralHint, type Hint } from './boilerplate-hints.js';
import { BLOCK_ELEMENTS } from './html-elements.js';
import type { HtmlElement } from './html-tree.js';
import { addCounts, countsOf, isMain, proseOf } from './measure-page.js';

/** Share of a page's prose above which what a name says is not believed: all posts of a forum may be `comments`. */
const MAX_NAMED_SHARE = 0.5;
/** The same for what tags and roles say. */
const MAX_STRUCTURAL_SHARE = 0.9;
/** Content whatever it is called. */
const SAYS_ITSELF = /^(?:h[1-6]|pre|code|mjx-.*)$/;
const TABLE_PARTS = /^(?:td|th|tr|tbody|thead|tfoot)$/;
const MAX_CELL_LETTERS = 200;
/** Classes of boxes that belong to the text around them. */
const ADMONITION =
  /\b(?:admonition|alert|callout|caution|danger|epigraph|footnotes?|hint|important|info|note|notice|pull-?quote|sidenote|tip|warning)/i;
/** Letters up to which a form is taken for one to fill in; whole pages stand in forms, too. */
const MAX_FORM_LETTERS = 400;
const MIN_LIST_LINKS = 3;
const MIN_LIST_DENSITY = 0.75;
/** Letters besides lists of links that make a page one of text, on which such lists are menus. */
const MIN_TEXT_BESIDE_LISTS = 500;
/** Rows of short texts that lead to others: what each holds at the most, and how much of it in links. */
const MAX_TEASER_LETTERS = 300;
const MIN_TEASER_DENSITY = 0.3;
/** Prose of a page, by that of its teasers, that makes it one of text: on the others, teasers are the content. */
const MIN_TEXT_BESIDE_TEASERS = 2;

/** Marks as skipped what stands around the content of a page rather than in it, and takes it out of the counts. */
export function markBoilerplate(body: HtmlElement): void {
  new BoilerplateMarker(body).mark();
}

class BoilerplateMarker {
  private readonly hints = new HintReader();
  /** Prose in the outermost elements of each hint. */
  private readonly named = new Map<Hint, number>();
  private readonly structural = new Map<Hint, number>();

  private readonly prose: number;

  constructor(private readonly body: HtmlElement) {
    this.prose = proseOf(body);
  }

  mark(): void {
    this.read(this.body, new Set());
    this.skip(this.body, false);
    const lists = this.linkLists(this.body, false);
    const besides = this.body.letters - lists.reduce((sum, list) => sum + list.letters, 0);
    if (besides < MIN_TEXT_BESIDE_LISTS) return;
    for (const list of lists) skipLater(list);
    const teasers = this.teaserLists(this.body);
    const said = teasers.reduce((sum, list) => sum + proseOf(list), 0);
    if (proseOf(this.body) - said < said * MIN_TEXT_BESIDE_TEASERS) return;
    for (const list of teasers) skipLater(list);
  }

  private read(element: HtmlElement, outer: ReadonlySet<Hint>): void {
    for (const child of element.children) {
      if (typeof child === 'string' || child.isSkipped) continue;
      let around = outer;
      const hint = this.hints.hintOf(child);
      if (hint !== undefined && !child.holdsMain && mayBe(child, hint)) {
        child.hint = hint;
        if (!outer.has(hint)) {
          around = new Set([...outer, hint]);
          const sums = structuralHint(child) === hint ? this.structural : this.named;
          sums.set(hint, (sums.get(hint) ?? 0) + proseOf(child));
        }
      }
      this.read(child, around);
    }
  }

  private skip(element: HtmlElement, isInContent: boolean): void {
    const inContent = isInContent || isMain(element) || element.name === 'article';
    for (const child of element.children) {
      if (typeof child === 'string' || child.isSkipped) continue;
      addCounts(element, child, -1);
      if (this.isBoilerplate(child, inContent)) {
        child.isSkipped = true;
        continue;
      }
      this.skip(child, inContent);
      addCounts(element, child, 1);
    }
  }

  private isBoilerplate(element: HtmlElement, isInContent: boolean): boolean {
    if (element.name === 'form' || element.attribute('role') === 'form') {
      return element.fields > 0 && element.letters < MAX_FORM_LETTERS && !element.holdsMain;
    }
    const { hint } = element;
    if (hint === undefined || !this.isBelieved(element, hint)) return false;
    switch (hint) {
      case 'page-header':
        // That of an article that nobody marked as one has its heading, and few links.
        return !isInContent && (element.headings === 0 || element.linkLetters > element.letters * 0.5);
      case 'aside':
        if (ADMONITION.test(element.attribute('class') ?? '')) return false;
        return !isInContent || element.linkLetters > element.letters * 0.3;
      case 'footer':
        return !isWithin(element, /^(?:blockquote|figure)$/);
      default:
        return true;
    }
  }

  private isBelieved(element: HtmlElement, hint: Hint): boolean {
    return structuralHint(element) === hint
      ? (this.structural.get(hint) ?? 0) <= this.prose * MAX_STRUCTURAL_SHARE
      : (this.named.get(hint) ?? 0) <= this.prose * MAX_NAMED_SHARE;
  }

  private teaserLists(element: HtmlElement): HtmlElement[] {
    return element.children.flatMap((child) => {
      if (typeof child === 'string' || child.isSkipped || isMain(child)) return [];
      return isTeaserList(child) && !child.holdsMain ? [child] : this.teaserLists(child);
    });
  }

  /** Outermost elements that are nearly nothing but several links, outside of what is marked as the content. */
  private linkLists(element: HtmlElement, isInMain: boolean): HtmlElement[] {
    if (isInMain) return [];
    return element.children.flatMap((child) => {
      if (typeof child === 'string' || child.isSkipped || !BLOCK_ELEMENTS.has(child.name)) return [];
      const isList =
        child.links >= MIN_LIST_LINKS &&
        !child.holdsMain &&
        child.linkLetters >= child.letters * MIN_LIST_DENSITY;
      return isList ? [child] : this.linkLists(child, isMain(child));
    });
  }
}

function isTeaserList(element: HtmlElement): boolean {
  if (element.links < MIN_LIST_LINKS || element.linkLetters < element.letters * MIN_TEASER_DENSITY)
    return false;
  const items = element.children.filter(
    (child): child is HtmlElement => typeof child !== 'string' && !child.isSkipped && child.letters > 0,
  );
  const [first] = items;
  return (
    first !== undefined &&
    items.length >= MIN_LIST_LINKS &&
    items.every((item) => item.name === first.name && item.links > 0 && item.letters <= MAX_TEASER_LETTERS)
  );
}

/** Whether a hint can be meant for such an element at all. */
function mayBe(element: HtmlElement, hint: Hint): boolean {
  const { name } = element;
  if (hint === 'line-numbers') return /^[\d\s]*$/.test(element.rawText);
  if (SAYS_ITSELF.test(name)) return false;
  // A column of comments is data; a cell with a page's menu in it is large.
  if (TABLE_PARTS.test(name)) return element.letters > MAX_CELL_LETTERS;
  // Words of code and parts of a line are called `comment` or `tag` for other reasons than boxes are.
  return BLOCK_ELEMENTS.has(name) || name.includes('-') || hint === 'page-tools' || hint === 'screen-reader';
}

function isWithin(element: HtmlElement, names: RegExp): boolean {
  for (let outer = element.parent; outer !== null; outer = outer.parent)
    if (names.test(outer.name)) return true;
  return false;
}

function skipLater(element: HtmlElement): void {
  element.isSkipped = true;
  const counts = countsOf(element);
  for (let outer = element.parent; outer !== null; outer = outer.parent) addCounts(outer, counts, -1);
}

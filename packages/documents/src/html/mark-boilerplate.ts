import { HintReader, structuralHint, type Hint } from './boilerplate-hints.js';
import { BLOCK_ELEMENTS } from './html-elements.js';
import { isOpenedDialog } from './hidden-content.js';
import type { HtmlElement, HtmlTree } from './html-tree.js';
import { densestElement } from './main-content.js';
import { addElement, isMain, leaveOut, proseOf } from './measure-page.js';
import { PageControls } from './page-controls.js';

/** A page from which more links are left out is not plain, see {@link markBoilerplate}. */
const MAX_PLAIN_LINKS = 12;
/**
 * A hint by class or id that covers a larger share of the page's prose is ignored: the posts of a forum may
 * have the class `comments`.
 */
const MAX_NAMED_SHARE = 0.5;
/** The same limit for hints by tag or role. */
const MAX_STRUCTURAL_SHARE = 0.9;
/** Elements that are content whatever their class or id is. */
const ALWAYS_CONTENT = /^(?:h[1-6]|pre|code|mjx-.*)$/;
const TABLE_PARTS = /^(?:td|th|tr|tbody|thead|tfoot)$/;
const MAX_CELL_LETTERS = 200;
/** The element with more than this share of the prose is content. */
const MIN_DENSEST_SHARE = 0.5;
/** Inside of the content, a hint by class is also ignored if the element is larger and has few links. */
const MAX_TINY_LETTERS = 200;
/** The same for related articles with a summary, of which there are several. */
const MIN_RELATED_DENSITY = 0.1;
/** Letters of prose beside comments from which the comments are not the content, however many there are. */
const MIN_PROSE_BESIDE_COMMENTS = 1_000;
/** Classes of authors and dates, which each comment of a reader has. */
const BYLINE =
  /(?:^|[\s_-])(?:author|avatar|byline|date|datetime|fn|posted|time|timestamp|user|username|vcard)(?![a-z])/i;
const MIN_THREAD_BYLINES = 2;
/** Hints by names that a box with content may have, too. */
const AMBIGUOUS: ReadonlySet<Hint> = new Set(['advertisement', 'aside', 'banner', 'footer', 'page-tools']);
/** Names that no box with content has. */
const CERTAIN_NAME =
  /ad-?(?:container|placeholder|slot|unit|wrap)|ads(?:bygoogle|ense)|add-?this|clipboard|comment|consent|cookie|copy|dfp|edit|gdpr|google-?ad|log-?in|menu|nav|newsletter|onetrust|outbrain|pag(?:er|ination)|print|related|respond|shar(?:e|ing)|sign-?up|skip|social|subscri|taboola|toolbar|toc/i;
/** A smaller `aside` in the content names a source or an author. */
const MIN_ASIDE_LETTERS = 120;
/** A form with fewer letters is an input form. Larger ones can contain the whole page. */
const MAX_FORM_LETTERS = 400;
const MIN_LIST_LINKS = 3;
/** Smallest share of letters in links that makes an element a list of links. */
const MIN_LIST_DENSITY = 0.75;
/** In the content, lists with shorter links are indexes, such as those of the functions of a class. */
const MIN_HEADLINE_LETTERS = 25;
/** On pages with at least this many letters outside of link lists, such lists are menus. */
const MIN_TEXT_BESIDE_LISTS = 300;
/** Titles of lists of other articles, and the smallest share of letters in links of such a list. */
const RELATED_TITLE =
  /^\s*(?:(?:related|recommended|latest|popular|top|sponsored|more) (?:articles?|content|coverage|news|posts|reading|stories|videos)|recommended for you|more (?:from|in|like|on)\b|most (?:commented|popular|read|shared|viewed)|you (?:may|might) (?:also )?(?:be interested|enjoy|like)|also read|don.t miss|trending|read (?:also|more|next)|up next|what to read next|editors?.? picks?)/i;
const MIN_RELATED_LINKS = 2;
const MIN_TITLED_LIST_DENSITY = 0.5;
/** Largest number of letters of a teaser (a short text that links to an article). */
const MAX_TEASER_LETTERS = 300;
/** Smallest share of letters in links of a list of teasers, and of an element in the content that its class hints at. */
const MIN_TEASER_DENSITY = 0.3;
/** Teasers are skipped if the other prose is at least this many times theirs; else they are the content. */
const MIN_TEXT_BESIDE_TEASERS = 2;

/**
 * Marks boilerplate as skipped and subtracts it from the counts of the elements around it.
 *
 * @returns the footers among it, and whether the page has hardly any navigation, as documents have that were not made for
 *   a site
 */
export function markBoilerplate(tree: HtmlTree): { footers: HtmlElement[]; isPlain: boolean } {
  const marker = new BoilerplateMarker(tree);
  const { links } = tree.body;
  marker.mark();
  return { footers: marker.footers, isPlain: links - tree.body.links <= MAX_PLAIN_LINKS };
}

class BoilerplateMarker {
  private readonly hints = new HintReader();
  /**
   * By hint: letters of prose in the outermost elements that have the hint by class or id, or by tag or role.
   */
  private readonly namedProse = new Map<Hint, number>();
  private readonly structuralProse = new Map<Hint, number>();

  readonly footers: HtmlElement[] = [];
  private readonly prose: number;
  private readonly densest: HtmlElement;
  private readonly body: HtmlElement;
  private readonly controls: PageControls;

  constructor({ body, controls }: HtmlTree) {
    this.body = body;
    this.controls = new PageControls(controls);
    this.prose = proseOf(body);
    this.densest = densestElement(body, MIN_DENSEST_SHARE);
  }

  mark(): void {
    this.collectHints(this.body, new Set(), false, false);
    this.skip(this.body, false);
    const lists = this.linkLists(this.body);
    const lettersBeside = this.body.letters - lists.reduce((sum, list) => sum + list.letters, 0);
    if (lettersBeside < MIN_TEXT_BESIDE_LISTS) return;
    for (const list of lists) leaveOut(list);
    const teasers = this.teaserLists(this.body);
    const teaserProse = teasers.reduce((sum, list) => sum + proseOf(list), 0);
    if (proseOf(this.body) - teaserProse < teaserProse * MIN_TEXT_BESIDE_TEASERS) return;
    for (const list of teasers) leaveOut(list);
  }

  /** @param isRevealed whether a click reveals the element; then the name of a dialog means nothing */
  private collectHints(
    element: HtmlElement,
    outer: ReadonlySet<Hint>,
    isInContent: boolean,
    isRevealed: boolean,
  ): void {
    const inContent = isInContent || this.isContent(element);
    for (const child of element.children) {
      if (typeof child === 'string' || child.isSkipped) continue;
      let around = outer;
      const hint = this.hints.hintOf(child, inContent);
      if (hint === 'banner' && isOpenedDialog(child, this.controls)) child.isRevealed = true;
      const opens = isRevealed || child.isRevealed;
      if (opens && (hint === 'banner' || (hint === 'navigation' && !isLinkHeavy(child)))) {
        this.collectHints(child, outer, inContent, true);
        continue;
      }
      if (hint !== undefined && !child.holdsMain && canApply(child, hint)) {
        // Comments within comments are judged with them.
        if (hint !== 'comments' || !outer.has(hint)) child.hint = hint;
        if (!outer.has(hint)) {
          around = new Set([...outer, hint]);
          const sums = structuralHint(child) === hint ? this.structuralProse : this.namedProse;
          sums.set(hint, (sums.get(hint) ?? 0) + proseOf(child));
        }
      }
      this.collectHints(child, around, inContent, opens);
    }
  }

  /** Whether an element is or marks the content. In it, classes are hints that need further evidence. */
  private isContent(element: HtmlElement): boolean {
    return element === this.densest || element.name === 'article' || isMain(element);
  }

  private skip(element: HtmlElement, isInContent: boolean): void {
    const inContent = isInContent || this.isContent(element);
    for (const child of element.children) {
      if (typeof child === 'string' || child.isSkipped) continue;
      addElement(element, child, -1);
      if (this.isBoilerplate(child, inContent)) {
        child.isSkipped = true;
        if (child.hint === 'footer') this.footers.push(child);
        child.leftOut = child.hint === 'screen-reader' ? 'hidden' : 'navigation';
        continue;
      }
      this.skip(child, inContent);
      addElement(element, child, 1);
    }
  }

  private isBoilerplate(element: HtmlElement, isInContent: boolean): boolean {
    if (element.name === 'form' || element.attribute('role') === 'form') {
      const isSmall = element.letters < MAX_FORM_LETTERS && proseOf(element) <= this.prose * MAX_NAMED_SHARE;
      return element.fields > 0 && isSmall && !element.holdsMain;
    }
    if (isTitledRelatedList(element)) return true;
    const { hint } = element;
    if (hint === undefined) return false;
    if (hint === 'generated') return true;
    if (hint === 'comments') return this.isReaderComments(element);
    if (!this.isReliable(element, hint)) return false;
    if (hint === 'footer' && element.outer(({ name }) => /^(?:blockquote|figure)$/.test(name)) !== undefined)
      return false;
    // A header with a heading and few links belongs to an article without `article` element.
    if (hint === 'page-header')
      return !isInContent && (element.headings === 0 || element.linkLetters > element.letters * 0.5);
    if (!isInContent) return true;
    // Some builders of pages open panels as they open menus.
    if (element.name === 'nav' && isPanel(element)) return false;
    // Footnotes, and the source of a section.
    if (hint === 'footer' && structuralHint(element) === hint && element.outer(isMarkedContent) !== undefined)
      return isLinkHeavy(element);
    if (structuralHint(element) !== hint) return isEvident(element, hint);
    return (
      hint !== 'aside' ||
      (element.links >= MIN_LIST_LINKS && element.letters >= MIN_ASIDE_LETTERS && isLinkHeavy(element))
    );
  }

  /** Comments of readers are boilerplate beside an article. In a forum, they are the content. */
  private isReaderComments(element: HtmlElement): boolean {
    const prose = this.namedProse.get('comments') ?? 0;
    if (prose > this.prose * MAX_NAMED_SHARE && this.prose - prose < MIN_PROSE_BESIDE_COMMENTS) return false;
    const isForm = element.fields > 0 && element.letters < MAX_FORM_LETTERS;
    return isForm || countBylines(element, MIN_THREAD_BYLINES) >= MIN_THREAD_BYLINES;
  }

  private isReliable(element: HtmlElement, hint: Hint): boolean {
    const isStructural = structuralHint(element) === hint;
    const prose = (isStructural ? this.structuralProse : this.namedProse).get(hint) ?? 0;
    // A footer can have more text than a short article.
    const maxShare = isStructural || hint === 'footer' ? MAX_STRUCTURAL_SHARE : MAX_NAMED_SHARE;
    return prose <= this.prose * maxShare;
  }

  private teaserLists(element: HtmlElement): HtmlElement[] {
    return element.children.flatMap((child) => {
      if (typeof child === 'string' || child.isSkipped || isMain(child) || child === this.densest) return [];
      return isTeaserList(child) && !child.holdsMain ? [child] : this.teaserLists(child);
    });
  }

  /**
   * The outermost elements that consist mostly of links, outside of the marked main content. In the densest element, only
   * lists of headlines.
   */
  private linkLists(element: HtmlElement, isInDensest = false): HtmlElement[] {
    const inDensest = isInDensest || element === this.densest;
    const minLinkLetters = inDensest ? MIN_HEADLINE_LETTERS : 0;
    return element.children.flatMap((child) => {
      if (typeof child === 'string' || child.isSkipped || !BLOCK_ELEMENTS.has(child.name)) return [];
      const isList =
        child.links >= MIN_LIST_LINKS &&
        !child.holdsMain &&
        child.linkLetters >= child.letters * MIN_LIST_DENSITY &&
        child.linkLetters >= child.links * minLinkLetters;
      if (isList) return [child];
      return isMain(child) ? [] : this.linkLists(child, inDensest);
    });
  }
}

/** What else shows that an element in the content is boilerplate, besides its class. */
function isEvident(element: HtmlElement, hint: Hint): boolean {
  // The styles of a page hide these.
  if (hint === 'line-numbers' || hint === 'screen-reader') return true;
  if (isLinkHeavy(element)) return true;
  if (element.letters <= MAX_TINY_LETTERS) return !AMBIGUOUS.has(hint) || !isStatement(element);
  return (
    hint === 'related' && element.links > 1 && element.linkLetters >= element.letters * MIN_RELATED_DENSITY
  );
}

/** Whether a short box whose class sounds like boilerplate has text of its own, as a promise or a flag has. */
function isStatement(element: HtmlElement): boolean {
  return (
    element.links === 0 &&
    element.fields === 0 &&
    !CERTAIN_NAME.test(`${element.attribute('class') ?? ''} ${element.attribute('id') ?? ''}`)
  );
}

function isLinkHeavy(element: HtmlElement): boolean {
  return element.linkLetters >= element.letters * MIN_TEASER_DENSITY;
}

/** Counts elements that name an author or a date, up to a limit. */
function countBylines(element: HtmlElement, limit: number): number {
  let count = 0;
  for (const child of element.children) {
    if (count >= limit) break;
    if (typeof child === 'string' || child.isSkipped) continue;
    const isByline = child.name === 'time' || BYLINE.test(child.attribute('class') ?? '');
    count += isByline ? 1 : countBylines(child, limit - count);
  }
  return count;
}

/** Whether an element consists of a title such as "Related articles" and of links. */
function isTitledRelatedList(element: HtmlElement): boolean {
  return (
    element.links >= MIN_RELATED_LINKS &&
    element.linkLetters >= element.letters * MIN_TITLED_LIST_DENSITY &&
    !element.holdsMain &&
    BLOCK_ELEMENTS.has(element.name) &&
    RELATED_TITLE.test(element.rawText)
  );
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

/** Whether a hint can apply to such an element. */
function canApply(element: HtmlElement, hint: Hint): boolean {
  const { name } = element;
  if (hint === 'line-numbers') return /^[\d\s]*$/.test(element.rawText);
  if (ALWAYS_CONTENT.test(name)) return false;
  // pdoc gives examples in comments the class of embedded code.
  if (hint === 'generated' && element.outer(isDocstring) !== undefined) return false;
  // A small cell is data, such as a column of comments. A cell with a menu is large.
  if (TABLE_PARTS.test(name)) return element.letters > MAX_CELL_LETTERS;
  // On inline elements, class names such as `comment` or `tag` have other meanings (syntax highlighting).
  return BLOCK_ELEMENTS.has(name) || name.includes('-') || hint === 'page-tools' || hint === 'screen-reader';
}

/** Whether a `nav` has text and no menu. */
function isPanel(element: HtmlElement): boolean {
  return (element.paragraphs > 0 || element.links === 0) && !isLinkHeavy(element);
}

function isMarkedContent(element: HtmlElement): boolean {
  return element.name === 'article' || isMain(element);
}

function isDocstring(element: HtmlElement): boolean {
  return /\bdocstring\b/.test(element.attribute('class') ?? '');
}

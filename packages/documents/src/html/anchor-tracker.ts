import type { HtmlElement } from './html-tree.js';
import { singleLine } from '../document/canonical-text.js';

/** An element with a larger share of the content's letters is the whole page and not a useful link target. */
const MAX_TARGET_SHARE = 0.9;
/** Permalinks beside a heading are searched in wrappers with at most this many children. */
const MAX_WRAPPER_CHILDREN = 8;

/** An element that a URL fragment can point to. */
interface LinkTarget {
  readonly id: string;
  /** Position among the targets in document order. The nearest target of a text has the highest order. */
  readonly order: number;
}

/**
 * Tracks the anchor of each block during a walk through a page. The anchor is the id of the nearest link
 * target: of all targets that cover the block, the one that began last. A heading covers everything up
 * to the next heading of the same or a higher level, an element covers its content, and an element without
 * text covers everything up to the next heading.
 *
 * A heading without an id takes the id of an enclosing element or of the heading above it in the hierarchy,
 * but never that of a preceding sibling heading.
 */
export class AnchorTracker {
  /** The current heading and its ancestors. */
  private readonly sections: { readonly level: number; readonly target: LinkTarget | undefined }[] = [];
  private readonly enclosing: { readonly target: LinkTarget; belongsToHeading: boolean }[] = [];
  private emptyTarget: LinkTarget | undefined;
  private lastOrder = 0;
  /** A target with a higher order begins where the next block begins. */
  private orderAtLastBlock = 0;
  /** The id of the last target since the last block. */
  private pendingId: string | undefined;
  private headingCount = 0;

  constructor(
    private readonly root: HtmlElement,
    private readonly ids: PageIds,
  ) {}

  /** The anchor of a block that is added now. */
  get current(): string | undefined {
    return this.nearest?.id;
  }

  /** @returns a function to call when the element ends */
  enter(element: HtmlElement): () => void {
    const id = this.idOf(element);
    if (id === undefined) return restoreNothing;
    const target = this.createTarget(id);
    this.pendingId = id;
    const { emptyTarget, headingCount } = this;
    const isEmptyTarget = element.letters === 0 || element.name === 'a' || element.name === 'span';
    if (isEmptyTarget) {
      this.emptyTarget = target;
      return restoreNothing;
    }
    this.enclosing.push({ target, belongsToHeading: false });
    return () => {
      this.enclosing.pop();
      // A heading inside the element stays in effect after the element, so the old target is not restored.
      if (this.headingCount === headingCount) this.emptyTarget = emptyTarget;
    };
  }

  /**
   * @param level 1 to 6
   * @returns the anchor of the heading itself
   */
  heading(element: HtmlElement, level: number): string | undefined {
    while ((this.sections.at(-1)?.level ?? 0) >= level) this.sections.pop();
    this.emptyTarget = undefined;
    const own = this.ownId(element);
    const id = own ?? this.current;
    // An element that begins with a heading belongs to that heading, not to later headings in it.
    for (const outer of this.enclosing) outer.belongsToHeading ||= outer.target.order > this.orderAtLastBlock;
    this.sections.push({ level, target: id === undefined ? undefined : this.createTarget(id) });
    this.headingCount += 1;
    this.blockAdded();
    return id;
  }

  blockAdded(): void {
    this.orderAtLastBlock = this.lastOrder;
    this.pendingId = undefined;
  }

  private get nearest(): LinkTarget | undefined {
    const targets = [
      this.sections.at(-1)?.target,
      this.enclosing.findLast(({ belongsToHeading }) => !belongsToHeading)?.target,
      this.emptyTarget,
    ];
    return targets.reduce((nearest, target) =>
      (target?.order ?? 0) > (nearest?.order ?? 0) ? target : nearest,
    );
  }

  private createTarget(id: string): LinkTarget {
    this.lastOrder += 1;
    return { id, order: this.lastOrder };
  }

  private idOf(element: HtmlElement): string | undefined {
    if (element === this.root || element.letters > this.root.letters * MAX_TARGET_SHARE) return undefined;
    return this.ids.of(element);
  }

  /** Site generators put the id on, in, around or before the heading, or on a permalink beside it. */
  private ownId(heading: HtmlElement): string | undefined {
    const beside = permalinkBeside(heading);
    return (
      this.ids.of(heading) ?? this.idWithin(heading) ?? (beside && this.ids.of(beside)) ?? this.pendingId
    );
  }

  private idWithin(element: HtmlElement): string | undefined {
    for (const child of element.children) {
      if (typeof child === 'string') continue;
      const id = this.ids.of(child) ?? this.idWithin(child);
      if (id !== undefined) return id;
    }
    return undefined;
  }
}

function restoreNothing(): void {
  // There is nothing to restore.
}

/** The permalink that some site generators put before or after a heading instead of inside it. */
function permalinkBeside(heading: HtmlElement): HtmlElement | undefined {
  const siblings = heading.parent?.children ?? [];
  // Heading and permalink share a small wrapper. Searching many siblings would take quadratic time.
  if (siblings.length > MAX_WRAPPER_CHILDREN) return undefined;
  const at = siblings.indexOf(heading);
  for (const sibling of [siblings[at - 1], siblings[at + 1]]) {
    if (sibling !== undefined && typeof sibling !== 'string' && isPermalink(sibling)) return sibling;
  }
  return undefined;
}

/** Longer ids are generated and useless in a link. */
const MAX_ID_LENGTH = 200;

/**
 * Maps between fragments and elements as browsers do (HTML Living Standard, 7.4.6.4): the first element with
 * the id, else the first `<a>` with the name.
 *
 * Ids with single spaces, which the standard forbids but browsers find, are supported. Ids with other white
 * space are ignored.
 */
export class PageIds {
  private readonly ids = new Map<string, HtmlElement>();
  private readonly names = new Map<string, HtmlElement>();

  /** @param element any element of the page */
  constructor(element: HtmlElement) {
    let outermost = element;
    while (outermost.parent !== null) outermost = outermost.parent;
    this.collect(outermost);
  }

  /** The fragment of an element; undefined also for an id that an earlier element has. */
  of(element: HtmlElement): string | undefined {
    const id = element.attribute('id');
    if (isFragment(id) && this.ids.get(id) === element) return id;
    const name = nameOf(element);
    return isFragment(name) && this.elementOf(name) === element ? name : undefined;
  }

  elementOf(fragment: string): HtmlElement | undefined {
    return this.ids.get(fragment) ?? this.names.get(fragment);
  }

  private collect(element: HtmlElement): void {
    const id = element.attribute('id');
    if (id !== undefined && !this.ids.has(id)) this.ids.set(id, element);
    const name = nameOf(element);
    if (name !== undefined && !this.names.has(name)) this.names.set(name, element);
    // The content of a template is not part of the page.
    if (element.name === 'template') return;
    for (const child of element.children) if (typeof child !== 'string') this.collect(child);
  }
}

function nameOf(element: HtmlElement): string | undefined {
  return element.name === 'a' ? element.attribute('name') : undefined;
}

/** Whether an id can be used in a link and is unchanged by the normalization of the document builder. */
function isFragment(id: string | undefined): id is string {
  return id !== undefined && id !== '' && id.length <= MAX_ID_LENGTH && singleLine(id) === id;
}

const SIGN = /^[#¶§\u{1f517}]+$/u;

/**
 * Whether an element is a permalink, as in headings: a link to a fragment without text, or whose text is a sign or
 * begins with "permalink", "anchor" or "direct link".
 */
export function isPermalink(element: HtmlElement): boolean {
  if (element.name !== 'a' || element.attribute('href')?.includes('#') !== true) return false;
  const text = element.rawText.trim();
  return text.length <= 2 ? !/[\p{L}\p{N}]/u.test(text) : /^(?:permalink|anchor|direct link)\b/i.test(text);
}

/** Whether an element is a permalink whose text is only a sign, which is not text of the page. */
export function isPermalinkSign(element: HtmlElement): boolean {
  // Most links are longer: the cheap test is first.
  if (element.name !== 'a' || element.letters === 0 || element.letters > 2) return false;
  return element.attribute('href')?.includes('#') === true && SIGN.test(element.rawText.trim());
}

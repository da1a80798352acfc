import type { HtmlElement } from './html-tree.js';
import type { PageIds } from './page-ids.js';
import { isPermalink, permalinkTarget } from './permalink.js';

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

  /** Site generators put the id on, in, around or before the heading, or only into a permalink. */
  private ownId(heading: HtmlElement): string | undefined {
    const beside = permalinkBeside(heading);
    const elementId = this.ids.of(heading) ?? this.idWithin(heading) ?? (beside && this.ids.of(beside));
    return (
      elementId ??
      this.pendingId ??
      this.permalinkIn(heading, heading) ??
      (beside && this.permalinkId(beside, heading))
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

  private permalinkIn(element: HtmlElement, heading: HtmlElement): string | undefined {
    for (const child of element.children) {
      if (typeof child === 'string') continue;
      const id = this.permalinkId(child, heading) ?? this.permalinkIn(child, heading);
      if (id !== undefined) return id;
    }
    return undefined;
  }

  /** The id in a permalink of a heading. If the page has no element with that id, a script sets it later. */
  private permalinkId(link: HtmlElement, heading: HtmlElement): string | undefined {
    const target = permalinkTarget(link);
    if (target === undefined) return undefined;
    const element = this.ids.elementOf(target.id);
    if (element === undefined) return target.isOnPage ? target.id : undefined;
    return isWithin(heading, element) ? this.idOf(element) : undefined;
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

function isWithin(element: HtmlElement, outer: HtmlElement): boolean {
  for (let at: HtmlElement | null = element; at !== null; at = at.parent) if (at === outer) return true;
  return false;
}

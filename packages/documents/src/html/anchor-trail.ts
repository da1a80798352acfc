import type { HtmlElement } from './html-tree.js';
import { PageIds } from './page-ids.js';
import { isPermalink, permalinkTarget } from './permalink.js';

/** Of the content's letters: an element with more is the page rather than a place in it. */
const MAX_PLACE_SHARE = 0.9;
/** Elements beside a heading among which a permalink of it is looked for: a wrapper has few. */
const MAX_WRAPPED = 8;

/** Something that a fragment leads to. */
interface Place {
  readonly id: string;
  /** Of two places that text is in, the one that began later is nearer to it. */
  readonly order: number;
}

/**
 * Follows a walk through a page and knows, for every block, the id of the place that it stands at: of all that it is in,
 * what began last. A heading is a place up to the next one of its level or a higher one, an element up to its end, and
 * an element without text up to the next heading.
 *
 * A heading without an id is found by what encloses it, or by the heading above it; never by one beside that.
 */
export class AnchorTrail {
  private readonly ids: PageIds;
  /** The heading that counts here, and those above it. */
  private readonly sections: { readonly level: number; readonly place: Place | undefined }[] = [];
  private readonly enclosing: { readonly place: Place; isTaken: boolean }[] = [];
  private point: Place | undefined;
  private last = 0;
  /** As of the last block: a place since then is where the next block begins. */
  private settled = 0;
  /** The last place since then. */
  private pending: string | undefined;
  private headings = 0;

  constructor(private readonly root: HtmlElement) {
    this.ids = new PageIds(root);
  }

  /** The anchor for a block that is added now. */
  get current(): string | undefined {
    return this.nearest?.id;
  }

  /** @returns a function to call when the element ends */
  enter(element: HtmlElement): () => void {
    const id = this.placeOf(element);
    if (id === undefined) return nothing;
    const place = this.placeHere(id);
    this.pending = id;
    const { point, headings } = this;
    const isPoint = element.letters === 0 || element.name === 'a' || element.name === 'span';
    if (isPoint) {
      this.point = place;
      return nothing;
    }
    this.enclosing.push({ place, isTaken: false });
    return () => {
      this.enclosing.pop();
      // What a heading began in there goes on after it, as its title does.
      if (this.headings === headings) this.point = point;
    };
  }

  /**
   * @param level 1 to 6
   * @returns the anchor of the heading itself
   */
  heading(element: HtmlElement, level: number): string | undefined {
    while ((this.sections.at(-1)?.level ?? 0) >= level) this.sections.pop();
    this.point = undefined;
    const own = this.ownId(element);
    const id = own ?? this.current;
    // An element that begins with a heading is that heading's: one that follows in it is found by something else.
    for (const outer of this.enclosing) outer.isTaken ||= outer.place.order > this.settled;
    this.sections.push({ level, place: id === undefined ? undefined : this.placeHere(id) });
    this.headings += 1;
    this.blockAdded();
    return id;
  }

  blockAdded(): void {
    this.settled = this.last;
    this.pending = undefined;
  }

  private get nearest(): Place | undefined {
    const places = [
      this.sections.at(-1)?.place,
      this.enclosing.findLast(({ isTaken }) => !isTaken)?.place,
      this.point,
    ];
    return places.reduce((nearest, place) => ((place?.order ?? 0) > (nearest?.order ?? 0) ? place : nearest));
  }

  private placeHere(id: string): Place {
    this.last += 1;
    return { id, order: this.last };
  }

  private placeOf(element: HtmlElement): string | undefined {
    if (element === this.root || element.letters > this.root.letters * MAX_PLACE_SHARE) return undefined;
    return this.ids.of(element);
  }

  /** Generators put the id of a heading on it, into it, around it or before it, or tell it by a link alone. */
  private ownId(heading: HtmlElement): string | undefined {
    const beside = permalinkBeside(heading);
    const real = this.ids.of(heading) ?? this.idWithin(heading) ?? (beside && this.ids.of(beside));
    return (
      real ?? this.pending ?? this.permalinkIn(heading, heading) ?? (beside && this.told(beside, heading))
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
      const id = this.told(child, heading) ?? this.permalinkIn(child, heading);
      if (id !== undefined) return id;
    }
    return undefined;
  }

  /** What a permalink says of its heading: where the page has no such id, a script will set it. */
  private told(link: HtmlElement, heading: HtmlElement): string | undefined {
    const target = permalinkTarget(link);
    if (target === undefined) return undefined;
    const element = this.ids.elementOf(target.id);
    if (element === undefined) return target.isOnPage ? target.id : undefined;
    return isWithin(heading, element) ? this.placeOf(element) : undefined;
  }
}

function nothing(): void {
  // The place goes on after the element.
}

/** The link that some generators put before or behind a heading instead of into it. */
function permalinkBeside(heading: HtmlElement): HtmlElement | undefined {
  const siblings = heading.parent?.children ?? [];
  // It has a wrapper with the heading to itself; in a long flow the search would cost more than it finds.
  if (siblings.length > MAX_WRAPPED) return undefined;
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

import type { HtmlElement } from './html-tree.js';

/** Longer ones are generated; a link that carries one is no longer read by anybody. */
const MAX_ID_LENGTH = 200;
/** Of the content's letters: an element with more is the page rather than a place in it. */
const MAX_PLACE_SHARE = 0.9;

const MAX_WRAPPED = 8;

/**
 * Follows a walk through a page and knows, for every block, the id of the place that it stands at: of the innermost
 * element with an id around it, else of what was last marked by a heading or an empty anchor.
 */
export class AnchorTrail {
  /** The place of the heading that counts here. */
  private section: string | undefined;
  /** A place after that heading. */
  private local: string | undefined;
  /** Seen since the last block: what a heading that follows is marked with. */
  private pending: string | undefined;
  private headings = 0;

  constructor(private readonly root: HtmlElement) {}

  /** The anchor for a block that is added now. */
  get current(): string | undefined {
    return this.local ?? this.section;
  }

  /** @returns a function to call when the element ends */
  enter(element: HtmlElement): () => void {
    const id = this.placeOf(element);
    if (id === undefined) return nothing;
    const { local, headings } = this;
    this.local = id;
    this.pending = id;
    const isPoint = element.letters === 0 || element.name === 'a' || element.name === 'span';
    if (isPoint) return nothing;
    return () => {
      // A heading inside goes on counting after its wrapper, as its title does.
      if (this.headings === headings) this.local = local;
    };
  }

  /** @returns the anchor of the heading itself */
  heading(element: HtmlElement): string | undefined {
    const own = idOf(element) ?? idWithin(element) ?? permalinkBeside(element);
    const anchor = own ?? this.pending ?? this.section;
    this.section = anchor;
    this.local = undefined;
    this.pending = undefined;
    this.headings += 1;
    return anchor;
  }

  blockAdded(): void {
    this.pending = undefined;
  }

  private placeOf(element: HtmlElement): string | undefined {
    const id = idOf(element);
    if (id === undefined || element === this.root) return undefined;
    return element.letters > this.root.letters * MAX_PLACE_SHARE ? undefined : id;
  }
}

function nothing(): void {
  // The place goes on after the element.
}

export function idOf(element: HtmlElement): string | undefined {
  const id = element.attribute('id') ?? (element.name === 'a' ? element.attribute('name') : undefined);
  if (id === undefined || id === '' || id.length > MAX_ID_LENGTH || /\s/.test(id)) return undefined;
  return id;
}

/** Of the first element in a heading that has one, or that its permalink leads to. */
function idWithin(element: HtmlElement): string | undefined {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    const id = idOf(child) ?? permalinkOf(child) ?? idWithin(child);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** The link that some generators put before or behind a heading instead of into it. */
function permalinkBeside(heading: HtmlElement): string | undefined {
  const siblings = heading.parent?.children ?? [];
  // It has a wrapper with the heading to itself; in a long flow the search would cost more than it finds.
  if (siblings.length > MAX_WRAPPED) return undefined;
  const at = siblings.indexOf(heading);
  for (const sibling of [siblings[at - 1], siblings[at + 1]]) {
    if (sibling === undefined || typeof sibling === 'string' || sibling.name !== 'a') continue;
    const id = idOf(sibling) ?? permalinkOf(sibling);
    if (id !== undefined) return id;
  }
  return undefined;
}

function permalinkOf(element: HtmlElement): string | undefined {
  const href = element.attribute('href');
  if (!isPermalink(element) || href === undefined) return undefined;
  const id = href.slice(href.indexOf('#') + 1);
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** A link to a place that has no more than a sign for its text: what stands in headings to copy their address. */
export function isPermalink(element: HtmlElement): boolean {
  if (element.name !== 'a' || element.attribute('href')?.includes('#') !== true) return false;
  const text = element.rawText.trim();
  return text.length <= 2 ? !/[\p{L}\p{N}]/u.test(text) : /^(?:permalink|anchor|direct link)\b/i.test(text);
}

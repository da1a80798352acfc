import type { LeftOutReason } from '@citewell/contracts/schemas';
import type { Document } from '../document/document.js';
import type { Hint } from './boilerplate-hints.js';
import type { Embed } from './embedded-documents.js';
import type { PageIds } from './anchor-tracker.js';

export type HtmlNode = HtmlElement | string;

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/**
 * An element of a page. Text nodes are plain strings. The tree is never deeper than {@link MAX_DEPTH}, so
 * that recursion is safe.
 */
export class HtmlElement {
  readonly children: HtmlNode[] = [];
  /** Only {@link READ_ATTRIBUTES}, with names in lower case. */
  attributes = NO_ATTRIBUTES;

  // Set by `measurePage`. They are fields because a separate map would be slow.
  letters = 0;
  linkLetters = 0;
  links = 0;
  paragraphs = 0;
  headings = 0;
  complexBlocks = 0;
  /** Text fields to fill in, minus those that are filled in. */
  fields = 0;
  holdsMain = false;
  /** Whether the element is excluded from the document and from the counts. */
  isSkipped = false;
  /** Why its text is left out, if it is counted. */
  leftOut: LeftOutReason | undefined;
  /** Its index among the children of its parent. */
  position = 0;
  /** Whether the page hides the element until a click reveals it. */
  isRevealed = false;
  /** Whether the line breaks of its text are shown. */
  keepsBreaks = false;
  /** The recognized text of the picture before it, which is its content. */
  recognized: Document | undefined;
  /** Why the element may be boilerplate, by its tag, role, class or id. */
  hint: Hint | undefined;

  constructor(
    /** In lower case. */
    public name: string,
    public parent: HtmlElement | null,
  ) {}

  attribute(name: string): string | undefined {
    return this.attributes.get(name);
  }

  /** The nearest element around this one that meets a condition. */
  outer(test: (element: HtmlElement) => boolean): HtmlElement | undefined {
    let element = this.parent;
    while (element !== null && !test(element)) element = element.parent;
    return element ?? undefined;
  }

  /** Whether an element around this one is excluded. */
  get isWithinSkipped(): boolean {
    return this.outer(({ isSkipped }) => isSkipped) !== undefined;
  }

  /** The text including skipped elements; for short elements such as titles, scripts and labels. */
  get rawText(): string {
    let text = '';
    for (const child of this.children) text += typeof child === 'string' ? child : child.rawText;
    return text;
  }
}

export interface HtmlTree {
  /** The attributes of `<html>`. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly head: HtmlElement;
  readonly body: HtmlElement;
  /** Elements that may open others; see `PageControls`. */
  readonly controls: HtmlElement[];
  /** Form fields and labels. */
  readonly fields: readonly HtmlElement[];
  readonly embeds: readonly Embed[];
  readonly pictures: readonly HtmlElement[];
  /** Collected when they are first needed. */
  readonly ids: PageIds;
}

/** Deeper elements become siblings, which keeps their text. Browsers use a limit of 512. */
export const MAX_DEPTH = 256;

/** The attributes that are used; others are not stored. */
export const READ_ATTRIBUTES: ReadonlySet<string> = new Set(
  `alt alttext aria-controls aria-expanded aria-hidden aria-label aria-level checked class close colspan commandfor content data
  data-bs-target data-icon data-latex data-target datetime encoding for height hidden href http-equiv id itemprop lang linethickness name onclick open
  popovertarget property rel reversed role rowspan scope selected separators shadowrootmode src srcdoc start style tabindex title type value width x xml:lang y`.split(
    /\s+/,
  ),
);

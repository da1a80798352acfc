import type { Hint } from './boilerplate-hints.js';

export type HtmlNode = HtmlElement | string;

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/**
 * An element of a page. Text nodes are plain strings. The tree is never deeper than {@link MAX_DEPTH}, so that it may
 * be walked by recursion.
 */
export class HtmlElement {
  readonly children: HtmlNode[] = [];
  /** Of {@link READ_ATTRIBUTES} only; names in lower case. */
  attributes = NO_ATTRIBUTES;

  // Filled by `measurePage`, which says what they are; numbers here, because a map beside the tree is slow.
  letters = 0;
  linkLetters = 0;
  links = 0;
  paragraphs = 0;
  headings = 0;
  complexBlocks = 0;
  fields = 0;
  holdsMain = false;
  /** Of these letters nothing is part of the document. */
  isSkipped = false;
  /** What the element says of itself by its tag, role or class. */
  hint: Hint | undefined;

  constructor(
    /** In lower case. */
    readonly name: string,
    readonly parent: HtmlElement | null,
  ) {}

  attribute(name: string): string | undefined {
    return this.attributes.get(name);
  }

  /** Text before anything is decided about it, for short elements: titles, scripts, labels. */
  get rawText(): string {
    let text = '';
    for (const child of this.children) text += typeof child === 'string' ? child : child.rawText;
    return text;
  }
}

/** A page as a tree: what stands in its head, and all the rest. */
export interface HtmlTree {
  /** Of `<html>`. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly head: HtmlElement;
  readonly body: HtmlElement;
}

/** Browsers stop at 512. Deeper elements become siblings, which keeps their text. */
export const MAX_DEPTH = 256;

/** The attributes that anything here reads; the others are not kept. */
export const READ_ATTRIBUTES: ReadonlySet<string> = new Set(
  `alt aria-controls aria-hidden aria-label aria-level checked class colspan content data-icon datetime encoding height hidden href
  http-equiv id itemprop lang name property rel role rowspan scope shadowrootmode src start style title type value width
  xml:lang`.split(/\s+/),
);

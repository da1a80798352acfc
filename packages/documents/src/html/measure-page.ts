import type { HtmlElement } from './html-tree.js';
import { isInvisible } from './visibility.js';

const HEADINGS: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const COMPLEX: ReadonlySet<string> = new Set(['blockquote', 'dl', 'figure', 'pre', 'table', ...HEADINGS]);
const TEXT_FIELDS = /^(?:|text|email|search|password|tel|url)$/i;

/** Letters outside of links, which distinguish text from menus. */
export function proseOf(element: HtmlElement): number {
  return element.letters - element.linkLetters;
}

/**
 * Sets the counts of each visible element and marks invisible elements as skipped. `letters` counts UTF-16
 * code units that are not white space, `linkLetters` those of them in links.
 */
export function measurePage(body: HtmlElement): void {
  measure(body, false);
}

function measure(element: HtmlElement, isInLink: boolean): void {
  const inLink = isInLink || (element.name === 'a' && element.attribute('href') !== undefined);
  for (const child of element.children) {
    if (typeof child === 'string') {
      const letters = countLetters(child);
      element.letters += letters;
      if (inLink) element.linkLetters += letters;
      continue;
    }
    if (isField(child)) element.fields += 1;
    if (isInvisible(child)) {
      child.isSkipped = true;
      continue;
    }
    measure(child, inLink);
    addCounts(element, child, 1);
    if (child.name === 'a') element.links += 1;
    if (child.name === 'p') element.paragraphs += 1;
    if (HEADINGS.has(child.name)) element.headings += 1;
    if (COMPLEX.has(child.name)) element.complexBlocks += 1;
    element.holdsMain ||= isMain(child) || child.name === 'h1' || child.holdsMain;
  }
}

/** Whether the page marks the element as its main content. */
export function isMain(element: HtmlElement): boolean {
  return (
    element.name === 'main' ||
    element.attribute('role') === 'main' ||
    /\b(?:articleBody|mainContentOfPage)\b/.test(element.attribute('itemprop') ?? '')
  );
}

function isField(element: HtmlElement): boolean {
  if (element.name === 'textarea') return true;
  return element.name === 'input' && TEXT_FIELDS.test(element.attribute('type') ?? '');
}

export type Counts = Pick<
  HtmlElement,
  'letters' | 'linkLetters' | 'links' | 'paragraphs' | 'headings' | 'complexBlocks' | 'fields'
>;

/** Returns a snapshot of the counts. */
export function countsOf(element: HtmlElement): Counts {
  const { letters, linkLetters, links, paragraphs, headings, complexBlocks, fields } = element;
  return { letters, linkLetters, links, paragraphs, headings, complexBlocks, fields };
}

/** Adds the counts of a descendant to an element, or subtracts them. */
export function addCounts(element: HtmlElement, counts: Counts, sign: 1 | -1): void {
  element.letters += sign * counts.letters;
  element.linkLetters += sign * counts.linkLetters;
  element.links += sign * counts.links;
  element.paragraphs += sign * counts.paragraphs;
  element.headings += sign * counts.headings;
  element.complexBlocks += sign * counts.complexBlocks;
  element.fields += sign * counts.fields;
}

function countLetters(text: string): number {
  let letters = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x20 && unit !== 0xa0) letters += 1;
  }
  return letters;
}

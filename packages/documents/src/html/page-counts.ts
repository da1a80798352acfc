import type { HtmlElement } from './html-tree.js';

const HEADINGS: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const COMPLEX: ReadonlySet<string> = new Set(['blockquote', 'dl', 'figure', 'pre', 'table', ...HEADINGS]);

/** Reads a skipped element again, and adds its counts to the elements around it. */
export function include(element: HtmlElement): void {
  element.isSkipped = false;
  for (let outer = element.parent; outer !== null; outer = outer.parent) {
    addElement(outer, element, 1);
    // The counts of a hidden element are added when it is revealed.
    if (outer.isSkipped) break;
  }
}

/** Skips an element, and subtracts its counts from the elements around it. */
export function exclude(element: HtmlElement): void {
  if (element.isSkipped) return;
  element.isSkipped = true;
  for (let outer = element.parent; outer !== null; outer = outer.parent) {
    addElement(outer, element, -1);
    if (outer.isSkipped) break;
  }
}

/** Adds the counts of a descendant to an element, or subtracts them. */
export function addElement(element: HtmlElement, child: HtmlElement, sign: 1 | -1): void {
  element.letters += sign * child.letters;
  element.linkLetters += sign * child.linkLetters;
  element.links += sign * (child.links + (child.name === 'a' ? 1 : 0));
  element.paragraphs += sign * (child.paragraphs + (child.name === 'p' ? 1 : 0));
  element.headings += sign * (child.headings + (HEADINGS.has(child.name) ? 1 : 0));
  element.complexBlocks += sign * (child.complexBlocks + (COMPLEX.has(child.name) ? 1 : 0));
  element.fields += sign * child.fields;
  if (sign > 0) element.holdsMain ||= isMain(child) || child.name === 'h1' || child.holdsMain;
}

/** Whether the page marks the element as its main content. */
export function isMain(element: HtmlElement): boolean {
  return (
    element.name === 'main' ||
    element.attribute('role') === 'main' ||
    /\b(?:articleBody|mainContentOfPage)\b/.test(element.attribute('itemprop') ?? '')
  );
}

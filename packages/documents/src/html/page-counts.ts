import type { HtmlElement } from './html-tree.js';

const HEADINGS: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const MAIN_PROPERTY = /\b(?:articleBody|mainContentOfPage)\b/;
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
  element.links += sign * child.links;
  element.paragraphs += sign * child.paragraphs;
  element.headings += sign * child.headings;
  element.complexBlocks += sign * child.complexBlocks;
  element.fields += sign * child.fields;
  const { name } = child;
  if (name === 'a') element.links += sign;
  else if (name === 'p') element.paragraphs += sign;
  else if (COMPLEX.has(name)) {
    element.complexBlocks += sign;
    if (HEADINGS.has(name)) element.headings += sign;
  }
  if (sign > 0) element.holdsMain ||= child.holdsMain || name === 'h1' || isMain(child);
}

/** Whether the page marks the element as its main content. */
export function isMain({ name, attributes }: HtmlElement): boolean {
  if (name === 'main') return true;
  if (attributes.size === 0) return false;
  const property = attributes.get('itemprop');
  return attributes.get('role') === 'main' || (property !== undefined && MAIN_PROPERTY.test(property));
}

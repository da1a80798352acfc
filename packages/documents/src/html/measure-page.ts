import { placeFieldValues } from './form-fields.js';
import { hiddenBy, HiddenContent, isDeleted, isUnread, MAX_SIBLINGS } from './hidden-content.js';
import { isFormulaScript, showsFormula } from './formulas.js';
import { HtmlElement, type HtmlTree } from './html-tree.js';
import { isToggle } from './page-controls.js';

/** Deeper placeholders are not filled, so that the tree stays shallow enough for recursion. */
const MAX_PLACEHOLDER_DEPTH = 100;

const KEEPS_BREAKS = /\bwhite-space\s*:\s*(?:pre-(?:line|wrap)|break-spaces)\b/i;

const TEXT_FIELDS = /^(?:|text|email|search|password|tel|url)$/i;

/** Letters outside of links, which distinguish text from menus. */
export function proseOf(element: HtmlElement): number {
  return element.letters - element.linkLetters;
}

/**
 * Sets the counts of each visible element and marks invisible elements as skipped. `letters` counts UTF-16
 * code units that are not white space, `linkLetters` those of them in links.
 */
export function measurePage(tree: HtmlTree): void {
  placeStreamedContent(tree);
  placeFieldValues(tree);
  const closed: HtmlElement[] = [];
  const buttons: HtmlElement[] = [];
  const deleted: HtmlElement[] = [];
  measure(tree.body, false, { closed, buttons, deleted });
  readButtons(buttons);
  const hidden = new HiddenContent(tree);
  for (const element of closed) {
    if (element.letters === 0 || element.isWithinSkipped) continue;
    const verdict = hidden.verdictOf(element);
    if (verdict === 'content') {
      element.isRevealed = true;
      include(element);
    } else if (verdict !== 'duplicate') element.leftOut = verdict;
  }
  keepUnclosedDeletions(tree, deleted);
}

interface Found {
  /** Hidden elements with text, in document order. */
  readonly closed: HtmlElement[];
  readonly buttons: HtmlElement[];
  readonly deleted: HtmlElement[];
}

function measure(element: HtmlElement, isInLink: boolean, found: Found): void {
  const inLink = isInLink || (element.name === 'a' && element.attribute('href') !== undefined);
  const { children } = element;
  element.keepsBreaks =
    element.parent?.keepsBreaks === true || KEEPS_BREAKS.test(element.attribute('style') ?? '');
  if (element.keepsBreaks) keepLineBreaks(element);
  let position = 0;
  for (const child of children) {
    if (typeof child === 'string') {
      const letters = countLetters(child);
      element.letters += letters;
      if (inLink) element.linkLetters += letters;
    } else {
      child.position = position;
      measureChild(element, child, inLink, found);
    }
    position += 1;
  }
}

/** Makes the line breaks of text elements, as its style shows them. */
function keepLineBreaks(element: HtmlElement): void {
  for (const node of element.children.splice(0)) {
    const lines = typeof node === 'string' ? node.split('\n') : [node];
    for (const [index, line] of lines.entries()) {
      if (index > 0) element.children.push(new HtmlElement('br', element));
      element.children.push(line);
    }
  }
}

function measureChild(element: HtmlElement, child: HtmlElement, isInLink: boolean, found: Found): void {
  if (isField(child)) element.fields += 1;
  if (isUnread(child)) {
    child.isSkipped = true;
    return;
  }
  if (isFormulaScript(child)) {
    const shown = element.children[child.position - 1];
    if (typeof shown === 'object' && !shown.isSkipped && showsFormula(shown)) {
      shown.isSkipped = true;
      addElement(element, shown, -1);
    }
  }
  const list = listFor(child, found);
  list?.push(child);
  measure(child, isInLink, found);
  if (list === undefined) addElement(element, child, 1);
  else child.isSkipped = true;
}

/** The list that collects an element until it is decided whether it is read; undefined if it is. */
function listFor(element: HtmlElement, { closed, buttons, deleted }: Found): HtmlElement[] | undefined {
  if (isDeleted(element)) {
    element.leftOut = 'deleted';
    return deleted;
  }
  if (element.name === 'button') {
    element.leftOut = 'navigation';
    return buttons;
  }
  return hiddenBy(element) === undefined ? undefined : closed;
}

/** A deletion that covers more than the rest of the page has not been closed. */
function keepUnclosedDeletions({ body }: HtmlTree, deleted: readonly HtmlElement[]): void {
  for (const element of deleted) {
    if (element.letters <= body.letters || element.isWithinSkipped) continue;
    element.leftOut = undefined;
    include(element);
  }
}

function isField(element: HtmlElement): boolean {
  if (element.name === 'textarea') return true;
  return element.name === 'input' && TEXT_FIELDS.test(element.attribute('type') ?? '');
}

function countLetters(text: string): number {
  let letters = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x20 && unit !== 0xa0) letters += 1;
  }
  return letters;
}

/**
 * Puts content that React streams after the page where its script puts it: `<div hidden id="S:1">` replaces
 * `<template id="B:1">` or `<template id="P:1">`.
 */
function placeStreamedContent({ body }: HtmlTree): void {
  const segments = new Map<string, HtmlElement>();
  for (const child of body.children) {
    if (typeof child === 'string' || child.attribute('hidden') === undefined) continue;
    const number = numberIn(/^S:([\da-f]+)$/, child);
    if (number !== undefined) segments.set(number, child);
  }
  if (segments.size > 0) fillPlaceholders(body, segments, body, 0);
}

function fillPlaceholders(
  element: HtmlElement,
  segments: Map<string, HtmlElement>,
  body: HtmlElement,
  depth: number,
): void {
  if (depth > MAX_PLACEHOLDER_DEPTH) return;
  // By index, because segments are moved away from the end of the body.
  for (let index = 0; index < element.children.length; index += 1) {
    const child = element.children[index];
    if (child === undefined || typeof child === 'string') continue;
    const number = child.name === 'template' ? numberIn(/^[BP]:([\da-f]+)$/, child) : undefined;
    const segment = number === undefined ? undefined : segments.get(number);
    if (number !== undefined && segment !== undefined) {
      segments.delete(number);
      body.children.splice(body.children.indexOf(segment), 1);
      element.children[index] = segment;
      segment.parent = element;
      segment.attributes = new Map();
    }
    fillPlaceholders(segment ?? child, segments, body, depth + 1);
  }
}

function numberIn(pattern: RegExp, element: HtmlElement): string | undefined {
  return pattern.exec(element.attribute('id') ?? '')?.[1];
}

const HEADINGS: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const MAIN_PROPERTY = /\b(?:articleBody|mainContentOfPage)\b/;
const COMPLEX: ReadonlySet<string> = new Set(['blockquote', 'dl', 'figure', 'pre', 'table', ...HEADINGS]);

/** Reads a skipped element again, and adds its counts to the elements around it. */
function include(element: HtmlElement): void {
  element.isSkipped = false;
  for (let outer = element.parent; outer !== null; outer = outer.parent) {
    addElement(outer, element, 1);
    // The counts of a hidden element are added when it is revealed.
    if (outer.isSkipped) break;
  }
}

/** Skips an element as navigation, and subtracts its counts from the elements around it. */
export function leaveOut(element: HtmlElement): void {
  element.leftOut = 'navigation';
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

/** A button with more letters is a text that can be clicked. */
const MAX_BUTTON_LETTERS = 120;

/** Reads the buttons that are labels of content, such as tabs and the questions of an FAQ. Other buttons are no text. */
function readButtons(buttons: readonly HtmlElement[]): void {
  for (const button of buttons)
    if (button.letters > 0 && (isInHeading(button) || isText(button) || isToggle(button))) include(button);
}

/** Whether a button has a text of its own, as a card that can be clicked has. */
function isText(button: HtmlElement): boolean {
  return button.headings > 0 || button.paragraphs > 0 || button.letters > MAX_BUTTON_LETTERS;
}

/** Whether a button is the text of a heading, `dt`, `summary` or `legend`, as the questions of an FAQ are. */
function isInHeading(button: HtmlElement): boolean {
  for (let outer = button.parent; outer !== null; outer = outer.parent) {
    if (/^(?:h[1-6]|dt|summary|legend)$/.test(outer.name) || outer.attribute('role') === 'heading')
      return !isBesideText(button);
    if (outer.name === 'div' || outer.name === 'body') break;
  }
  return false;
}

/** Whether a button has text beside it, as a button that copies the heading has. */
function isBesideText({ parent }: HtmlElement): boolean {
  // Searching many siblings for each of them would take quadratic time.
  if (parent === null || parent.children.length > MAX_SIBLINGS) return false;
  return parent.children.some((child) => typeof child === 'string' && /[\p{L}\p{N}]/u.test(child));
}

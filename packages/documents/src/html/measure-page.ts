import { HiddenContent } from './hidden-content.js';
import type { HtmlElement, HtmlTree } from './html-tree.js';
import { addElement, include } from './page-counts.js';
import { PanelLabels } from './panel-labels.js';
import { hiddenBy, isDeleted, isUnread } from './visibility.js';

/** Deeper placeholders are not filled, so that the tree stays shallow enough for recursion. */
const MAX_PLACEHOLDER_DEPTH = 100;

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
  const closed: HtmlElement[] = [];
  const buttons: HtmlElement[] = [];
  const deleted: HtmlElement[] = [];
  measure(tree.body, false, { closed, buttons, deleted });
  const labels = new PanelLabels(tree);
  labels.readButtons(buttons);
  const hidden = new HiddenContent(tree);
  for (const element of closed) {
    if (element.letters === 0 || isWithinSkipped(element)) continue;
    const verdict = hidden.verdictOf(element);
    if (verdict === 'content') {
      element.isRevealed = true;
      include(element);
    } else if (verdict !== 'duplicate') element.leftOut = verdict;
  }
  labels.finish();
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

function measureChild(element: HtmlElement, child: HtmlElement, isInLink: boolean, found: Found): void {
  if (isField(child)) element.fields += 1;
  if (isUnread(child)) {
    child.isSkipped = true;
    return;
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
    if (element.letters <= body.letters || isWithinSkipped(element)) continue;
    element.leftOut = undefined;
    include(element);
  }
}

function isWithinSkipped(element: HtmlElement): boolean {
  for (let outer = element.parent; outer !== null; outer = outer.parent) if (outer.isSkipped) return true;
  return false;
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

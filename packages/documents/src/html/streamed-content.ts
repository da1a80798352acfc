import type { HtmlElement, HtmlTree } from './html-tree.js';

/** Deeper placeholders are not filled, so that the tree stays shallow enough for recursion. */
const MAX_DEPTH = 100;

/**
 * Puts content that React streams after the page where its script puts it: `<div hidden id="S:1">` replaces
 * `<template id="B:1">` or `<template id="P:1">`.
 */
export function placeStreamedContent({ body }: HtmlTree): void {
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
  if (depth > MAX_DEPTH) return;
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

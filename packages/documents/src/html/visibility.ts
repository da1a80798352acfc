import { UNREAD_ELEMENTS } from './html-elements.js';
import type { HtmlElement } from './html-tree.js';

/** Class or id of parts that a click opens, such as tabs: an inline style that hides them is ignored. */
const COLLAPSIBLE = /accordion|collaps|expand|tab-?(?:pane|panel|content)|toggle|faq|answer/i;
const NOT_DISPLAYED = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/** Of more siblings, none is searched. */
export const MAX_SIBLINGS = 8;

/** Whether the markup of an element hides it from readers permanently. */
export function isInvisible(element: HtmlElement): boolean {
  const { name } = element;
  if (UNREAD_ELEMENTS.has(name)) return true;
  if (name === 'button') return !isInHeading(element);
  // A declarative shadow root is part of the page.
  if (name === 'template') return element.attribute('shadowrootmode') === undefined;
  const { attributes } = element;
  if (attributes.size === 0 || attributes.get('role') === 'tabpanel') return false;
  const hidden = attributes.get('hidden');
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return true;
  if (attributes.get('aria-hidden')?.toLowerCase() === 'true') return true;
  const style = attributes.get('style');
  if (style === undefined || !NOT_DISPLAYED.test(style)) return false;
  return !COLLAPSIBLE.test(`${attributes.get('class') ?? ''} ${attributes.get('id') ?? ''}`);
}

/** Whether a button is the text of a heading, `dt`, `summary` or `legend`, as the questions of an FAQ are. */
function isInHeading(button: HtmlElement): boolean {
  for (let outer = button.parent; outer !== null; outer = outer.parent) {
    if (/^(?:h[1-6]|dt|summary|legend)$/.test(outer.name)) return !isBesideText(button);
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

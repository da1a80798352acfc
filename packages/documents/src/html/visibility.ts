import { SILENT_ELEMENTS } from './html-elements.js';
import type { HtmlElement } from './html-tree.js';

/** Closed parts of a page that a click opens are content: tabs, accordions. */
const COLLAPSIBLE = /accordion|collaps|expand|tab-?(?:pane|panel|content)|toggle|faq|answer/i;
const NOT_DISPLAYED = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/** Whether a reader of the page never sees the element, as far as its own markup tells. */
export function isInvisible(element: HtmlElement): boolean {
  const { name } = element;
  if (SILENT_ELEMENTS.has(name)) return true;
  if (name === 'button') return !isLabel(element);
  // A shadow root that is written in the page is part of it.
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

/** The button of a question that opens its answer is text of the page; one that does something is not. */
function isLabel(button: HtmlElement): boolean {
  for (let outer = button.parent; outer !== null; outer = outer.parent) {
    if (/^(?:h[1-6]|dt|summary|legend)$/.test(outer.name)) return true;
    if (outer.name === 'div' || outer.name === 'body') break;
  }
  return false;
}

import { UNREAD_ELEMENTS } from './html-elements.js';
import type { HtmlElement } from './html-tree.js';

const DECORATION = /text-decoration(?:-line)?\s*:/i;
const STRUCK_CLASS = /(?:^|\s)(?:(?:text-(?:decoration-)?)?line-through|strike-?(?:out|through)?)(?:\s|$)/i;
const NOT_DISPLAYED = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
/** Text that is moved out of the window, or reduced to a pixel. */
const OFF_SCREEN = /(?:left|top|text-indent)\s*:\s*-\d{4}|clip\s*:\s*rect\(\s*0|mso-hide\s*:\s*all/i;

/** Of more siblings, none is searched. */
export const MAX_SIBLINGS = 8;

/** How the markup hides an element when the page opens. */
export type HiddenBy =
  /** Not displayed. A click may reveal it. */
  | 'display'
  /** Displayed, and kept from screen readers. */
  | 'aria'
  /** Outside of the window. Nothing reveals it. */
  | 'position';

/** Whether no visitor sees the element as text: scripts, templates, fields. */
export function isUnread(element: HtmlElement): boolean {
  // A declarative shadow root is part of the page.
  if (element.name === 'template') return element.attribute('shadowrootmode') === undefined;
  return UNREAD_ELEMENTS.has(element.name);
}

/** How an element is hidden; undefined for one that is displayed. */
export function hiddenBy({ name, attributes }: HtmlElement): HiddenBy | undefined {
  if (name === 'dialog') return 'display';
  if (attributes.size === 0) return undefined;
  const style = attributes.get('style');
  if (style !== undefined) {
    if (OFF_SCREEN.test(style)) return 'position';
    if (NOT_DISPLAYED.test(style)) return 'display';
  }
  const hidden = attributes.get('hidden');
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return 'display';
  // The description of an image, such as a formula, stands for what is seen.
  return attributes.get('aria-hidden')?.toLowerCase() === 'true' && name !== 'img' ? 'aria' : undefined;
}

/** Whether the text of an element is struck through: it does not hold any more. */
export function isDeleted({ name, attributes }: HtmlElement): boolean {
  if (name === 's' || name === 'del' || name === 'strike') return true;
  if (attributes.size === 0) return false;
  const style = attributes.get('style');
  if (style?.includes('line-through') === true && style.split(';').some(isStruckThrough)) return true;
  const className = attributes.get('class');
  // Most classes fail the cheap test.
  return (
    className !== undefined &&
    className.length > 5 &&
    /trike|hrough/.test(className) &&
    STRUCK_CLASS.test(className)
  );
}

function isStruckThrough(declaration: string): boolean {
  const start = declaration.search(DECORATION);
  return start >= 0 && declaration.includes('line-through', start);
}

import type { HtmlElement } from './html-tree.js';
import { isFragment } from './page-ids.js';

const SIGN = /^[#¶§\u{1f517}]+$/u;
const SIGNS = ['#', '¶', '§', '\u{1f517}'];

/**
 * Whether an element is a permalink, as in headings: a link to a fragment without text, or whose text is a sign or
 * begins with "permalink", "anchor" or "direct link".
 */
export function isPermalink(element: HtmlElement): boolean {
  if (element.name !== 'a' || element.attribute('href')?.includes('#') !== true) return false;
  const text = element.rawText.trim();
  return text.length <= 2 ? !/[\p{L}\p{N}]/u.test(text) : /^(?:permalink|anchor|direct link)\b/i.test(text);
}

/** Whether an element is a permalink whose text is only a sign, which is not text of the page. */
export function isPermalinkSign(element: HtmlElement): boolean {
  // Most links are longer: the cheap test is first.
  if (element.name !== 'a' || element.letters === 0 || element.letters > 2) return false;
  return element.attribute('href')?.includes('#') === true && SIGN.test(element.rawText.trim());
}

/** The text of a heading without the signs of permalinks at its end. */
export function withoutPermalinkSigns(text: string): string {
  let end = text.length;
  for (;;) {
    const sign = SIGNS.find((known) => text.endsWith(known, end));
    if (sign === undefined) return text.slice(0, end).trimEnd();
    end -= sign.length;
  }
}

/** The target id of a permalink. `isOnPage` is true when its href is only a fragment. */
export function permalinkTarget(
  element: HtmlElement,
): { readonly id: string; readonly isOnPage: boolean } | undefined {
  const href = element.attribute('href')?.trim();
  if (href === undefined || !isPermalink(element)) return undefined;
  const id = decodeFragment(href.slice(href.indexOf('#') + 1));
  // `#top` scrolls to the top of any page.
  if (!isFragment(id) || id.toLowerCase() === 'top') return undefined;
  return { id, isOnPage: href.startsWith('#') };
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

import type { HtmlElement } from './html-tree.js';
import { isFragment } from './page-ids.js';

/** A link to a place that has no more than a sign for its text: what stands in headings to copy their address. */
export function isPermalink(element: HtmlElement): boolean {
  if (element.name !== 'a' || element.attribute('href')?.includes('#') !== true) return false;
  const text = element.rawText.trim();
  return text.length <= 2 ? !/[\p{L}\p{N}]/u.test(text) : /^(?:permalink|anchor|direct link)\b/i.test(text);
}

/** The id that a permalink leads to; `isOnPage` where it says so by being nothing but that. */
export function permalinkTarget(
  element: HtmlElement,
): { readonly id: string; readonly isOnPage: boolean } | undefined {
  const href = element.attribute('href')?.trim();
  if (href === undefined || !isPermalink(element)) return undefined;
  const id = decoded(href.slice(href.indexOf('#') + 1));
  // `#top` leads to the top of any page.
  if (!isFragment(id) || id.toLowerCase() === 'top') return undefined;
  return { id, isOnPage: href.startsWith('#') };
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

import type { HtmlElement, HtmlTree } from './html-tree.js';
import { isMain } from './page-counts.js';
import type { PageHead } from './page-head.js';

/**
 * Why a page seems to be an empty shell that scripts fill:
 * - `empty-app-root`: the root element of the application is empty
 * - `empty-main`: the element marked as main content is empty
 * - `noscript-hint`: little text, and `<noscript>` asks to enable JavaScript
 * - `no-text`: scripts but no text
 */
export type RenderingReason = 'empty-app-root' | 'empty-main' | 'noscript-hint' | 'no-text';

/** A page with more letters is not a shell; a shell has texts such as "Loading…" and a copyright line. */
const MAX_SHELL_LETTERS = 200;
/** Ids that common frameworks and their templates use. */
const APP_ROOT =
  /^(?:app|root|main|__next|__nuxt|__gatsby|___gatsby|__docusaurus|svelte|application|react-root|mount|ember\d*|q-app|flutter|container|content|page)$|(?:^|-)(?:app|root)$/i;
const ASKS_FOR_SCRIPTS = /javascript|ecmascript|enable js|js-?enabled/i;

/** @param tree a measured tree whose boilerplate has not been marked yet */
export function renderingReason({ body }: HtmlTree, head: PageHead): RenderingReason | null {
  if (head.scripts === 0) return null;
  if (body.letters === 0) return hasEmptyRoot(body) ? 'empty-app-root' : 'no-text';
  if (body.letters <= MAX_SHELL_LETTERS) {
    if (hasEmptyRoot(body)) return 'empty-app-root';
    if (ASKS_FOR_SCRIPTS.test(head.noscript)) return 'noscript-hint';
  }
  return hasEmptyMain(body) ? 'empty-main' : null;
}

function hasEmptyRoot(element: HtmlElement, depth = 0): boolean {
  return element.children.some((child) => {
    if (typeof child === 'string' || child.isSkipped) return false;
    if (child.letters === 0) return isAppRoot(child);
    return depth < 2 && hasEmptyRoot(child, depth + 1);
  });
}

function isAppRoot(element: HtmlElement): boolean {
  // An element name with a hyphen is a custom element, such as `<app-root>`.
  return element.name.includes('-') || APP_ROOT.test(element.attribute('id') ?? '');
}

function hasEmptyMain(element: HtmlElement): boolean {
  let hasMain = false;
  let letters = 0;
  const read = (parent: HtmlElement): void => {
    for (const child of parent.children) {
      if (typeof child === 'string' || child.isSkipped) continue;
      if (isMain(child)) {
        hasMain = true;
        letters += child.letters;
      } else if (child.holdsMain) read(child);
    }
  };
  read(element);
  return hasMain && letters === 0;
}

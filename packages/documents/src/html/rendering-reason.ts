import type { HtmlElement, HtmlTree } from './html-tree.js';
import { isMain } from './measure-page.js';
import type { PageHead } from './page-head.js';

/**
 * Why a page is taken for an empty shell:
 * - `empty-app-root`: the element that scripts put the page into is empty
 * - `empty-main`: what the page marks as its content is empty
 * - `noscript-hint`: hardly any text, and what is shown without scripts asks for them
 * - `no-text`: scripts, and no text at all
 */
export type RenderingReason = 'empty-app-root' | 'empty-main' | 'noscript-hint' | 'no-text';

/** Letters up to which a page may be a shell: "Loading…" and a copyright line. */
const MAX_SHELL_LETTERS = 200;
/** Ids that the common frameworks and their templates use. */
const APP_ROOT =
  /^(?:app|root|main|__next|__nuxt|__gatsby|___gatsby|__docusaurus|svelte|application|react-root|mount|ember\d*|q-app|flutter|container|content|page)$|(?:^|-)(?:app|root)$/i;
const ASKS_FOR_SCRIPTS = /javascript|ecmascript|enable js|js-?enabled/i;

/** @param tree after it was measured, before boilerplate is taken out of its counts */
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
  // An element with a hyphen in its name is a component: `<app-root>`.
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

import { singleLine } from '../document/canonical-text.js';
import type { HtmlElement } from './html-tree.js';

/** Longer ones are generated; a link that carries one is no longer read by anybody. */
const MAX_ID_LENGTH = 200;

/**
 * The elements of a page that a fragment leads to, as browsers look for them (HTML Living Standard, 7.4.6.4): the first
 * element with that id, wherever it stands; else the first `<a>` with that name.
 *
 * White space has no business in an id, but single spaces in one are found; ids with other white space are left out.
 */
export class PageIds {
  private readonly ids = new Map<string, HtmlElement>();
  private readonly names = new Map<string, HtmlElement>();

  /** @param element any of the page */
  constructor(element: HtmlElement) {
    let outermost = element;
    while (outermost.parent !== null) outermost = outermost.parent;
    this.collect(outermost);
  }

  /** What leads to this element; of equal ids, the second is none. */
  of(element: HtmlElement): string | undefined {
    const id = element.attribute('id');
    if (isFragment(id) && this.ids.get(id) === element) return id;
    const name = nameOf(element);
    return isFragment(name) && this.elementOf(name) === element ? name : undefined;
  }

  elementOf(fragment: string): HtmlElement | undefined {
    return this.ids.get(fragment) ?? this.names.get(fragment);
  }

  private collect(element: HtmlElement): void {
    const id = element.attribute('id');
    if (id !== undefined && !this.ids.has(id)) this.ids.set(id, element);
    const name = nameOf(element);
    if (name !== undefined && !this.names.has(name)) this.names.set(name, element);
    // What is in a template is no part of the page.
    if (element.name === 'template') return;
    for (const child of element.children) if (typeof child !== 'string') this.collect(child);
  }
}

function nameOf(element: HtmlElement): string | undefined {
  return element.name === 'a' ? element.attribute('name') : undefined;
}

/** Whether a link can carry it, and a document keeps it as it is. */
export function isFragment(id: string | undefined): id is string {
  return id !== undefined && id !== '' && id.length <= MAX_ID_LENGTH && singleLine(id) === id;
}

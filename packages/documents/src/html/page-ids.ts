import { singleLine } from '../document/canonical-text.js';
import type { HtmlElement } from './html-tree.js';

/** Longer ids are generated and useless in a link. */
const MAX_ID_LENGTH = 200;

/**
 * Maps between fragments and elements as browsers do (HTML Living Standard, 7.4.6.4): the first element with
 * the id, else the first `<a>` with the name.
 *
 * Ids with single spaces, which the standard forbids but browsers find, are supported. Ids with other white
 * space are ignored.
 */
export class PageIds {
  private readonly ids = new Map<string, HtmlElement>();
  private readonly names = new Map<string, HtmlElement>();

  /** @param element any element of the page */
  constructor(element: HtmlElement) {
    let outermost = element;
    while (outermost.parent !== null) outermost = outermost.parent;
    this.collect(outermost);
  }

  /** The fragment of an element; undefined also for an id that an earlier element has. */
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
    // The content of a template is not part of the page.
    if (element.name === 'template') return;
    for (const child of element.children) if (typeof child !== 'string') this.collect(child);
  }
}

function nameOf(element: HtmlElement): string | undefined {
  return element.name === 'a' ? element.attribute('name') : undefined;
}

/** Whether an id can be used in a link and is unchanged by the normalization of the document builder. */
export function isFragment(id: string | undefined): id is string {
  return id !== undefined && id !== '' && id.length <= MAX_ID_LENGTH && singleLine(id) === id;
}

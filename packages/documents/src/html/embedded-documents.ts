import { hiddenBy } from './hidden-content.js';
import { HtmlElement, type HtmlTree } from './html-tree.js';

/** A smaller one is for scripts. */
const MIN_PIXELS = 2;
/** Types that are no page, by the end of the address. */
const OTHER_TYPE = /\.(?:avif|docx?|gif|jpe?g|mp[34]|ogg|pdf|png|pptx?|svg|swf|web[mp]|xlsx?|xml|zip)$/i;

/** An element with another document inside. */
export interface Embed {
  readonly element: HtmlElement;
  /** Where its tag can get another attribute, in UTF-16 code units of the page. */
  readonly offset: number;
}

/** Elements that embed documents. */
export const EMBEDDING_ELEMENTS: ReadonlySet<string> = new Set(['embed', 'frame', 'iframe', 'object']);

/** Puts the documents of `srcdoc` behind their frames, since readers see them as part of the page. */
export function placeSourceDocuments(tree: HtmlTree, parse: (html: string) => HtmlTree): void {
  for (const { element } of tree.embeds) {
    const source = element.attribute('srcdoc');
    const { parent } = element;
    if (source === undefined || parent === null || isTiny(element)) continue;
    const { head, body, controls } = parse(source);
    const base = head.children.find(
      (child): child is HtmlElement => typeof child !== 'string' && child.name === 'base',
    );
    resolveReferences(body, base?.attribute('href'));
    const part = new HtmlElement('div', parent);
    part.attributes = new Map([...element.attributes].filter(([name]) => name !== 'id'));
    // One by one: arguments are on the stack.
    for (const child of body.children) {
      part.children.push(child);
      if (typeof child !== 'string') child.parent = part;
    }
    parent.children.splice(parent.children.indexOf(element) + 1, 0, part);
    for (const control of controls) tree.controls.push(control);
  }
}

/** Makes the addresses of an embedded document those of its own base. */
function resolveReferences(element: HtmlElement, base: string | undefined): void {
  if (base === undefined) return;
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    for (const name of ['href', 'src', 'data']) {
      const reference = child.attribute(name);
      const url = reference === undefined || reference.startsWith('#') ? null : URL.parse(reference, base);
      if (url !== null) child.attributes = new Map([...child.attributes, [name, url.href]]);
    }
    resolveReferences(child, base);
  }
}

/**
 * The only embedded document of a page that visitors see and that may be a page of the same host; undefined if there is none
 * or several.
 *
 * @param resolve the absolute address of a reference; null if it belongs to another host
 */
export function onlyEmbedOf(
  tree: HtmlTree,
  resolve: (reference: string) => string | null,
): { readonly url: string; readonly offset: number } | undefined {
  const found = new Map<string, number>();
  for (const { element, offset } of tree.embeds) {
    const reference = element.attribute(element.name === 'object' ? 'data' : 'src');
    if (reference === undefined || element.attribute('srcdoc') !== undefined || isHidden(element)) continue;
    const type = element.attribute('type') ?? 'text/html';
    const url = /html/i.test(type) ? resolve(reference) : null;
    if (url !== null && !OTHER_TYPE.test(new URL(url).pathname) && !found.has(url)) found.set(url, offset);
  }
  const [only] = found;
  return only === undefined || found.size > 1 ? undefined : { url: only[0], offset: only[1] };
}

function isHidden(element: HtmlElement): boolean {
  return isTiny(element) || hiddenBy(element) !== undefined || element.isWithinSkipped;
}

function isTiny(element: HtmlElement): boolean {
  return ['width', 'height'].some((side) => Number(element.attribute(side) ?? MIN_PIXELS) < MIN_PIXELS);
}

/** The page with an embedded document inside, see {@link placeSourceDocuments}. */
export function embedDocument(page: string, offset: number, document: string, url: string): string {
  const source = `<base href="${escaped(url)}">${document}`;
  return `${page.slice(0, offset)} srcdoc="${escaped(source)}" ${page.slice(offset)}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

import type { HtmlElement, HtmlTree } from './html-tree.js';

/** What the whole page says about itself, found in one walk over its tree. */
export class PageHead {
  /** Content of `<meta>` by lower-case `name`, `property`, `itemprop` or `http-equiv`, in document order. */
  private readonly metas = new Map<string, string[]>();
  /** `<link>` elements of the head; others could have been written by whoever may write into the page. */
  readonly links: HtmlElement[] = [];
  /** Every element that leads somewhere: `a`, `area`, `frame`. */
  readonly references: HtmlElement[] = [];
  readonly title: string | undefined;
  readonly base: string | undefined;
  /** JSON-LD, as it is written. */
  readonly structuredData: string[] = [];
  /** `<time>` and others with `datetime`, by `itemprop`. */
  readonly times: HtmlElement[] = [];
  /** Text that asks for scripts to be switched on, or anything else that only readers without them see. */
  noscript = '';
  scripts = 0;
  private titleElement: HtmlElement | undefined;
  private baseElement: HtmlElement | undefined;

  constructor(tree: HtmlTree) {
    this.read(tree.head, true, false);
    this.read(tree.body, false, false);
    this.title = this.titleElement?.rawText;
    this.base = this.baseElement?.attribute('href');
  }

  /** The first one that is not blank. */
  meta(...names: readonly string[]): string | undefined {
    for (const name of names) {
      const content = this.allMeta(name).find((value) => value.trim() !== '');
      if (content !== undefined) return content.trim();
    }
    return undefined;
  }

  allMeta(name: string): readonly string[] {
    return this.metas.get(name) ?? [];
  }

  private read(parent: HtmlElement, isInHead: boolean, isNoscript: boolean): void {
    for (const child of parent.children) {
      if (typeof child === 'string') continue;
      this.readElement(child, isInHead, isNoscript);
      if (child.name === 'template' || child.name === 'svg') continue;
      this.read(child, isInHead, isNoscript || child.name === 'noscript');
    }
  }

  private readElement(element: HtmlElement, isInHead: boolean, isNoscript: boolean): void {
    switch (element.name) {
      case 'meta':
        // What is for browsers without scripts, a redirect above all, is not for us: we may render the page.
        if (!isNoscript) this.readMeta(element);
        return;
      case 'link':
        if (isInHead && !isNoscript) this.links.push(element);
        return;
      case 'a':
      case 'area':
      case 'frame':
        this.references.push(element);
        return;
      case 'base':
        if (element.attribute('href') !== undefined) this.baseElement ??= element;
        return;
      case 'title':
        this.titleElement ??= element;
        return;
      case 'time':
        this.times.push(element);
        return;
      case 'noscript':
        this.noscript += element.rawText;
        return;
      case 'script':
        this.scripts += 1;
        if (element.children.length > 0) this.structuredData.push(element.rawText);
        return;
    }
  }

  private readMeta(element: HtmlElement): void {
    const content = element.attribute('content');
    if (content === undefined) return;
    for (const attribute of ['name', 'property', 'itemprop', 'http-equiv']) {
      const name = element.attribute(attribute)?.trim().toLowerCase();
      if (name === undefined || name === '') continue;
      const contents = this.metas.get(name);
      if (contents === undefined) this.metas.set(name, [content]);
      else contents.push(content);
    }
  }
}

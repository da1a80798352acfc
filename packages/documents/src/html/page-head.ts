import type { HtmlElement, HtmlTree } from './html-tree.js';

/** The metadata, links and scripts of a page, collected in one walk over its tree. */
export class PageHead {
  /** Content of `<meta>` by lower-case `name`, `property`, `itemprop` or `http-equiv`, in document order. */
  private readonly metas = new Map<string, string[]>();
  /** `<link>` elements of the head only: those in the body may be user-generated content. */
  readonly links: HtmlElement[] = [];
  /** Elements with hyperlinks or embedded documents. */
  readonly references: HtmlElement[] = [];
  readonly title: string | undefined;
  readonly base: string | undefined;
  /** JSON-LD as text. */
  readonly structuredData: string[] = [];
  /** `<time>` elements. */
  readonly times: HtmlElement[] = [];
  /** The text of all `<noscript>` elements. */
  noscript = '';
  /** `src` of each script; '' for the code of a script. */
  readonly scripts: string[] = [];
  private titleElement: HtmlElement | undefined;
  private baseElement: HtmlElement | undefined;

  constructor(tree: HtmlTree) {
    this.read(tree.head, true, false);
    this.read(tree.body, false, false);
    this.title = this.titleElement?.rawText;
    this.base = this.baseElement?.attribute('href');
  }

  /** The first non-blank content among the metas of these names, by the order of the names. */
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
        // Metas for browsers without scripts, above all redirects, do not apply: the page may be rendered.
        if (!isNoscript) this.readMeta(element);
        return;
      case 'link':
        if (isInHead && !isNoscript) this.links.push(element);
        return;
      case 'a':
      case 'area':
        this.references.push(element);
        return;
      case 'embed':
      case 'frame':
      case 'iframe':
      case 'object':
        // The document of `srcdoc` replaces the one of the address.
        if (element.attribute('srcdoc') === undefined) this.references.push(element);
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
        if (element.children.length > 0) this.structuredData.push(element.rawText);
        else if (!/json|template/i.test(element.attribute('type') ?? ''))
          this.scripts.push(element.attribute('src') ?? '');
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

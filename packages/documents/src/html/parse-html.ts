import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import {
  BLOCK_ELEMENTS,
  FOREIGN_BREAKOUTS,
  HEAD_ELEMENTS,
  PARAGRAPH_CLOSERS,
  RAW_ELEMENTS,
  SCOPE_ELEMENTS,
  UNREAD_ELEMENTS,
  VOID_ELEMENTS,
} from './html-elements.js';
import { EMBEDDING_ELEMENTS, placeSourceDocuments, type Embed } from './embedded-documents.js';
import { isFormulaScript } from './formulas.js';
import { isControlAttribute } from './page-controls.js';
import { HtmlElement, MAX_DEPTH, READ_ATTRIBUTES, type HtmlTree } from './html-tree.js';
import { PageIds } from './anchor-tracker.js';

interface ImpliedEnd {
  /** Open elements that the start tag closes. */
  readonly ends: ReadonlySet<string>;
  /** Elements that limit the search for them. */
  readonly within: ReadonlySet<string>;
}

const setOf = (...names: string[]): ReadonlySet<string> => new Set(names);
const LIST_SCOPE = setOf('dir', 'menu', 'ol', 'ul', ...SCOPE_ELEMENTS);
const TABLE_SCOPE = setOf('body', 'table', 'template');
const ROW_PARTS = ['caption', 'colgroup', 'td', 'th', 'tr'];

/** Optional end tags, by the start tag that implies them (13.1.2.4). */
const IMPLIED_ENDS: Readonly<Record<string, ImpliedEnd>> = {
  a: { ends: setOf('a'), within: SCOPE_ELEMENTS },
  button: { ends: setOf('button'), within: setOf('body', 'td', 'th', 'template') },
  dd: { ends: setOf('dd', 'dt'), within: setOf('dl', ...SCOPE_ELEMENTS) },
  dt: { ends: setOf('dd', 'dt'), within: setOf('dl', ...SCOPE_ELEMENTS) },
  li: { ends: setOf('li'), within: LIST_SCOPE },
  optgroup: { ends: setOf('optgroup', 'option'), within: setOf('body', 'select') },
  option: { ends: setOf('option'), within: setOf('body', 'select', 'optgroup') },
  rb: { ends: setOf('rb', 'rp', 'rt', 'rtc'), within: setOf('ruby', ...SCOPE_ELEMENTS) },
  rp: { ends: setOf('rb', 'rp', 'rt'), within: setOf('ruby', ...SCOPE_ELEMENTS) },
  rt: { ends: setOf('rb', 'rp', 'rt'), within: setOf('ruby', ...SCOPE_ELEMENTS) },
  tbody: { ends: setOf('tbody', 'tfoot', 'thead', ...ROW_PARTS), within: TABLE_SCOPE },
  td: { ends: setOf('caption', 'colgroup', 'td', 'th'), within: setOf('tr', ...TABLE_SCOPE) },
  tfoot: { ends: setOf('tbody', 'tfoot', 'thead', ...ROW_PARTS), within: TABLE_SCOPE },
  th: { ends: setOf('caption', 'colgroup', 'td', 'th'), within: setOf('tr', ...TABLE_SCOPE) },
  thead: { ends: setOf('tbody', 'tfoot', 'thead', ...ROW_PARTS), within: TABLE_SCOPE },
  tr: { ends: setOf(...ROW_PARTS), within: TABLE_SCOPE },
};
const PARAGRAPH_END: ImpliedEnd = { ends: setOf('p'), within: setOf('button', ...SCOPE_ELEMENTS) };
const HEADING_END: ImpliedEnd = {
  ends: setOf('h1', 'h2', 'h3', 'h4', 'h5', 'h6'),
  within: SCOPE_ELEMENTS,
};
/** A `foreignObject` of a drawing contains HTML. */
const FOREIGN_END: ImpliedEnd = { ends: setOf('math', 'svg'), within: setOf('body', 'foreignobject') };
const FIELDS = setOf('input', 'label', 'select', 'textarea');
const TABLE_PARTS = setOf('table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr');
const HEADING = /^h[1-6]$/;

/**
 * Parses HTML into a tree in one pass. Time is linear for any input. Never throws.
 *
 * Tokenization follows the HTML standard. The tree follows the standard's implied end tags and scopes, so
 * that elements contain the same text as in a browser. Steps that only affect formatting are omitted:
 * reopening formatting elements and moving content out of tables.
 *
 * @param isXhtml whether the page is XML (`application/xhtml+xml`), which has empty-element tags and CDATA
 */
export function parseHtml(html: string, { isXhtml = false }: { readonly isXhtml?: boolean } = {}): HtmlTree {
  const tree = treeOf(html, isXhtml);
  placeSourceDocuments(tree, (source) => treeOf(source, false));
  return tree;
}

function treeOf(html: string, isXhtml: boolean): HtmlTree {
  const builder = new TreeBuilder(html, isXhtml);
  const tokenizer = new Tokenizer({ recognizeSelfClosing: isXhtml, decodeEntities: true }, builder);
  tokenizer.write(html);
  tokenizer.end();
  return builder;
}

class TreeBuilder implements TokenizerCallbacks, HtmlTree {
  attributes: ReadonlyMap<string, string> = new Map();
  readonly head = new HtmlElement('head', null);
  readonly body = new HtmlElement('body', null);
  readonly controls: HtmlElement[] = [];
  readonly fields: HtmlElement[] = [];
  readonly embeds: Embed[] = [];
  readonly pictures: HtmlElement[] = [];
  private readonly open: HtmlElement[] = [this.head];
  private isInHead = true;
  /** Number of open elements by name, which avoids searching `open` for most end tags. */
  private readonly openNames = new Map<string, number>();

  private pageIds: PageIds | undefined;
  private tagName = '';
  private tagNameEnd = 0;
  private tagAttributes = new Map<string, string>();
  private isControl = false;
  private attributeName = '';
  private attributeValue = '';

  constructor(
    private readonly source: string,
    private readonly isXhtml: boolean,
  ) {}

  get ids(): PageIds {
    return (this.pageIds ??= new PageIds(this.body));
  }

  isInForeignContext(): boolean {
    return this.isOpen('svg') || this.isOpen('math');
  }

  ontext(start: number, end: number): void {
    this.addText(this.source.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    this.addText(String.fromCodePoint(codePoint));
  }

  oncdata(start: number, end: number, endOffset: number): void {
    if (this.isXhtml || this.isInForeignContext()) this.addText(this.source.slice(start, end - endOffset));
  }

  onopentagname(start: number, end: number): void {
    this.tagName = localName(this.source.slice(start, end).toLowerCase());
    this.tagNameEnd = end;
    this.tagAttributes = new Map();
    this.isControl = false;
  }

  onattribname(start: number, end: number): void {
    this.attributeName = this.source.slice(start, end).toLowerCase();
    this.attributeValue = '';
  }

  onattribdata(start: number, end: number): void {
    this.attributeValue += this.source.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.attributeValue += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    // Of duplicate attributes, the first counts (13.2.5.33).
    if (this.tagAttributes.has(this.attributeName)) return;
    const isControl = isControlAttribute(this.attributeName, this.attributeValue);
    if (isControl || READ_ATTRIBUTES.has(this.attributeName))
      this.tagAttributes.set(this.attributeName, this.attributeValue);
    this.isControl ||= isControl;
  }

  onopentagend(): void {
    this.startElement(false);
  }

  onselfclosingtag(): void {
    this.startElement(this.isXhtml || this.isInForeignContext());
  }

  onclosetag(start: number, end: number): void {
    const name = localName(this.source.slice(start, end).toLowerCase());
    if (name === 'br') return this.append(new HtmlElement('br', this.current));
    if (name === 'html' || name === 'body') return;
    if (name === 'head') return this.leaveHead();
    if (HEADING.test(name)) return this.endImplied(HEADING_END);
    if (this.isOpen(name)) this.endElement(name);
  }

  oncomment(): void {
    // Comments are ignored.
  }

  ondeclaration(): void {
    // Ignored: quirks mode affects the layout and hardly the tree.
  }

  onprocessinginstruction(): void {
    // Processing instructions are ignored.
  }

  onend(): void {
    // Open elements need no closing.
  }

  private get current(): HtmlElement {
    return this.open.at(-1) ?? this.body;
  }

  private addText(text: string): void {
    const { name } = this.current;
    if (this.isInHead && !HEAD_ELEMENTS.has(name)) {
      if (text.trim() === '') return;
      this.leaveHead();
    }
    if (RAW_ELEMENTS.has(name) && name !== 'textarea' && !this.isReadScript()) return;
    const { children } = this.current;
    const last = children.length - 1;
    const previous = children[last];
    if (typeof previous === 'string') children[last] = previous + text;
    else children.push(text);
  }

  private isReadScript(): boolean {
    const { current } = this;
    return (
      isFormulaScript(current) ||
      (current.name === 'script' && current.attribute('type') === 'application/ld+json')
    );
  }

  private startElement(isEmpty: boolean): void {
    const name = this.tagName === 'image' ? 'img' : this.tagName;
    if (name === 'html' || name === 'body' || name === 'head') return this.startDocumentPart(name);
    if (this.isInHead && !HEAD_ELEMENTS.has(name) && !HEAD_ELEMENTS.has(this.current.name)) this.leaveHead();
    if (FOREIGN_BREAKOUTS.has(name) && this.isInForeignContext()) this.endImplied(FOREIGN_END);
    if (PARAGRAPH_CLOSERS.has(name)) this.endImplied(PARAGRAPH_END);
    const implied = IMPLIED_ENDS[name];
    if (implied !== undefined) this.endImplied(implied);
    else if (HEADING.test(name) && HEADING.test(this.current.name)) this.popTo(this.open.length - 1);

    const isVoid = isEmpty || VOID_ELEMENTS.has(name);
    if (!isVoid && this.open.length >= MAX_DEPTH) this.popTo(this.open.length - 1);
    const element = new HtmlElement(name, this.current);
    if (this.tagAttributes.size > 0) element.attributes = this.tagAttributes;
    if (this.isControl) this.controls.push(element);
    if (name === 'img') this.pictures.push(element);
    if (FIELDS.has(name)) this.fields.push(element);
    if (EMBEDDING_ELEMENTS.has(name)) this.embeds.push({ element, offset: this.tagNameEnd });
    this.append(element);
    if (isVoid) return;
    this.open.push(element);
    this.openNames.set(name, (this.openNames.get(name) ?? 0) + 1);
  }

  private startDocumentPart(name: 'html' | 'head' | 'body'): void {
    if (name === 'html') this.attributes = new Map([...this.tagAttributes, ...this.attributes]);
    if (name === 'body') this.leaveHead();
  }

  private leaveHead(): void {
    if (!this.isInHead) return;
    this.isInHead = false;
    this.popTo(0);
    this.open.push(this.body);
  }

  private append(element: HtmlElement): void {
    this.current.children.push(element);
  }

  private endElement(name: string): void {
    const isTablePart = TABLE_PARTS.has(name);
    const isBlock = BLOCK_ELEMENTS.has(name);
    const isUnread = UNREAD_ELEMENTS.has(name) || name === 'template';
    for (let index = this.open.length - 1; index > 0; index -= 1) {
      const opened = this.open[index]?.name ?? '';
      if (opened === name) return this.popTo(index);
      // Left open by `<select><option>One</select>`, it would take the rest of the page with it.
      if (isUnread) continue;
      // `</div>` in a cell closes nothing outside of the table; `</b>` does not close the block around it.
      if (isTablePart ? opened === 'table' : SCOPE_ELEMENTS.has(opened)) return;
      if (!isBlock && BLOCK_ELEMENTS.has(opened)) return;
    }
  }

  private endImplied({ ends, within }: ImpliedEnd): void {
    let isAnyOpen = false;
    for (const name of ends) isAnyOpen ||= this.isOpen(name);
    if (!isAnyOpen) return;
    let outermost: number | undefined;
    for (let index = this.open.length - 1; index > 0; index -= 1) {
      const name = this.open[index]?.name ?? '';
      if (ends.has(name)) outermost = index;
      else if (within.has(name)) break;
    }
    if (outermost !== undefined) this.popTo(outermost);
  }

  private popTo(length: number): void {
    while (this.open.length > length) {
      const name = this.open.pop()?.name ?? '';
      this.openNames.set(name, (this.openNames.get(name) ?? 1) - 1);
    }
  }

  private isOpen(name: string): boolean {
    return (this.openNames.get(name) ?? 0) > 0;
  }
}

/** Removes the prefix that XHTML may use. */
function localName(name: string): string {
  return name.startsWith('html:') ? name.slice(5) : name;
}

import { MAX_HEADING_LEVEL } from '../document/document.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import { AnchorTrail } from './anchor-trail.js';
import { BLOCK_ELEMENTS, LIST_ELEMENTS, PREFORMATTED_ELEMENTS } from './html-elements.js';
import { isDataTable, tableText } from './html-table.js';
import type { HtmlElement, HtmlNode } from './html-tree.js';
import { ListText } from './list-text.js';
import { isPermalink } from './permalink.js';
import { flowOf, preformattedText, TextFlow } from './text-flow.js';

const HEADING = /^h[1-6]$/;
/** Letters of a definition on the average up to which a list of them is one block. */
const MAX_DEFINITION_LETTERS = 300;
/** Letters of an item above which its list is how the page is laid out: posts, results, cards. */
const MAX_ITEM_LETTERS = 500;

/** Walks the content of a measured page and adds its blocks; loose text between block elements is a paragraph. */
export class HtmlBlocks {
  private readonly flow = new TextFlow();
  private readonly anchors: AnchorTrail;
  private readonly list = new ListText();
  /** The place at which the loose text so far began. */
  private flowAnchor: string | undefined;
  /** What text is at this place. */
  private prose: 'paragraph' | 'quote' = 'paragraph';

  constructor(
    private readonly builder: DocumentBuilder,
    private readonly root: HtmlElement,
  ) {
    this.anchors = new AnchorTrail(root);
  }

  /** @param title the heading of the page, where it stands outside of its content */
  add(title: HtmlElement | null = null): void {
    if (title !== null) this.walk(title);
    if (HEADING.test(this.root.name) || this.root.name === 'table') this.walk(this.root);
    else this.walkChildren(this.root);
    this.flush();
    this.endList();
  }

  private walk(node: HtmlNode): void {
    if (this.flow.isBlank) this.flowAnchor = this.anchors.current;
    if (typeof node === 'string') {
      this.flow.addText(node);
      return;
    }
    if (node.isSkipped || this.flow.addAtom(node)) return;
    if (isBlock(node)) {
      this.flush();
      this.addBlock(node);
      this.flush();
      return;
    }
    const leave = this.anchors.enter(node);
    this.walkChildren(node);
    leave();
  }

  private walkChildren(element: HtmlElement): void {
    let previous: HtmlNode | undefined;
    for (const child of element.children) {
      this.flow.separate(previous, child);
      this.walk(child);
      previous = child;
    }
  }

  private addBlock(element: HtmlElement): void {
    const level = headingLevel(element);
    if (level !== undefined) return this.addHeading(element, level);
    const leave = this.anchors.enter(element);
    this.addContent(element);
    leave();
  }

  private addContent(element: HtmlElement): void {
    const { name } = element;
    if (PREFORMATTED_ELEMENTS.has(name)) this.addOwn('code', preformattedText(element));
    else if (LIST_ELEMENTS.has(name) && !isLayoutList(element)) this.addList(element);
    else if (name === 'dl' && isSimpleDefinitions(element)) this.addDefinitions(element);
    else if (name === 'blockquote') this.addQuote(element);
    else if (name === 'figcaption' || name === 'caption') this.addOwn('caption', flowOf(element));
    else if (name === 'figure') this.addFigure(element);
    else if (name === 'table' && isDataTable(element)) this.addTable(element);
    else if (name === 'li' && this.list.isOpen) this.addItem(element);
    else this.walkChildren(element);
  }

  private addHeading(element: HtmlElement, level: number): void {
    for (const child of element.children) {
      if (typeof child !== 'string' && isPermalink(child)) child.isSkipped = true;
    }
    const text = flowOf(element).replace(/\s*[#¶§\u{1f517}]+\s*$/u, '');
    if (text === '') return;
    this.endList();
    this.builder.heading(level, text, { anchor: this.anchors.heading(element, level) });
  }

  private addOwn(kind: 'code' | 'caption', text: string): void {
    if (text.trim() === '') return;
    this.endList();
    this.builder.block(kind, text, { anchor: this.anchors.current });
    this.anchors.blockAdded();
  }

  private addQuote(element: HtmlElement): void {
    const { prose } = this;
    this.endList();
    this.prose = 'quote';
    this.walkChildren(element);
    this.flush();
    this.prose = prose;
  }

  /** A picture's description is left out where the caption says the same. */
  private addFigure(figure: HtmlElement): void {
    const captions = figure.children.filter(
      (child) => typeof child !== 'string' && child.name === 'figcaption',
    );
    const said = captions.map((caption) => (typeof caption === 'string' ? '' : flowOf(caption)));
    const isSaid = (node: HtmlNode): void => {
      if (typeof node === 'string') return;
      if (node.name === 'img' && said.includes((node.attribute('alt') ?? '').trim())) node.isSkipped = true;
      if (node.name !== 'figure') node.children.forEach(isSaid);
    };
    if (said.length > 0) figure.children.forEach(isSaid);
    this.walkChildren(figure);
  }

  private addList(list: HtmlElement): void {
    this.list.enter(list, this.anchors.current);
    for (const child of list.children) {
      this.walk(child);
    }
    this.flush();
    this.list.leave();
    if (!this.list.isOpen) this.endList();
  }

  private addItem(item: HtmlElement): void {
    this.list.beginItem(item, this.anchors.current);
    this.walkChildren(item);
    this.flush();
    this.list.endItem();
  }

  private addDefinitions(list: HtmlElement): void {
    let terms: string[] = [];
    const lines: string[] = [];
    const read = (element: HtmlElement): void => {
      for (const child of element.children) {
        if (typeof child === 'string') {
          if (child.trim() !== '') lines.push(`- ${child.trim()}`);
        } else if (child.isSkipped) continue;
        else if (child.name === 'dt') terms.push(flowOf(child).replace(/\s*:$/, ''));
        else if (child.name === 'dd') {
          const definition = flowOf(child).replace(/\n+/g, '\n  ');
          lines.push(terms.length === 0 ? `  ${definition}` : `- ${terms.join(', ')}: ${definition}`);
          terms = [];
        } else read(child);
      }
    };
    read(list);
    if (terms.length > 0) lines.push(`- ${terms.join(', ')}`);
    this.list.addLines(lines, this.anchors.current);
    if (!this.list.isOpen) this.endList();
  }

  private addTable(table: HtmlElement): void {
    this.endList();
    for (const child of table.children) {
      if (typeof child !== 'string' && child.name === 'caption' && !child.isSkipped)
        this.addOwn('caption', flowOf(child));
    }
    const { rows, hasHeader } = tableText(table);
    this.builder.table(rows, { headerRow: hasHeader, anchor: this.anchors.current });
    this.anchors.blockAdded();
  }

  /** Loose text so far becomes blocks, or lines of the list that it stands in. */
  private flush(): void {
    const text = this.flow.take();
    if (text === '') return;
    const anchor = this.flowAnchor;
    if (this.list.isOpen) this.list.addText(text, anchor);
    else for (const paragraph of text.split('\n\n')) this.builder.block(this.prose, paragraph, { anchor });
    this.anchors.blockAdded();
  }

  private endList(): void {
    const block = this.list.take();
    if (block !== null) this.builder.block('list', block.text, { anchor: block.anchor });
  }
}

function isBlock(element: HtmlElement): boolean {
  return (
    BLOCK_ELEMENTS.has(element.name) ||
    /\bdisplay\s*:\s*(?:block|flex|grid|list-item|table)\b/i.test(element.attribute('style') ?? '') ||
    element.attribute('role') === 'heading'
  );
}

function headingLevel(element: HtmlElement): number | undefined {
  if (HEADING.test(element.name)) return Number(element.name.charAt(1));
  if (element.attribute('role') !== 'heading') return undefined;
  const level = Number(element.attribute('aria-level') ?? 2);
  return Number.isInteger(level) ? Math.min(MAX_HEADING_LEVEL, Math.max(1, level)) : 2;
}

/** Whether the items are parts of the page with headings or many paragraphs of their own. */
function isLayoutList(list: HtmlElement): boolean {
  if (list.headings > 0) return true;
  const items = list.children.filter((child) => typeof child !== 'string' && !child.isSkipped);
  return items.some(
    (item) => typeof item !== 'string' && item.letters > MAX_ITEM_LETTERS && item.paragraphs > 2,
  );
}

function isSimpleDefinitions(list: HtmlElement): boolean {
  if (list.complexBlocks > 0) return false;
  const items = list.children.filter((child) => typeof child !== 'string');
  return list.letters <= Math.max(1, items.length) * MAX_DEFINITION_LETTERS;
}

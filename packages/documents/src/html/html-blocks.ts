import { type Document, MAX_HEADING_LEVEL } from '../document/document.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import { AnchorTracker, isPermalink, isPermalinkSign, type PageIds } from './anchor-tracker.js';
import { LIST_ELEMENTS } from './html-elements.js';
import { isDataTable, tableText } from './html-table.js';
import type { HtmlElement, HtmlNode } from './html-tree.js';
import { ListText } from './list-text.js';
import { flowText, isBlock, isPreformatted, preformattedText, TextFlow } from './text-flow.js';

const HEADING = /^h[1-6]$/;
/** A definition list with more letters per definition on average is not one block. */
const MAX_DEFINITION_LETTERS = 300;
/** Captions with at least this many letters are compared with the last ones. */
const MIN_REPEATED_LETTERS = 40;
const COMPARED_CAPTIONS = 8;
/** A list with larger items is page layout: posts, search results, cards. */
const MAX_ITEM_LETTERS = 500;

/**
 * Walks the content of a measured page and adds its blocks. Text between block elements becomes a paragraph.
 */
export class HtmlBlocks {
  private readonly flow = new TextFlow();
  private readonly anchors: AnchorTracker;
  private readonly list = new ListText();
  /** The anchor at which the text in `flow` began. */
  private flowAnchor: string | undefined;
  /** The last long texts that may be captions, since a heading or code. */
  private readonly recent = new Set<string>();
  /** Whether the current position is inside of `p` or `dd`, whose text is no caption. */
  private isInProse = false;
  /** The block kind of text at the current position. */
  private textKind: 'paragraph' | 'quote' = 'paragraph';

  /** @param hasLayout whether lists may be the layout of a page, and texts repeated for screens of other sizes */
  constructor(
    private readonly builder: DocumentBuilder,
    private readonly root: HtmlElement,
    ids: PageIds,
    private readonly hasLayout = true,
  ) {
    this.anchors = new AnchorTracker(root, ids);
  }

  add(): void {
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
    if (node.isSkipped || this.flow.addSpecial(node)) return;
    if (isBlock(node)) {
      this.flush();
      this.addBlock(node);
      this.flush();
      return;
    }
    const leave = this.anchors.enter(node);
    if (!isPermalinkSign(node)) this.walkChildren(node);
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
    if (element.recognized !== undefined) this.addPicture(element.recognized);
    else if (isPreformatted(element)) this.addSeparate('code', preformattedText(element));
    else if (LIST_ELEMENTS.has(name) && !(this.hasLayout && isLayoutList(element))) this.addList(element);
    else if (name === 'dl' && isSimpleDefinitions(element)) this.addDefinitions(element);
    else if (name === 'blockquote') this.addQuote(element);
    else if (name === 'figcaption' || name === 'caption') this.addSeparate('caption', flowText(element));
    else if (name === 'figure') this.addFigure(element);
    else if (name === 'table' && isDataTable(element)) this.addTable(element);
    else if (name === 'li' && this.list.isOpen) this.addItem(element);
    else if (name === 'p' || name === 'dd') this.addProse(element);
    else this.walkChildren(element);
  }

  private addHeading(element: HtmlElement, level: number): void {
    for (const child of element.children) {
      if (typeof child !== 'string' && isPermalink(child)) child.isSkipped = true;
    }
    const text = flowText(element);
    if (text === '') return;
    this.endList();
    this.recent.clear();
    // The description of an image may repeat the headline.
    this.recent.add(text);
    this.builder.heading(level, text, { anchor: this.anchors.heading(element, level) });
  }

  private addPicture(picture: Document): void {
    this.endList();
    this.builder.addRecognized(picture);
    this.anchors.blockAdded();
  }

  private addSeparate(kind: 'code' | 'caption', text: string): void {
    if (text.trim() === '' || (kind === 'caption' && this.isRepeated(text))) return;
    this.endList();
    // The comments of two functions may be equal.
    if (kind === 'code') this.recent.clear();
    this.builder.block(kind, text, { anchor: this.anchors.current });
    this.anchors.blockAdded();
  }

  private addQuote(element: HtmlElement): void {
    const { textKind } = this;
    this.endList();
    this.textKind = 'quote';
    this.walkChildren(element);
    this.flush();
    this.textKind = textKind;
  }

  private addProse(element: HtmlElement): void {
    const { isInProse } = this;
    this.isInProse = true;
    this.walkChildren(element);
    this.flush();
    this.isInProse = isInProse;
  }

  /** Skips image descriptions that repeat a caption of the figure. */
  private addFigure(figure: HtmlElement): void {
    const caption = figure.children.find((child) => typeof child !== 'string' && child.name === 'figcaption');
    const text = typeof caption === 'object' ? flowText(caption) : '';
    const skipRepeated = (node: HtmlNode): void => {
      if (typeof node === 'string') return;
      if (node.name === 'img' && describes(node, text)) node.isSkipped = true;
      if (node.name !== 'figure') node.children.forEach(skipRepeated);
    };
    if (text !== '') figure.children.forEach(skipRepeated);
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
        else if (child.name === 'dt') terms.push(withoutColon(flowText(child)));
        else if (child.name === 'dd') {
          const definition = flowText(child).replace(/\n+/g, '\n  ');
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
        this.addSeparate('caption', flowText(child));
    }
    const { rows, contents, hasHeader } = tableText(table);
    this.builder.table(rows, { headerRow: hasHeader, anchor: this.anchors.current, contents });
    this.anchors.blockAdded();
  }

  /** Adds the text in `flow` as blocks, or to the open list. */
  private flush(): void {
    const paragraphs = this.flow
      .take()
      .split('\n\n')
      .filter((paragraph) => paragraph !== '' && !this.isRepeated(paragraph));
    if (paragraphs.length === 0) return;
    const anchor = this.flowAnchor;
    if (this.list.isOpen) this.list.addText(paragraphs.join('\n\n'), anchor);
    else for (const paragraph of paragraphs) this.builder.block(this.textKind, paragraph, { anchor });
    this.anchors.blockAdded();
  }

  /**
   * Whether a text may be a caption that was added shortly before: slide shows repeat it for each size of the page. The
   * items of nested lists may be equal, as those of an index are.
   */
  private isRepeated(paragraph: string): boolean {
    const text = paragraph.trim();
    const isProse = !this.hasLayout || this.isInProse;
    if (isProse || this.list.depth > 1 || text.length < MIN_REPEATED_LETTERS) return false;
    if (this.recent.has(text)) return true;
    this.recent.add(text);
    const [oldest] = this.recent;
    if (oldest !== undefined && this.recent.size > COMPARED_CAPTIONS) this.recent.delete(oldest);
    return false;
  }

  private endList(): void {
    const block = this.list.take();
    if (block !== null) this.builder.block('list', block.text, { anchor: block.anchor });
  }
}

/** Whether a caption contains the description of an image. */
function describes(image: HtmlElement, caption: string): boolean {
  const alt = (image.attribute('alt') ?? '').trim();
  return alt !== '' && caption.includes(alt);
}

function headingLevel(element: HtmlElement): number | undefined {
  if (HEADING.test(element.name)) return Number(element.name.charAt(1));
  if (element.attribute('role') !== 'heading') return undefined;
  const level = Number(element.attribute('aria-level') ?? 2);
  return Number.isInteger(level) ? Math.min(MAX_HEADING_LEVEL, Math.max(1, level)) : 2;
}

/** Whether the items are sections of the page with their own headings or several paragraphs. */
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

function withoutColon(term: string): string {
  return term.endsWith(':') ? term.slice(0, -1).trimEnd() : term;
}

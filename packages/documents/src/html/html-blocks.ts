import type { DocumentBuilder } from '../document/document-builder.js';

/** The part of the DOM that is read here; both linkedom's and a browser's nodes have it. */
export interface HtmlNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<HtmlNode>;
  getAttribute?(name: string): string | null;
}

/** `Node.nodeType` of the two kinds of nodes that matter (DOM standard, 4.4). */
export const ELEMENT = 1;
export const TEXT = 3;

/** Never text for a reader. */
const SILENT = new Set(
  (
    'SCRIPT STYLE NOSCRIPT TEMPLATE IFRAME OBJECT SVG CANVAS VIDEO AUDIO HEAD SELECT OPTION DATALIST ' +
    'BUTTON INPUT TEXTAREA DIALOG'
  ).split(' '),
);

/** Elements around which a line ends; all others are part of the line that they stand in. */
const BLOCKS = new Set(
  (
    'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CENTER DD DETAILS DIV DL DT FIELDSET FIGCAPTION FIGURE ' +
    'FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR HTML LEGEND LI MAIN MENU NAV OL P PRE SECTION SUMMARY ' +
    'TABLE TBODY THEAD TR UL'
  ).split(' '),
);

const MAX_DEPTH = 400;

/** Walks a tree and adds its blocks: text that stands loose between block elements is a paragraph. */
export class HtmlBlocks {
  private inline = '';
  /** The id of the last element that had one; headings without an id of their own are often inside of one. */
  private anchor: string | undefined;

  constructor(
    private readonly builder: DocumentBuilder,
    /** Elements that are left out, menus for example. */
    private readonly isSkipped: (element: HtmlNode) => boolean = () => false,
  ) {}

  add(root: HtmlNode): void {
    this.walk(root, 0);
    this.flush();
  }

  private walk(node: HtmlNode, depth: number): void {
    // Line ends of the source are spaces; only `<br>` makes a new line.
    if (node.nodeType === TEXT) this.inline += (node.textContent ?? '').replace(/\s+/g, ' ');
    if (node.nodeType !== ELEMENT || depth > MAX_DEPTH) return;
    const name = node.nodeName.toUpperCase();
    if (SILENT.has(name) || this.isHidden(node)) return;
    if (name === 'BR') this.inline += '\n';
    else if (name === 'IMG') this.inline += ` ${node.getAttribute?.('alt') ?? ''} `;
    else if (BLOCKS.has(name)) {
      this.flush();
      this.addBlock(node, name, depth);
      this.flush();
    } else {
      // `<a name>` and `<span id>` before a heading are how older pages mark it.
      this.rememberAnchor(node);
      for (const child of node.childNodes) this.walk(child, depth + 1);
    }
  }

  private addBlock(node: HtmlNode, name: string, depth: number): void {
    const heading = /^H([1-6])$/.exec(name);
    if (heading !== null) {
      const anchor = this.anchorWithin(node) ?? this.anchor;
      this.anchor = anchor;
      this.builder.heading(Number(heading[1]), headingText(node), { anchor });
      return;
    }
    this.rememberAnchor(node);
    const details = { anchor: this.anchor };
    if (name === 'PRE') this.builder.block('code', rawText(node), details);
    else if (name === 'UL' || name === 'OL' || name === 'MENU') {
      this.builder.block(
        'list',
        listText(node, '', (child) => this.isHidden(child)),
        details,
      );
    } else if (name === 'BLOCKQUOTE') this.builder.block('quote', inlineText(node), details);
    else if (name === 'FIGCAPTION') this.builder.block('caption', inlineText(node), details);
    else if (name === 'TABLE' && isDataTable(node)) this.addTable(node);
    else for (const child of node.childNodes) this.walk(child, depth + 1);
  }

  private addTable(table: HtmlNode): void {
    const rows = [...elements(table, 'TR')];
    const caption = elements(table, 'CAPTION').next().value;
    if (caption) this.builder.block('caption', inlineText(caption), { anchor: this.anchor });
    const cells = rows.map((row) => [...row.childNodes].filter(isCell));
    const header = cells[0]?.some((cell) => cell.nodeName.toUpperCase() === 'TH') ?? false;
    this.builder.table(
      cells.map((row) => row.flatMap((cell) => [inlineText(cell), ...spanPadding(cell)])),
      { headerRow: header, anchor: this.anchor },
    );
  }

  private isHidden(node: HtmlNode): boolean {
    if (node.nodeType !== ELEMENT) return false;
    const has = (name: string): boolean => (node.getAttribute?.(name) ?? null) !== null;
    return has('hidden') || node.getAttribute?.('aria-hidden') === 'true' || this.isSkipped(node);
  }

  private flush(): void {
    const text = collapse(this.inline);
    this.inline = '';
    this.builder.block('paragraph', text, { anchor: this.anchor });
  }

  private rememberAnchor(node: HtmlNode): void {
    this.anchor = idOf(node) ?? this.anchor;
  }

  /** A heading's own id, or that of the link inside of it which page generators add. */
  private anchorWithin(node: HtmlNode): string | undefined {
    const own = idOf(node);
    if (own !== undefined) return own;
    for (const child of node.childNodes) {
      const inner = child.nodeType === ELEMENT ? this.anchorWithin(child) : undefined;
      if (inner !== undefined) return inner;
    }
    return undefined;
  }
}

function idOf(node: HtmlNode): string | undefined {
  const id =
    node.getAttribute?.('id') ?? (node.nodeName.toUpperCase() === 'A' ? node.getAttribute?.('name') : null);
  return id === null || id === undefined || id === '' ? undefined : id;
}

/** Without the permalink sign (`#`, `¶`) that generators put behind a heading. */
function headingText(node: HtmlNode): string {
  return inlineText(node).replace(/\s*[#¶\u{1f517}\u200b]+\s*$/u, '');
}

/** Text as a browser shows it in one flow: white space collapsed, line breaks where `<br>` or a block ends. */
function inlineText(node: HtmlNode, skip: (child: HtmlNode) => boolean = () => false): string {
  let text = '';
  const walk = (current: HtmlNode): void => {
    if (current.nodeType === TEXT) text += (current.textContent ?? '').replace(/\s+/g, ' ');
    if (current.nodeType !== ELEMENT || skip(current)) return;
    const name = current.nodeName.toUpperCase();
    if (SILENT.has(name)) return;
    if (name === 'BR') text += '\n';
    if (name === 'IMG') text += ` ${current.getAttribute?.('alt') ?? ''} `;
    if (BLOCKS.has(name)) text += '\n';
    if (isCell(current)) text += ' ';
    for (const child of current.childNodes) walk(child);
    if (BLOCKS.has(name)) text += '\n';
  };
  walk(node);
  return text
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** Loose text of the walk: runs of spaces and of line breaks as one. */
function collapse(text: string): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
}

function rawText(node: HtmlNode): string {
  return node.textContent ?? '';
}

function listText(list: HtmlNode, indent: string, skip: (node: HtmlNode) => boolean): string {
  const isNested = (node: HtmlNode): boolean => /^(?:UL|OL|MENU)$/i.test(node.nodeName);
  const isOrdered = list.nodeName.toUpperCase() === 'OL';
  const lines: string[] = [];
  let number = 0;
  for (const item of list.childNodes) {
    if (item.nodeType !== ELEMENT || skip(item)) continue;
    if (isNested(item)) lines.push(listText(item, `${indent}  `, skip));
    else {
      number += 1;
      const text = inlineText(item, (child) => isNested(child) || skip(child));
      if (text !== '') lines.push(`${indent}${isOrdered ? `${number}. ` : '- '}${text}`);
      for (const nested of nestedLists(item, isNested)) lines.push(listText(nested, `${indent}  `, skip));
    }
  }
  return lines.filter((line) => line !== '').join('\n');
}

function* nestedLists(node: HtmlNode, isNested: (node: HtmlNode) => boolean): Generator<HtmlNode> {
  for (const child of node.childNodes) {
    if (child.nodeType !== ELEMENT) continue;
    if (isNested(child)) yield child;
    else yield* nestedLists(child, isNested);
  }
}

/** Tables that only place things on a page have block elements in their cells, or one column. */
function isDataTable(table: HtmlNode): boolean {
  if (table.getAttribute?.('role') === 'presentation') return false;
  let widest = 0;
  for (const row of elements(table, 'TR'))
    widest = Math.max(widest, [...row.childNodes].filter(isCell).length);
  const [nested] = elements(table, 'TABLE', 'H1', 'H2', 'H3');
  return widest > 1 && nested === undefined;
}

function isCell(node: HtmlNode): boolean {
  return /^T[DH]$/i.test(node.nodeName);
}

function spanPadding(cell: HtmlNode): string[] {
  const span = Number(cell.getAttribute?.('colspan') ?? 1);
  return Array.from({ length: Math.min(63, Math.max(0, span - 1)) || 0 }, () => '');
}

function* elements(node: HtmlNode, ...names: readonly string[]): Generator<HtmlNode> {
  for (const child of node.childNodes) {
    if (child.nodeType !== ELEMENT) continue;
    if (names.includes(child.nodeName.toUpperCase())) yield child;
    else yield* elements(child, ...names);
  }
}

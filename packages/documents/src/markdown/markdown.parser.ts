import type { List, Nodes, Root, RootContent, Table } from 'mdast';
import { toString } from 'mdast-util-to-string';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { canonicalText, singleLine } from '../document/canonical-text.js';
import { DocumentError } from '../document/document-error.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import type { DocumentParser } from '../document-parser.js';
import { addHtml } from '../html/html.parser.js';
import { measurePage } from '../html/measure-page.js';
import { parseHtml } from '../html/parse-html.js';
import { flowText } from '../html/text-flow.js';
import { readText } from '../text-decoding/decode-text.js';
import { withoutDataUrls } from '../text-decoding/text-content.js';
import {
  BLOCK_ELEMENTS,
  HEAD_ELEMENTS,
  RAW_ELEMENTS,
  SCOPE_ELEMENTS,
  UNREAD_ELEMENTS,
  VOID_ELEMENTS,
} from '../html/html-elements.js';
import { readFrontMatter } from './front-matter.js';
import { mdastToHtml, taskState } from './mdast-to-html.js';
import { removeStruckText } from './struck-text.js';

/** A start tag whose attributes, if any, have no values. */
const BARE_TAG = /<([a-z][a-z\d-]*)(?:\s+[a-z_:][\w.:-]*)*\s*>/gi;

const END_TAG = /<\/([a-z][a-z\d-]*)/gi;

const INLINE_ELEMENTS = new Set(
  `a abbr acronym b bdi bdo big blink button cite code data del dfn em font html i ins kbd label map mark marquee math
  meter nobr noscript output picture progress q rb rp rt rtc ruby s samp slot small span strike strong sub sup template
  time tt u var`.split(/\s+/),
);

const HTML_ELEMENTS = [
  INLINE_ELEMENTS,
  BLOCK_ELEMENTS,
  HEAD_ELEMENTS,
  RAW_ELEMENTS,
  SCOPE_ELEMENTS,
  UNREAD_ELEMENTS,
  VOID_ELEMENTS,
];

const TAG_OPEN = /<(?:!--|(\/?)([a-z][\w:-]*))/gi;
const RAW_ELEMENT_ENDS: Readonly<Record<string, RegExp>> = {
  script: /<\/script\s*>/gi,
  style: /<\/style\s*>/gi,
};

/** Elements whose content only makes sense together. Markdown ends HTML at a blank line, also inside of these. */
const CONTAINER_ELEMENTS: ReadonlySet<string> = new Set(['table', 'ul', 'ol', 'dl', 'pre', 'blockquote']);

const TOO_DEEP = /^(?:[ \t]*>){100}/m;
const DEFINITION = /^[ \t]*\[[^[\]\n]+\]:/gm;
const MAX_DEFINITIONS = 20_000;

/**
 * Reads CommonMark with GitHub's tables, task lists, strikethrough and footnotes. HTML in it is read as a page is. The
 * fields of the front matter are metadata, and the first paragraph.
 */
export const markdownParser: DocumentParser = {
  async parse(input, builder) {
    const text = withoutDataUrls(await readText(input, builder));
    const { fields, body } = readFrontMatter(canonicalText(text));
    for (const [key, value] of fields) builder.setMetadata(key, value);
    builder.setTitle(fields.get('title'));
    builder.setLanguage(fields.get('lang') ?? fields.get('language'));
    builder.block(
      'paragraph',
      Array.from(fields, ([key, value]) => `${key}: ${singleLine(value)}`).join('\n'),
    );
    // remark's time is quadratic in the nesting depth of block quotes.
    if (TOO_DEEP.test(body)) throw new DocumentError('TOO_COMPLEX', 'quotes are nested too deeply');
    // remark takes 0.2 ms for each, and looks for each reference among all of them.
    if ((body.match(DEFINITION)?.length ?? 0) > MAX_DEFINITIONS) {
      const most = MAX_DEFINITIONS.toLocaleString('en');
      throw new DocumentError('TOO_COMPLEX', `more than ${most} definitions`, {
        userMessage: `The file has more than ${most} definitions of links. Split it and upload the parts.`,
      });
    }
    const anchors = new HeadingAnchors();
    const root = unified().use(remarkParse).use(remarkGfm, { singleTilde: false }).parse(body);
    escapePlaceholders(root, body);
    removeStruckText(root, builder);
    for (const node of withHtmlRuns(root.children)) {
      if (typeof node === 'string') addHtmlBlock(node, builder);
      else addNode(node, builder, anchors);
    }
  },
};

function addNode(node: RootContent, builder: DocumentBuilder, anchors: HeadingAnchors): void {
  switch (node.type) {
    case 'heading':
      builder.heading(node.depth, inlineText(node), { anchor: anchors.next(toString(node)) });
      return;
    case 'paragraph':
      builder.block('paragraph', inlineText(node));
      return;
    case 'code':
      builder.block('code', node.value);
      return;
    case 'list':
      builder.block('list', listText(node, ''));
      return;
    case 'table':
      builder.table(tableRows(node), { headerRow: true });
      return;
    case 'blockquote':
      builder.block('quote', node.children.map(blockText).join('\n\n'));
      return;
    case 'html':
      addHtmlBlock(node.value, builder);
      return;
    case 'footnoteDefinition':
      builder.block(
        'paragraph',
        `[${node.label ?? node.identifier}] ${node.children.map(blockText).join('\n')}`,
      );
      return;
    // The first three have no text, so that no block is added.
    case 'thematicBreak':
    case 'definition':
    case 'yaml':
    case 'break':
    case 'delete':
    case 'emphasis':
    case 'footnoteReference':
    case 'image':
    case 'imageReference':
    case 'inlineCode':
    case 'link':
    case 'linkReference':
    case 'listItem':
    case 'strong':
    case 'tableCell':
    case 'tableRow':
    case 'text':
    default:
      // `default` covers node types of other syntax extensions.
      builder.block('paragraph', inlineText(node));
  }
}

function addHtmlBlock(html: string, builder: DocumentBuilder): void {
  if (shownText(html) !== '') addHtml(html, builder);
  else builder.block('paragraph', withoutTags(html));
}

function listText(list: List, indent: string): string {
  return list.children
    .map((item, index) => {
      const marker = list.ordered === true ? `${(list.start ?? 1) + index}. ` : '- ';
      const parts = item.children.map((child) =>
        child.type === 'list' ? listText(child, `${indent}  `) : blockText(child),
      );
      return `${indent}${marker}${taskState(item.checked)}${parts.join('\n')}`;
    })
    .join('\n');
}

function tableRows(table: Table): string[][] {
  return table.children.map((row) => row.children.map(inlineText));
}

/** The text of a block nested in another block. */
function blockText(node: Nodes): string {
  if (node.type === 'list') return listText(node, '');
  if (node.type === 'table')
    return tableRows(node)
      .map((row) => row.join(' | '))
      .join('\n');
  if (node.type === 'blockquote' || node.type === 'listItem') {
    return Array.from(withHtmlRuns(node.children), (child) =>
      typeof child === 'string' ? htmlText(child) : blockText(child),
    ).join('\n');
  }
  return inlineText(node);
}

/** The text of inline content: link texts, image descriptions, line breaks for hard breaks. */
function inlineText(node: Nodes): string {
  return hasHtml(node) ? htmlText(inlineHtml(node)) : plainText(node);
}

function plainText(node: Nodes): string {
  if (node.type === 'break') return '\n';
  if (node.type === 'footnoteReference') return `[${node.label ?? node.identifier}]`;
  if ('children' in node) return node.children.map(plainText).join('');
  return toString(node);
}

function hasHtml(node: Nodes): boolean {
  return node.type === 'html' || ('children' in node && node.children.some(hasHtml));
}

/** Without the element of the paragraph, heading or cell itself, whose text is wanted. */
function inlineHtml(node: Nodes): string {
  return 'children' in node ? node.children.map(mdastToHtml).join('') : mdastToHtml(node);
}

/** The text of HTML in a block that is not HTML. */
function htmlText(html: string): string {
  return shownText(html) || withoutTags(html);
}

function shownText(html: string): string {
  const tree = parseHtml(html);
  measurePage(tree);
  return flowText(tree.body);
}

/** For HTML that a browser shows no text of, such as a tag that never ends: in Markdown, it is more likely to be text. */
function withoutTags(html: string): string {
  let text = '';
  let at = 0;
  for (const { start, end } of htmlTags(html)) {
    text += html.slice(at, start);
    at = end;
  }
  // A comment without an end reaches to the end.
  return (text + html.slice(at)).split('<!--', 1).join('').trim();
}

/**
 * Generates heading anchors like GitHub and most renderers: lower case, without punctuation, hyphens for
 * spaces, and a numeric suffix from the second occurrence on.
 */
class HeadingAnchors {
  private readonly times = new Map<string, number>();

  next(title: string): string {
    const slug = title
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const times = this.times.get(slug) ?? 0;
    this.times.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  }
}

/**
 * Yields the blocks of a document. HTML is a string: from the block in which a table, a list or the like begins to the
 * one in which it ends, with the Markdown between. If it never ends, only the first block is HTML.
 */
function* withHtmlRuns(blocks: readonly RootContent[]): Generator<RootContent | string> {
  for (let index = 0; index < blocks.length;) {
    const block = blocks[index];
    if (block === undefined) return;
    if (block.type !== 'html') {
      yield block;
      index += 1;
      continue;
    }
    const end = endOfRun(blocks, index);
    yield blocks.slice(index, end).map(mdastToHtml).join('\n');
    index = end;
  }
}

function endOfRun(blocks: readonly RootContent[], start: number): number {
  let open = 0;
  for (let index = start; index < blocks.length; index += 1) {
    const block = blocks[index];
    if (block !== undefined && (block.type === 'html' || block.type === 'code'))
      open += openedBy(mdastToHtml(block));
    if (open <= 0) return index + 1;
  }
  return start + 1;
}

/** Opened minus closed elements. */
function openedBy(html: string): number {
  let open = 0;
  for (const { name, isEndTag } of htmlTags(html)) {
    if (CONTAINER_ELEMENTS.has(name)) open += isEndTag ? -1 : 1;
  }
  return open;
}

/** A tag, a comment, or a script or style sheet with its end tag. */
interface HtmlTag {
  readonly start: number;
  readonly end: number;
  /** In lower case; `''` for a comment. */
  readonly name: string;
  readonly isEndTag: boolean;
}

/**
 * Finds the tags of HTML in order, in linear time. A tag or comment without an end is not a tag. A script or style sheet
 * without an end tag is only a tag.
 */
export function* htmlTags(html: string): Generator<HtmlTag> {
  let end = 0;
  /** Ends that the rest of the HTML does not have. */
  const absent = new Set<string>();
  for (const { index: start, 0: open, 1: slash, 2: name = '' } of html.matchAll(TAG_OPEN)) {
    if (start < end) continue;
    const close = name === '' ? '-->' : '>';
    const at = absent.has(close) ? -1 : html.indexOf(close, start + open.length);
    if (at < 0) {
      absent.add(close);
      continue;
    }
    end = at + close.length;
    const tag = name.toLowerCase();
    const rawEnd = slash === '/' || absent.has(tag) ? undefined : RAW_ELEMENT_ENDS[tag];
    if (rawEnd !== undefined) {
      rawEnd.lastIndex = start;
      if (rawEnd.test(html)) end = rawEnd.lastIndex;
      else absent.add(tag);
    }
    yield { start, end, name: tag, isEndTag: slash === '/' };
  }
}

/**
 * Escapes what only looks like a tag: a name that HTML does not have and that the document never closes, such as
 * `<your-key>` in an address or `List<int>`. People write it without knowing that it is HTML.
 */
function escapePlaceholders(root: Root, markdown: string): void {
  const closed = new Set(Array.from(markdown.matchAll(END_TAG), ([, name = '']) => name.toLowerCase()));
  const isElement = (name: string): boolean =>
    closed.has(name) || HTML_ELEMENTS.some((elements) => elements.has(name));
  const escape = (node: Nodes): void => {
    if (node.type === 'html')
      node.value = node.value.replace(BARE_TAG, (tag, name: string) =>
        isElement(name.toLowerCase()) ? tag : `&lt;${tag.slice(1)}`,
      );
    else if ('children' in node) node.children.forEach(escape);
  };
  escape(root);
}

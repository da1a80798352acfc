import type { List, Nodes, RootContent, Table } from 'mdast';
import { toString } from 'mdast-util-to-string';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { canonicalText, singleLine } from '../document/canonical-text.js';
import { DocumentError } from '../document/document-error.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import type { DocumentParser } from '../document-parser.js';
import { addHtml } from '../html/add-html.js';
import { measurePage } from '../html/measure-page.js';
import { parseHtml } from '../html/parse-html.js';
import { flowText } from '../html/text-flow.js';
import { readText } from '../text-decoding/read-text.js';
import { HeadingAnchors } from './heading-anchors.js';
import { readFrontMatter } from './front-matter.js';
import { htmlTags } from './html-tags.js';
import { withHtmlRuns } from './html-runs.js';
import { mdastToHtml, taskState } from './mdast-to-html.js';
import { escapePlaceholders } from './placeholders.js';

const TOO_DEEP = /^(?:[ \t]*>){100}/m;
const DEFINITION = /^[ \t]*\[[^[\]\n]+\]:/gm;
const MAX_DEFINITIONS = 20_000;

/**
 * Reads CommonMark with GitHub's tables, task lists, strikethrough and footnotes. HTML in it is read as a page is. The
 * fields of the front matter are metadata, and the first paragraph.
 */
export const markdownParser: DocumentParser = {
  async parse(input, builder) {
    const text = await readText(input, builder);
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
    const root = unified().use(remarkParse).use(remarkGfm).parse(body);
    escapePlaceholders(root, body);
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

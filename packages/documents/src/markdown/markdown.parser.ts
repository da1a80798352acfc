import type { List, Nodes, RootContent, Table } from 'mdast';
import { toString } from 'mdast-util-to-string';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { canonicalText } from '../document/canonical-text.js';
import { DocumentError } from '../document/document-error.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import type { DocumentParser } from '../document-parser.js';
import { readText } from '../text-decoding/read-text.js';
import { HeadingAnchors } from './heading-anchors.js';
import { readFrontMatter } from './front-matter.js';

const TOO_DEEP = /^(?:[ \t]*>){100}/m;

/** Reads CommonMark with GitHub's tables, task lists, strikethrough and footnotes, and with front matter. */
export const markdownParser: DocumentParser = {
  async parse(input, builder) {
    const text = await readText(input, builder);
    const { fields, body } = readFrontMatter(canonicalText(text));
    for (const [key, value] of fields) builder.setMetadata(key, value);
    builder.setTitle(String(fields.get('title') ?? ''));
    builder.setLanguage(String(fields.get('lang') ?? fields.get('language') ?? ''));
    // remark's time is quadratic in the nesting depth of block quotes.
    if (TOO_DEEP.test(body)) throw new DocumentError('TOO_COMPLEX', 'quotes are nested too deeply');
    const anchors = new HeadingAnchors();
    for (const node of unified().use(remarkParse).use(remarkGfm).parse(body).children) {
      addNode(node, builder, anchors);
    }
  },
};

function addNode(node: RootContent, builder: DocumentBuilder, anchors: HeadingAnchors): void {
  switch (node.type) {
    case 'heading':
      builder.heading(node.depth, toString(node), { anchor: anchors.next(toString(node)) });
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
      builder.block('paragraph', withoutTags(node.value));
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

function listText(list: List, indent: string): string {
  return list.children
    .map((item, index) => {
      const marker = list.ordered === true ? `${(list.start ?? 1) + index}. ` : '- ';
      const parts = item.children.map((child) =>
        child.type === 'list' ? listText(child, `${indent}  `) : blockText(child),
      );
      return `${indent}${marker}${parts.join('\n')}`;
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
  if (node.type === 'blockquote' || node.type === 'listItem') return node.children.map(blockText).join('\n');
  return inlineText(node);
}

/** The text of inline content: link texts, image descriptions, line breaks for hard breaks. */
function inlineText(node: Nodes): string {
  if (node.type === 'break') return '\n';
  if (node.type === 'html') return withoutTags(node.value);
  if (node.type === 'footnoteReference') return `[${node.label ?? node.identifier}]`;
  if ('children' in node) return node.children.map(inlineText).join('');
  return toString(node);
}

/** Removes tags and comments and decodes the common entities, which remark leaves encoded in raw HTML. */
function withoutTags(html: string): string {
  return html
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/<\/?[a-z][^>]*>/gi, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

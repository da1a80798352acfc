import type { Code, FootnoteDefinition, Heading, ListItem, Nodes, Root, Table } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { BLOCK_ELEMENTS, SCOPE_ELEMENTS, VOID_ELEMENTS } from '../html/html-elements.js';

const INLINE_ELEMENTS = new Set(
  `a abbr acronym b bdi bdo big blink button cite code data del dfn em font html i ins kbd label map mark marquee math
  meter nobr output picture progress q rb rp rt rtc ruby s samp slot small span strike strong sub sup
  time tt u var`.split(/\s+/),
);
const SHOWN_ELEMENTS = [INLINE_ELEMENTS, BLOCK_ELEMENTS, SCOPE_ELEMENTS, VOID_ELEMENTS];

const TAG = /<(\/?)([a-z][a-z\d-]*)/gi;
const END_TAG = /<\/([a-z][a-z\d-]*)/gi;
/** A start tag whose attributes, if any, have no values. */
const BARE_TAG = /<([a-z][a-z\d-]*)(?:\s+[a-z_:][\w.:-]*)*\s*>/gi;
/** Elements around other Markdown. People indent what is in them, which is code in Markdown. */
const CONTAINER_ELEMENTS: ReadonlySet<string> = new Set(['dl', 'ol', 'table', 'ul']);

/** A line break that is written as HTML, and as a line break, too. */
const DOUBLE_BREAK = /(<br\s*\/?>)\s*<br>/gi;

/**
 * Writes Markdown as the HTML that it stands for, as far as the HTML reader uses it. Line breaks are kept.
 *
 * @param markdown the source of the root
 */
export function markdownToHtml(root: Root, markdown: string): string {
  return new HtmlWriter(markdown).of(root).replace(DOUBLE_BREAK, '$1');
}

class HtmlWriter {
  private readonly closed: ReadonlySet<string>;
  private readonly anchors = new HeadingAnchors();
  /** Containers written in HTML that are open. */
  private openContainers = 0;
  private isInDoneTask = false;

  constructor(markdown: string) {
    this.closed = new Set(Array.from(markdown.matchAll(END_TAG), ([, name = '']) => name.toLowerCase()));
  }

  of(node: Nodes): string {
    switch (node.type) {
      case 'html':
        return this.html(node.value);
      case 'text':
        return escapeHtml(node.value).replaceAll('\n', '<br>');
      case 'inlineCode':
        return escapeHtml(node.value);
      case 'code':
        return this.code(node);
      case 'break':
        return '<br>';
      case 'paragraph':
        return `<p>${this.childrenOf(node)}</p>`;
      case 'heading':
        return this.heading(node);
      case 'blockquote':
        return `<blockquote>${node.children.map((child) => this.quoted(child)).join('')}</blockquote>`;
      case 'list': {
        const tag = node.ordered === true ? 'ol' : 'ul';
        return `<${tag} start="${node.start ?? 1}">${this.childrenOf(node)}</${tag}>`;
      }
      case 'listItem':
        return this.item(node);
      case 'table':
        return this.table(node);
      case 'image':
      case 'imageReference':
        return escapeHtml(node.alt ?? '');
      case 'footnoteReference':
        return `[${escapeHtml(node.label ?? node.identifier)}]`;
      case 'footnoteDefinition':
        return this.withPrefix(`[${escapeHtml(node.label ?? node.identifier)}] `, node);
      case 'delete':
        // In a checked task, it means done.
        return this.isInDoneTask ? this.childrenOf(node) : `<del>${this.childrenOf(node)}</del>`;
      case 'root':
      case 'emphasis':
      case 'link':
      case 'linkReference':
      case 'strong':
      case 'tableCell':
      case 'tableRow':
        return this.childrenOf(node);
      case 'definition':
      case 'thematicBreak':
      case 'yaml':
      default:
        return '';
    }
  }

  private childrenOf(node: { readonly children: readonly Nodes[] }): string {
    return node.children.map((child) => this.of(child)).join('');
  }

  private heading(node: Heading): string {
    const anchor = this.anchors.next(toString(node));
    return `<h${node.depth} id="${anchor}">${this.childrenOf(node)}</h${node.depth}>`;
  }

  /** A heading in a quote is not one of the document. */
  private quoted(node: Nodes): string {
    return node.type === 'heading' ? `<p>${this.childrenOf(node)}</p>` : this.of(node);
  }

  private code({ lang, value }: Code): string {
    const isHtml = this.openContainers > 0 && lang == null && value.trimStart().startsWith('<');
    return isHtml ? this.html(value) : `<pre>\n${escapeHtml(value)}</pre>`;
  }

  private item(node: ListItem): string {
    const { checked } = node;
    const wasInDoneTask = this.isInDoneTask;
    this.isInDoneTask = checked === true;
    const state = checked == null ? '' : checked ? '[x] ' : '[ ] ';
    const html = `<li>${this.withPrefix(state, node)}</li>`;
    this.isInDoneTask = wasInDoneTask;
    return html;
  }

  /** Adds a prefix to the first paragraph. Paragraphs of a list without blank lines are no elements. */
  private withPrefix(prefix: string, item: ListItem | FootnoteDefinition): string {
    const isTight = item.type === 'listItem' && item.spread !== true;
    let start = prefix;
    const html = item.children.map((child) => {
      if (child.type !== 'paragraph') return this.of(child);
      const text = `${start}${this.childrenOf(child)}`;
      start = '';
      return isTight ? text : `<p>${text}</p>`;
    });
    return start + html.join('');
  }

  private table({ children }: Table): string {
    const rows = children.map((row, index) => {
      const tag = index === 0 ? 'th' : 'td';
      return `<tr>${row.children.map((cell) => `<${tag}>${this.childrenOf(cell)}</${tag}>`).join('')}</tr>`;
    });
    return `<table role="table">${rows.join('')}</table>`;
  }

  /** HTML, with what only looks like a tag escaped, and what would hide the rest of the document. */
  private html(html: string): string {
    for (const [, slash, name = ''] of html.matchAll(TAG))
      if (CONTAINER_ELEMENTS.has(name.toLowerCase())) this.openContainers += slash === '/' ? -1 : 1;
    const comment = html.lastIndexOf('<!--');
    const isOpenComment = comment >= 0 && !html.includes('-->', comment);
    const end = isOpenComment ? comment : html.lastIndexOf('>') + 1;
    const complete = html
      .slice(0, end)
      .replace(BARE_TAG, (tag, name: string) => (this.isElement(name.toLowerCase()) ? tag : escapeHtml(tag)));
    return complete + escapeHtml(html.slice(end));
  }

  /**
   * Whether a tag is not just a placeholder, such as `<your-key>` in an address or `List<int>`: the document closes it,
   * or HTML has the element and shows its content.
   */
  private isElement(name: string): boolean {
    return this.closed.has(name) || SHOWN_ELEMENTS.some((elements) => elements.has(name));
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
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

import type { Code, FootnoteDefinition, Heading, Html, ListItem, Nodes, Parents, Root, Table } from 'mdast';
import { toString } from 'mdast-util-to-string';
import type { DocumentBuilder } from '../document/document-builder.js';
import { UNREAD_ELEMENTS, VOID_ELEMENTS } from '../html/html-elements.js';

/** A comment, a tag, or else a sign of less. */
const MARKUP =
  /<!--(?:(?!<!--)[^])*?-->|<(?:(\/?)(?!plaintext|xmp)([a-z][a-z\d-]*)(?=[\s/>])(?:[^<>"']|"[^"]*"|'[^']*')*>)?/gi;
/** Elements around other Markdown. People indent what is in them, which is code in Markdown. */
const CONTAINER_ELEMENTS: ReadonlySet<string> = new Set(['dl', 'ol', 'table', 'ul']);
/** Elements between paragraphs that are read without their end. */
const LAYOUT_ELEMENTS: ReadonlySet<string> = new Set(
  'center dd details div dl dt li ol p table tbody td tfoot th thead tr ul'.split(' '),
);
/** Nodes that end with their HTML. */
const PHRASING: ReadonlySet<string> = new Set(['heading', 'paragraph', 'tableCell']);

/** Elements whose content is not shown. */
const UNSHOWN_ELEMENTS: ReadonlySet<string> = new Set([...UNREAD_ELEMENTS, 'template']);

/** A line break that is written as HTML, and as a line break, too. */
const DOUBLE_BREAK = /(<br\s*\/?>)\s*<br>/gi;

/**
 * Writes Markdown as the HTML that it stands for, as far as the HTML reader uses it. Line breaks are kept.
 *
 * @param markdown the source of the root
 * @param builder sees the text
 */
export function markdownToHtml(root: Root, markdown: string, builder: DocumentBuilder): string {
  return new HtmlWriter(root, markdown, builder).of(root).replace(DOUBLE_BREAK, '$1');
}

class HtmlWriter {
  /** The HTML between paragraphs. */
  private readonly flow: ReadonlyMap<Nodes, readonly boolean[]>;
  /** The HTML in the current paragraph, cell or heading. */
  private phrasing: ReadonlyMap<Nodes, readonly boolean[]> = new Map();
  private readonly anchors = new HeadingAnchors();
  /** Containers written in HTML that are open. */
  private openContainers = 0;
  private isInDoneTask = false;

  constructor(
    root: Root,
    private readonly markdown: string,
    private readonly builder: DocumentBuilder,
  ) {
    this.flow = pairedTags(htmlBelow(root));
  }

  of(node: Nodes): string {
    switch (node.type) {
      case 'html':
        return this.html(node);
      case 'text':
        return this.text(node.value).replaceAll('\n', '<br>');
      case 'inlineCode':
        return this.text(node.value);
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

  private childrenOf(node: Parents): string {
    if (PHRASING.has(node.type)) this.phrasing = pairedTags(htmlBelow(node));
    return node.children.map((child) => this.of(child)).join('');
  }

  private text(value: string): string {
    this.builder.see(value);
    return escapeHtml(value);
  }

  private heading(node: Heading): string {
    const anchor = this.anchors.next(toString(node));
    return `<h${node.depth} id="${anchor}">${this.childrenOf(node)}</h${node.depth}>`;
  }

  /** A heading in a quote is not one of the document. */
  private quoted(node: Nodes): string {
    return node.type === 'heading' ? `<p>${this.childrenOf(node)}</p>` : this.of(node);
  }

  private code(node: Code): string {
    const isFenced = /[`~]/.test(this.markdown.charAt(node.position?.start.offset ?? 0));
    const isHtml = this.openContainers > 0 && !isFenced && node.value.trimStart().startsWith('<');
    return isHtml ? this.html(node) : `<pre>\n${this.text(node.value)}</pre>`;
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

  /**
   * Writes HTML as far as it is sure where its elements end, so that no tag in a sentence hides the rest of the document.
   * Other tags, and placeholders such as `<your-key>`, are text.
   */
  private html(node: Html | Code): string {
    const pairs = this.flow.get(node) ?? this.phrasing.get(node) ?? pairedTags([node]).get(node);
    const isLayout = this.flow.has(node) || this.openContainers > 0;
    let index = 0;
    return node.value.replace(MARKUP, (tag, slash?: string, tagName?: string) => {
      if (tagName === undefined) return tag === '<' ? '&lt;' : '';
      const name = tagName.toLowerCase();
      const isPair = pairs?.[index++] === true;
      if (VOID_ELEMENTS.has(name) && !UNREAD_ELEMENTS.has(name)) return tag;
      // People leave anchors open, and components (`<Logo />`) are empty.
      if (!isPair && slash === '' && (name === 'a' || tag.endsWith('/>'))) return `${tag}</${name}>`;
      if (!isPair && !(isLayout && LAYOUT_ELEMENTS.has(name))) return escapeHtml(tag);
      if (CONTAINER_ELEMENTS.has(name)) this.openContainers += slash === '/' ? -1 : 1;
      return tag;
    });
  }
}

/** The HTML below a node, without that in paragraphs, cells and headings below it. */
function htmlBelow(node: Nodes, found: Html[] = []): readonly Html[] {
  if (node.type === 'html') found.push(node);
  if ('children' in node)
    for (const child of node.children) if (!PHRASING.has(child.type)) htmlBelow(child, found);
  return found;
}

/** @returns for each tag of each node, whether it has its end or start among them */
function pairedTags(nodes: readonly (Html | Code)[]): ReadonlyMap<Nodes, readonly boolean[]> {
  const open = new Map<string, { readonly pairs: boolean[]; readonly index: number }[]>();
  return new Map(
    nodes.map((node) => {
      const pairs: boolean[] = [];
      for (const [tag, slash, tagName] of node.value.matchAll(MARKUP)) {
        if (tagName === undefined) continue;
        const name = tagName.toLowerCase();
        const starts = open.get(name) ?? [];
        open.set(name, starts);
        const start = slash === '/' ? starts.pop() : undefined;
        // Markdown cannot be in what is not shown.
        const isPair = start !== undefined && (start.pairs === pairs || !UNSHOWN_ELEMENTS.has(name));
        if (isPair) start.pairs[start.index] = true;
        if (slash === '' && !tag.endsWith('/>')) starts.push({ pairs, index: pairs.length });
        pairs.push(isPair);
      }
      return [node, pairs] as const;
    }),
  );
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

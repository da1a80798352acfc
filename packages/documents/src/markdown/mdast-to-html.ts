import type { Nodes } from 'mdast';

/**
 * Markdown as HTML, for Markdown that contains HTML: the HTML reader then sees whole tables and lists. Only what the
 * reader uses is written.
 */
export function mdastToHtml(node: Nodes): string {
  switch (node.type) {
    case 'html':
      return node.value;
    case 'text':
    case 'inlineCode':
      return escapeHtml(node.value);
    case 'code':
      // Indented lines after a blank line, in HTML that is indented.
      return node.lang == null && node.value.trimStart().startsWith('<')
        ? node.value
        : `<pre>${escapeHtml(node.value)}</pre>`;
    case 'break':
      return '<br>';
    case 'paragraph':
      return `<p>${childrenOf(node)}</p>`;
    case 'heading':
      return `<h${node.depth}>${childrenOf(node)}</h${node.depth}>`;
    case 'blockquote':
      return `<blockquote>${childrenOf(node)}</blockquote>`;
    case 'list': {
      const tag = node.ordered === true ? 'ol' : 'ul';
      return `<${tag} start="${node.start ?? 1}">${childrenOf(node)}</${tag}>`;
    }
    case 'listItem':
      return `<li>${taskState(node.checked)}${childrenOf(node)}</li>`;
    case 'table':
      return `<table>${childrenOf(node)}</table>`;
    case 'tableRow':
      return `<tr>${childrenOf(node)}</tr>`;
    case 'tableCell':
      return `<td>${childrenOf(node)}</td>`;
    case 'image':
    case 'imageReference':
      return escapeHtml(node.alt ?? '');
    case 'footnoteReference':
      return `[${escapeHtml(node.label ?? node.identifier)}]`;
    case 'root':
    case 'delete':
    case 'emphasis':
    case 'footnoteDefinition':
    case 'link':
    case 'linkReference':
    case 'strong':
      return childrenOf(node);
    case 'definition':
    case 'thematicBreak':
    case 'yaml':
    default:
      return '';
  }
}

/** `[x] ` or `[ ] ` of a task; empty for other items. */
export function taskState(checked: boolean | null | undefined): string {
  if (checked === null || checked === undefined) return '';
  return checked ? '[x] ' : '[ ] ';
}

function childrenOf(node: { readonly children: readonly Nodes[] }): string {
  return node.children.map(mdastToHtml).join('');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

import { escapeHtml } from '../html-page.js';
import { isInTrash, type NotionBlock } from './notion-answers.js';
import { formulaHtml, plainText, richHtml } from './notion-text.js';

const MAX_DEPTH = 50;

/** The children of a block, all of them; null if the integration may not read them. */
type ChildrenOf = (blockId: string) => Promise<readonly NotionBlock[] | null>;

/** Items stand in a list with those beside them. */
const LISTS: Readonly<Record<string, string>> = {
  bulleted_list_item: 'ul',
  numbered_list_item: 'ol',
  to_do: 'ul',
};
/** Other documents: their content is not that of the page. */
const DOCUMENTS = new Set(['child_page', 'child_database']);
/** Blocks that only arrange what is in them, or show what is elsewhere in the page. */
const ARRANGING = new Set([
  'column_list',
  'column',
  'synced_block',
  'tab',
  'table_of_contents',
  'breadcrumb',
  'divider',
]);
const MEDIA = new Set(['image', 'video', 'file', 'pdf', 'audio', 'embed', 'bookmark', 'link_preview']);

/** The blocks of a page as HTML. What the API does not give is named where it stands. */
export async function htmlOfBlocks(
  blocks: readonly NotionBlock[],
  childrenOf: ChildrenOf,
  depth = 0,
): Promise<string> {
  const html: string[] = [];
  let list = '';
  for (const block of blocks) {
    if (isInTrash(block)) continue;
    const next = LISTS[block.type] ?? '';
    if (next !== list) html.push(list && `</${list}>`, next && `<${next}>`);
    list = next;
    html.push(await htmlOfBlock(block, childrenOf, depth));
  }
  html.push(list && `</${list}>`);
  return html.filter((part) => part !== '').join('\n');
}

async function htmlOfBlock(block: NotionBlock, childrenOf: ChildrenOf, depth: number): Promise<string> {
  const { type, id } = block;
  // Each type has its content under its name.
  const content = (block[type] ?? {}) as Readonly<Record<string, unknown>>;
  if (DOCUMENTS.has(type)) return `<p>${link(pageUrl(id), text(content['title']))}</p>`;
  if (block.has_children !== true || type === 'unsupported') return ownHtml(type, content, '');
  const blocks = depth < MAX_DEPTH ? await childrenOf(id) : null;
  if (blocks === null) return ownHtml(type, content, missing(`what is in a block of the type ${type}`));
  if (type === 'table') return tableHtml(blocks, content['has_column_header'] === true);
  return ownHtml(type, content, await htmlOfBlocks(blocks, childrenOf, depth + 1));
}

/** @param inner what is below the block */
function ownHtml(type: string, content: Readonly<Record<string, unknown>>, inner: string): string {
  const own = richHtml(content['rich_text']);
  const [, level] = /^heading_(\d)$/.exec(type) ?? [];
  // The title of the page is above all headings.
  if (level !== undefined) return `<h${Number(level) + 1}>${own}</h${Number(level) + 1}>\n${inner}`;
  switch (type) {
    case 'bulleted_list_item':
    case 'numbered_list_item':
      return `<li>${own}${inner}</li>`;
    case 'to_do':
      return `<li>${content['checked'] === true ? '☑' : '☐'} ${own}${inner}</li>`;
    case 'quote':
    case 'callout':
      return `<blockquote><p>${own}</p>${inner}</blockquote>`;
    case 'code':
      return `<pre><code>${escapeHtml(plainText(content['rich_text']))}</code></pre>${captionOf(content)}${inner}`;
    case 'equation':
      return `<p>${formulaHtml(text(content['expression']))}</p>`;
    case 'link_to_page': {
      const target = text(content['page_id'] ?? content['database_id']);
      return `<p>${link(pageUrl(target), 'Linked page')}</p>`;
    }
    case 'unsupported':
      return missing(`a block of the type ${text(content['block_type']) || 'unsupported'}`);
  }
  if (MEDIA.has(type)) return `${mediaHtml(type, content)}${captionOf(content)}${inner}`;
  if (ARRANGING.has(type)) return inner && `<div>${inner}</div>`;
  const title = richHtml(content['title']);
  const isKnown = Array.isArray(content['rich_text']) || title !== '' || inner !== '';
  return isKnown ? `<p>${own}${title}</p>${inner}` : missing(`a block of the type ${type}`);
}

function tableHtml(rows: readonly NotionBlock[], hasHeader: boolean): string {
  const htmlRows = rows.map((row, index) => {
    const { cells } = (row['table_row'] ?? {}) as { cells?: readonly unknown[] };
    const tag = hasHeader && index === 0 ? 'th' : 'td';
    return `<tr>${(cells ?? []).map((cell) => `<${tag}>${richHtml(cell)}</${tag}>`).join('')}</tr>`;
  });
  return `<table>${htmlRows.join('\n')}</table>`;
}

/** The address of a file that Notion stores is valid for an hour, and opens it for everybody: its name is shown alone. */
function mediaHtml(type: string, content: Readonly<Record<string, unknown>>): string {
  const external = content['external'] as { url?: unknown } | undefined;
  const url = text(external?.url ?? content['url']);
  const name = text(content['name']);
  if (url !== '') return `<p>${link(url, name || url)}</p>`;
  return `<p>[${[type, name]
    .filter((part) => part !== '')
    .map(escapeHtml)
    .join(': ')}]</p>`;
}

function captionOf(content: Readonly<Record<string, unknown>>): string {
  const caption = richHtml(content['caption']);
  return caption && `<p>${caption}</p>`;
}

function missing(what: string): string {
  return `<p>[Notion does not give ${escapeHtml(what)}.]</p>`;
}

function link(url: string, name: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(name)}</a>`;
}

function pageUrl(id: string): string {
  return `https://www.notion.so/${id.replaceAll('-', '')}`;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

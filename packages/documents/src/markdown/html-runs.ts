import type { RootContent } from 'mdast';
import { htmlTags } from './html-tags.js';
import { mdastToHtml } from './mdast-to-html.js';

/** Elements whose content only makes sense together. Markdown ends HTML at a blank line, also inside of these. */
const CONTAINERS: ReadonlySet<string> = new Set(['table', 'ul', 'ol', 'dl', 'pre', 'blockquote']);

/**
 * Yields the blocks of a document. HTML is a string: from the block in which a table, a list or the like begins to the
 * one in which it ends, with the Markdown between. If it never ends, only the first block is HTML.
 */
export function* withHtmlRuns(blocks: readonly RootContent[]): Generator<RootContent | string> {
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
    if (CONTAINERS.has(name)) open += isEndTag ? -1 : 1;
  }
  return open;
}

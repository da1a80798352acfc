import type { Delete, Nodes, Parents } from 'mdast';
import { toString } from 'mdast-util-to-string';
import type { DocumentBuilder } from '../document/document-builder.js';

const STRUCK_TAG = /^<(s|del|strike)(?:\s[^>]*)?>$/i;
const NODES_WITH_TEXT: ReadonlySet<string> = new Set([
  'paragraph',
  'heading',
  'listItem',
  'list',
  'blockquote',
]);

/**
 * Removes struck text and counts it as deleted. In a checked task it means done, and stays.
 */
export function removeStruckText(parent: Parents, builder: DocumentBuilder): void {
  const children: Nodes[] = [];
  let isAfterStruck = false;
  for (const child of withStruckTags(parent.children)) {
    if (isAfterStruck && child.type === 'text' && endsWithSpace(children.at(-1)))
      child.value = child.value.trimStart();
    isAfterStruck = child.type === 'delete';
    if (isAfterStruck) builder.leaveOut('deleted', toString(child));
    else if (!('children' in child) || child.children.length === 0 || isDone(child)) children.push(child);
    else {
      removeStruckText(child, builder);
      if (child.children.length > 0 || !NODES_WITH_TEXT.has(child.type)) children.push(child);
    }
  }
  // The nodes are those of the parent, or are phrasing content in the place of other phrasing content.
  parent.children = children as typeof parent.children;
}

/** Yields the nodes, and those between the tags of struck text in HTML as one node. */
function* withStruckTags(nodes: readonly Nodes[]): Generator<Nodes> {
  const unclosed = new Set<string>();
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at];
    if (node === undefined) return;
    const name = tagName(node);
    const end = name === null || unclosed.has(name) ? -1 : endTagIndex(nodes, at + 1, name);
    if (end < 0) {
      if (name !== null) unclosed.add(name);
      yield node;
    } else {
      yield { type: 'delete', children: nodes.slice(at + 1, end) as Delete['children'] };
      at = end;
    }
  }
}

/** The name of a tag that begins struck text. */
function tagName(node: Nodes): string | null {
  return node.type === 'html' ? (STRUCK_TAG.exec(node.value)?.[1]?.toLowerCase() ?? null) : null;
}

function endTagIndex(nodes: readonly Nodes[], from: number, name: string): number {
  for (let at = from; at < nodes.length; at += 1) {
    const node = nodes[at];
    if (node?.type === 'html' && node.value.toLowerCase() === `</${name}>`) return at;
  }
  return -1;
}

function isDone(node: Nodes): boolean {
  return node.type === 'listItem' && node.checked === true;
}

function endsWithSpace(node: Nodes | undefined): boolean {
  return node === undefined || /\s$/.test(toString(node));
}

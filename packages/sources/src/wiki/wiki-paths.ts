import { pathNameOf } from '../path-names.js';

/** Names of a path above this level are left out. */
const MAX_LEVELS = 100;

/** A page, a file, or something that holds pages. */
export interface WikiNode {
  readonly id: string;
  /** Null at the top, and for a parent that is not known. */
  readonly parentId: string | null;
  readonly title: string;
  /** What follows the title in its own path, and not in that of its children, such as `.html`. */
  readonly suffix: string;
}

/**
 * The paths of the nodes of a wiki: the titles of their parents, then their own. Nodes with the same title and parent differ
 * by their ids. A parent that is not among the nodes is left out; a circle of parents is cut.
 */
export function pathsOf(nodes: ReadonlyMap<string, WikiNode>): Map<string, string> {
  const parentOf = ({ parentId }: WikiNode): WikiNode | null => nodes.get(parentId ?? '') ?? null;
  const keyOf = (node: WikiNode): string =>
    JSON.stringify([parentOf(node)?.id ?? null, pathNameOf(node.title) || '_', node.suffix]);
  const counts = new Map<string, number>();
  for (const node of nodes.values()) counts.set(keyOf(node), (counts.get(keyOf(node)) ?? 0) + 1);
  const nameOf = (node: WikiNode): string => {
    const name = pathNameOf(node.title) || '_';
    return (counts.get(keyOf(node)) ?? 0) > 1 ? `${name} (${pathNameOf(node.id)})` : name;
  };
  const pathOf = (node: WikiNode): string => {
    const seen = new Set<string>();
    const names: string[] = [];
    for (let at: WikiNode | null = node; at !== null && !seen.has(at.id); at = parentOf(at)) {
      if (names.length === MAX_LEVELS) break;
      seen.add(at.id);
      names.push(nameOf(at));
    }
    return names.reverse().join('/') + node.suffix;
  };
  return new Map([...nodes.values()].map((node) => [node.id, pathOf(node)]));
}

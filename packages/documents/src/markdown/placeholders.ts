import type { Nodes, Root } from 'mdast';
import {
  BLOCK_ELEMENTS,
  HEAD_ELEMENTS,
  RAW_ELEMENTS,
  SCOPE_ELEMENTS,
  UNREAD_ELEMENTS,
  VOID_ELEMENTS,
} from '../html/html-elements.js';

/** A start tag whose attributes, if any, have no values. */
const BARE_TAG = /<([a-z][a-z\d-]*)(?:\s+[a-z_:][\w.:-]*)*\s*>/gi;
const END_TAG = /<\/([a-z][a-z\d-]*)/gi;
const INLINE_ELEMENTS = new Set(
  `a abbr acronym b bdi bdo big blink button cite code data del dfn em font html i ins kbd label map mark marquee math
  meter nobr noscript output picture progress q rb rp rt rtc ruby s samp slot small span strike strong sub sup template
  time tt u var`.split(/\s+/),
);
const ELEMENTS = [
  INLINE_ELEMENTS,
  BLOCK_ELEMENTS,
  HEAD_ELEMENTS,
  RAW_ELEMENTS,
  SCOPE_ELEMENTS,
  UNREAD_ELEMENTS,
  VOID_ELEMENTS,
];

/**
 * Escapes what only looks like a tag: a name that HTML does not have and that the document never closes, such as
 * `<your-key>` in an address or `List<int>`. People write it without knowing that it is HTML.
 */
export function escapePlaceholders(root: Root, markdown: string): void {
  const closed = new Set(Array.from(markdown.matchAll(END_TAG), ([, name = '']) => name.toLowerCase()));
  const isElement = (name: string): boolean =>
    closed.has(name) || ELEMENTS.some((elements) => elements.has(name));
  const escape = (node: Nodes): void => {
    if (node.type === 'html')
      node.value = node.value.replace(BARE_TAG, (tag, name: string) =>
        isElement(name.toLowerCase()) ? tag : `&lt;${tag.slice(1)}`,
      );
    else if ('children' in node) node.children.forEach(escape);
  };
  escape(root);
}

import type { Inline } from '../markdown/parse-inline.js';
import { type Block, parseMarkdown } from '../markdown/parse-markdown.js';
import { externalLink, make } from './dom.js';

/** Creates the element of the citation `[number]`, or of the mark of an unsupported sentence (null). */
export type Cite = (number: number | null, isAdded: boolean) => Node;

/** Headings of an answer are below those of the page and of the panel. */
const HEADINGS = ['h3', 'h4', 'h5'] as const;

/** The Markdown of an answer as elements. HTML in it stays text. */
export function renderMarkdown(source: string, cite: Cite): Node[] {
  return parseMarkdown(source).map((block) => renderBlock(block, cite));
}

function renderBlock(block: Block, cite: Cite): Node {
  switch (block.kind) {
    case 'paragraph':
      return make('p', {}, ...renderInline(block.children, cite));
    case 'heading':
      return make(HEADINGS[block.level - 1] ?? 'h6', {}, ...renderInline(block.children, cite));
    case 'code':
      // Scrollable areas can be reached by keyboard.
      return make('pre', { tabIndex: 0 }, make('code', {}, block.text));
    case 'quote':
      return make('blockquote', {}, ...block.blocks.map((child) => renderBlock(child, cite)));
    case 'rule':
      return make('hr');
    case 'table': {
      const row = (tag: 'th' | 'td', texts: Inline[][]) =>
        make('tr', {}, ...texts.map((text) => make(tag, {}, ...renderInline(text, cite))));
      const head = make('thead', {}, row('th', block.header));
      const body = make('tbody', {}, ...block.rows.map((texts) => row('td', texts)));
      // Wide tables scroll; scrollable areas can be reached by keyboard.
      return make('div', { className: 'table', tabIndex: 0 }, make('table', {}, head, body));
    }
    case 'list': {
      const items = block.items.map((blocks) =>
        make('li', {}, ...blocks.map((child) => renderBlock(child, cite))),
      );
      return block.isOrdered ? make('ol', { start: block.start }, ...items) : make('ul', {}, ...items);
    }
  }
}

function renderInline(pieces: readonly Inline[], cite: Cite): (Node | string)[] {
  return pieces.map((piece) => {
    switch (piece.kind) {
      case 'text':
        return piece.text;
      case 'code':
        return make('code', {}, piece.text);
      case 'citation':
        return cite(piece.number, piece.isAdded);
      case 'unsupported':
        return cite(null, false);
      case 'strong':
        return make('strong', {}, ...renderInline(piece.children, cite));
      case 'emphasis':
        return make('em', {}, ...renderInline(piece.children, cite));
      case 'link':
        return externalLink(piece.href, ...renderInline(piece.children, cite));
    }
  });
}

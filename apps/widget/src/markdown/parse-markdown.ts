import { type Inline, parseInline } from './parse-inline.js';

/** A block of Markdown. */
export type Block =
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'heading'; level: number; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; isOrdered: boolean; start: number; items: Block[][] }
  | { kind: 'table'; header: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' };

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}[ \t]+/;
/** May close a heading, after a blank: `C#` is a word. */
const HEADING_END = /(?<=^|[ \t])#+$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const ITEM = /^ {0,3}(?:[-*+]|(\d{1,9})[.)])[ \t]+/;
const QUOTE = /^ {0,3}> ?/;
/** The line below the head of a table. */
const DELIMITERS = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;
const MAX_DEPTH = 8;

/** Parses the subset of CommonMark that answers use. Unfinished Markdown, as in a stream, is valid. */
export function parseMarkdown(source: string): Block[] {
  return parseBlocks(source.split('\n'), 0);
}

function parseBlocks(lines: readonly string[], depth: number): Block[] {
  if (depth > MAX_DEPTH) return [paragraph(lines)];
  const blocks: Block[] = [];
  let index = 0;
  /** Takes lines while they fulfil the condition. */
  const take = (condition: (line: string, index: number) => boolean): string[] => {
    const start = index;
    while (index < lines.length && condition(lines[index] ?? '', index)) index += 1;
    return lines.slice(start, index);
  };
  while (index < lines.length) {
    const line = lines[index] ?? '';
    const heading = HEADING.exec(line);
    const fence = FENCE.exec(line)?.[1];
    if (line.trim() === '') index += 1;
    else if (fence !== undefined) {
      index += 1;
      const text = take((next) => !next.trim().startsWith(fence)).join('\n');
      index += 1;
      blocks.push({ kind: 'code', text });
    } else if (heading) {
      index += 1;
      const text = line.slice(heading[0].length).replace(HEADING_END, '').trim();
      blocks.push({ kind: 'heading', level: heading[0].trim().length, children: parseInline(text) });
    } else if (RULE.test(line)) {
      index += 1;
      blocks.push({ kind: 'rule' });
    } else if (QUOTE.test(line)) {
      const quoted = take((next) => QUOTE.test(next)).map((next) => next.replace(QUOTE, ''));
      blocks.push({ kind: 'quote', blocks: parseBlocks(quoted, depth + 1) });
    } else if (beginsTable(lines, index)) {
      index += 2;
      const rows = take((next) => !beginsBlock(next)).map(cells);
      blocks.push({ kind: 'table', header: cells(line), rows });
    } else if (ITEM.test(line)) blocks.push(list(take(belongsToList()), depth));
    else {
      index += 1;
      const more = take((next, at) => !beginsBlock(next) && !beginsTable(lines, at));
      blocks.push(paragraph([line, ...more]));
    }
  }
  return blocks;
}

function paragraph(lines: readonly string[]): Block {
  return { kind: 'paragraph', children: parseInline(lines.map((line) => line.trim()).join('\n')) };
}

function beginsBlock(line: string): boolean {
  return line.trim() === '' || [FENCE, HEADING, RULE, QUOTE, ITEM].some((pattern) => pattern.test(line));
}

/** Whether the line is the head of a table: the line below it delimits as many columns. */
function beginsTable(lines: readonly string[], index: number): boolean {
  const [head = '', delimiters = ''] = lines.slice(index, index + 2);
  if (!delimiters.includes('|') || !DELIMITERS.test(delimiters)) return false;
  return head.includes('|') && cellTexts(head).length === cellTexts(delimiters).length;
}

function cells(row: string): Inline[][] {
  return cellTexts(row).map((text) => parseInline(text));
}

/** A pipe after a backslash belongs to its cell, also in code. */
function cellTexts(row: string): string[] {
  return row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((text) => text.trim().replaceAll('\\|', '|'));
}

/** Accepts the lines of one list: its items, what is indented, and lines that continue a paragraph. */
function belongsToList(): (line: string) => boolean {
  let isOrdered: boolean | null = null;
  let isAfterBlank = false;
  return (line) => {
    const item = ITEM.exec(line);
    const wasAfterBlank = isAfterBlank;
    isAfterBlank = line.trim() === '';
    if (isAfterBlank || /^\s{2,}\S/.test(line)) return true;
    if (item) return (isOrdered ??= item[1] !== undefined) === (item[1] !== undefined);
    return !wasAfterBlank && !beginsBlock(line);
  };
}

function list(lines: readonly string[], depth: number): Block {
  const items: string[][] = [];
  const [, start] = ITEM.exec(lines[0] ?? '') ?? [];
  let indent = 0;
  for (const line of lines) {
    const item = ITEM.exec(line);
    // An item that is indented by less than the text of the previous one is its sibling.
    if (item && (items.length === 0 || line.search(/\S/) < indent)) {
      indent = item[0].length;
      items.push([line.slice(indent)]);
    } else items.at(-1)?.push(line.search(/\S/) < indent ? line.trimStart() : line.slice(indent));
  }
  return {
    kind: 'list',
    isOrdered: start !== undefined,
    start: Number(start ?? 1),
    items: items.map((item) => parseBlocks(item, depth + 1)),
  };
}

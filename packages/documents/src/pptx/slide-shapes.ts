import type { DocumentBuilder } from '../document/document-builder.js';
import { type EmbeddedGraphics, isGraphic } from '../office/embedded-graphics.js';
import { ABOVE, fillMerged, type GridCell, LEFT } from '../office/merged-cells.js';
import { childElements, descendant, descendants, textContent, type XmlElement } from '../xml/xml-tree.js';

/**
 * Placeholders that repeat on every slide: date, footer, slide number, header, slide image (ECMA-376
 * 19.7.10).
 */
const REPEATED_PLACEHOLDERS = new Set(['dt', 'ftr', 'sldNum', 'hdr', 'sldImg']);
const TITLES = new Set(['title', 'ctrTitle']);

/** The title of a slide on one line; null when it has none. */
export function titleOf(tree: XmlElement): string | null {
  for (const shape of shapesOf(tree)) {
    const text = TITLES.has(placeholderOf(shape)) ? paragraphsOf(shape).join(' ').trim() : '';
    if (text !== '') return text;
  }
  return null;
}

/**
 * Adds texts, tables, charts and diagrams in file order, including groups, without titles and repeated
 * placeholders.
 */
export function addShapes(tree: XmlElement, builder: DocumentBuilder, graphics: EmbeddedGraphics): void {
  for (const shape of shapesOf(tree)) {
    const placeholder = placeholderOf(shape);
    if (REPEATED_PLACEHOLDERS.has(placeholder) || TITLES.has(placeholder)) continue;
    const table = descendants(shape, 'tbl').next().value;
    if (shape.name === 'graphicFrame') {
      if (table) builder.table(tableRows(table), { headerRow: true });
      const data = descendant(shape, 'graphic', 'graphicData');
      for (const child of data === undefined ? [] : childElements(data)) {
        if (isGraphic(child)) graphics.add(child);
      }
    } else addText(shape, placeholder, builder);
  }
}

/** The speaker notes of a notes page. */
export function notesText(tree: XmlElement): string {
  return shapesOf(tree)
    .filter((shape) => placeholderOf(shape) === 'body')
    .flatMap(paragraphsOf)
    .join('\n');
}

function addText(shape: XmlElement, placeholder: string, builder: DocumentBuilder): void {
  const paragraphs = paragraphsOf(shape).filter((text) => text.trim() !== '');
  // Body placeholders are bullet lists; the bullets are defined in the layout and not in the text.
  const isList = paragraphs.length > 1 && ['body', 'obj', ''].includes(placeholder);
  builder.block(isList ? 'list' : 'paragraph', paragraphs.join('\n'));
}

function shapesOf(tree: XmlElement): XmlElement[] {
  return childElements(tree).flatMap((child) => {
    if (child.name === 'grpSp' || child.name === 'AlternateContent' || child.name === 'Choice')
      return shapesOf(child);
    return ['sp', 'graphicFrame', 'cxnSp'].includes(child.name) ? [child] : [];
  });
}

/** Type of a placeholder, by default `obj` (19.3.1.36); `''` for other shapes. */
function placeholderOf(shape: XmlElement): string {
  const placeholder = descendants(shape, 'ph').next().value;
  return placeholder ? (placeholder.attributes['type'] ?? 'obj') : '';
}

/** Paragraphs of a text body (21.1.2); list items are indented by level and numbered if the list is. */
function paragraphsOf(shape: XmlElement): string[] {
  const body = childElements(shape, 'txBody')[0];
  if (body === undefined) return [];
  const counters: number[] = [];
  return childElements(body, 'p').map((paragraph) => {
    const properties = descendant(paragraph, 'pPr');
    const depth = Math.min(8, Math.max(0, Number(properties?.attributes['lvl'] ?? 0) || 0));
    const numbering = descendant(properties, 'buAutoNum');
    const text = runText(paragraph).trim();
    if (text === '') return '';
    counters.length = numbering === undefined ? depth : depth + 1;
    if (numbering === undefined) return '  '.repeat(depth) + text;
    counters[depth] = (counters[depth] ?? (Number(numbering.attributes['startAt'] ?? 1) || 1) - 1) + 1;
    return `${'  '.repeat(depth)}${counters[depth]}. ${text}`;
  });
}

function runText(paragraph: XmlElement): string {
  return childElements(paragraph)
    .map((run) => {
      if (run.name === 'br') return '\n';
      if (run.name === 'r' || run.name === 'fld') return childElements(run, 't').map(textContent).join('');
      return [...descendants(run, 't')].map(textContent).join('');
    })
    .join('');
}

/** Rows with merged cells filled. The file has empty cells where a merge covers them (21.1.3.16). */
function tableRows(table: XmlElement): string[][] {
  return fillMerged(
    childElements(table, 'tr').map((row) =>
      childElements(row, 'tc').map((cell): GridCell => {
        if (isSet(cell.attributes['hMerge'])) return LEFT;
        return isSet(cell.attributes['vMerge']) ? ABOVE : paragraphsOf(cell).join(' ');
      }),
    ),
  );
}

function isSet(flag: string | undefined): boolean {
  return flag === '1' || flag === 'true';
}

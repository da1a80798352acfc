import type { DocumentBuilder } from '../document/document-builder.js';
import { drawingParagraphs } from '../office/drawing-paragraphs.js';
import { drawingText } from '../office/drawing-text.js';
import { type EmbeddedGraphics, isGraphic } from '../office/embedded-graphics.js';
import { ABOVE, fillMerged, type GridCell, LEFT } from '../office/merged-cells.js';
import { type Box, type Placed, positionOrder } from '../office/position-order.js';
import { childElements, descendant, descendants, type XmlElement } from '../xml/xml-tree.js';
import { ownBox, type PlaceholderBoxes, placeholderOf, unionBox } from './slide-boxes.js';

/** Placeholders that repeat on every slide: date, footer, slide number, header (ECMA-376 19.7.10). */
const REPEATED_PLACEHOLDERS = new Set(['dt', 'ftr', 'sldNum', 'hdr']);
const TITLES = new Set(['title', 'ctrTitle']);
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/gu;

interface ShapeTree {
  readonly shapes: readonly XmlElement[];
  /** Whether columns are read from the right. */
  readonly isRightToLeft: boolean;
}

/** The shapes of a slide in the order in which people read them, by their positions. Groups stay together. */
export function slideShapes(tree: XmlElement, boxes: PlaceholderBoxes): XmlElement[] {
  const shapes = shownShapes(tree);
  const text = drawingText(tree);
  const isRightToLeft = (text.match(RIGHT_TO_LEFT)?.length ?? 0) > (text.match(/\p{L}/gu)?.length ?? 0) / 2;
  return ordered({ shapes, isRightToLeft }, boxes);
}

/** The first shape that is a title and has text. */
export function titleShape(shapes: readonly XmlElement[]): XmlElement | undefined {
  return shapes.find((shape) => TITLES.has(typeOf(shape)) && shapeText(shape) !== '');
}

/** The text of a shape on one line. */
export function shapeText(shape: XmlElement): string {
  return paragraphsOf(shape).join(' ').trim();
}

/** Whether a shape is a date, a footer or a number of the slide. */
export function isRepeated(shape: XmlElement): boolean {
  return REPEATED_PLACEHOLDERS.has(typeOf(shape));
}

export function isSlideNumber(shape: XmlElement): boolean {
  return typeOf(shape) === 'sldNum';
}

/** Adds the text, table, chart or diagram of a shape. */
export function addShape(shape: XmlElement, builder: DocumentBuilder, graphics: EmbeddedGraphics): void {
  if (shape.name !== 'graphicFrame') return addText(shape, builder);
  const table = descendants(shape, 'tbl').next().value;
  if (table) builder.table(tableRows(table), { headerRow: true });
  const data = descendant(shape, 'graphic', 'graphicData');
  for (const child of data === undefined ? [] : childElements(data)) {
    if (isGraphic(child)) graphics.add(child);
  }
}

/** The texts of shapes that a layout or master shows on its slides: those that are no placeholders. */
export function fixedTexts(tree: XmlElement | undefined): string[] {
  const shapes = tree === undefined ? [] : [...descendants(tree, 'sp')];
  return shapes
    .filter((shape) => placeholderOf(shape) === undefined && !isHidden(shape))
    .map((shape) => paragraphsOf(shape).join('\n').trim())
    .filter((text) => text !== '');
}

/** The speaker notes of a notes page. */
export function notesText(tree: XmlElement): string {
  return shownShapes(tree)
    .filter((shape) => typeOf(shape) === 'body')
    .flatMap(paragraphsOf)
    .join('\n');
}

/** Whether a shape is not shown on the slide. */
export function isHidden(shape: XmlElement): boolean {
  const properties = childElements(shape).find(({ name }) => /^nv\w*Pr$/.test(name));
  return isSet(descendant(properties, 'cNvPr')?.attributes['hidden']);
}

function addText(shape: XmlElement, builder: DocumentBuilder): void {
  const paragraphs = paragraphsOf(shape).filter((text) => text.trim() !== '');
  // Body placeholders are bullet lists; the bullets are defined in the layout and not in the text.
  const isList = paragraphs.length > 1 && ['body', 'obj', ''].includes(typeOf(shape));
  builder.block(isList ? 'list' : 'paragraph', paragraphs.join('\n'));
}

/** The shapes and groups of a tree. Of alternatives, the first one is shown. */
function shownShapes(tree: XmlElement): XmlElement[] {
  return childElements(tree).flatMap((child) => {
    if (child.name === 'AlternateContent') {
      const shown = childElements(child, 'Choice')[0] ?? childElements(child, 'Fallback')[0];
      return shown === undefined ? [] : shownShapes(shown);
    }
    return ['sp', 'graphicFrame', 'cxnSp', 'grpSp'].includes(child.name) ? [child] : [];
  });
}

function ordered({ shapes, isRightToLeft }: ShapeTree, boxes: PlaceholderBoxes): XmlElement[] {
  const placed: Placed<XmlElement[]>[] = [];
  const unplaced: XmlElement[] = [];
  for (const shape of shapes) {
    const box = boxOf(shape, boxes);
    const last = placed.at(-1)?.item ?? unplaced;
    if (box === undefined) last.push(shape);
    else placed.push({ item: [shape], box });
  }
  return [...unplaced, ...positionOrder(placed, isRightToLeft).flat()].flatMap((shape) =>
    shape.name === 'grpSp' && !isHidden(shape)
      ? ordered({ shapes: shownShapes(shape), isRightToLeft }, boxes)
      : [shape],
  );
}

function boxOf(shape: XmlElement, boxes: PlaceholderBoxes): Box | undefined {
  const own = ownBox(shape);
  if (own !== undefined && (shape.name !== 'grpSp' || own.right > own.left)) return own;
  if (shape.name === 'grpSp')
    return unionBox(shownShapes(shape).flatMap((child) => boxOf(child, boxes) ?? []));
  const placeholder = placeholderOf(shape);
  return placeholder === undefined ? undefined : boxes.of(placeholder);
}

/** The type of a placeholder; `''` for other shapes. */
function typeOf(shape: XmlElement): string {
  return placeholderOf(shape)?.type ?? '';
}

function paragraphsOf(shape: XmlElement): string[] {
  const body = childElements(shape, 'txBody')[0];
  return body === undefined ? [] : drawingParagraphs(body);
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

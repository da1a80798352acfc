import type { DocumentBuilder } from '../document/document-builder.js';
import { drawingParagraphs, drawingText, isHiddenShape } from '../office/drawing-text.js';
import { type EmbeddedParts, isEmbedded } from '../office/embedded-parts.js';
import { ABOVE, addGrid, type GridCell, LEFT } from '../office/merged-cells.js';
import { childElements, descendant, descendants, isOn, type XmlElement } from '../xml/xml-tree.js';

/** Placeholders that repeat on every slide: date, footer, slide number, header (ECMA-376 19.7.10). */
const REPEATED_PLACEHOLDERS = new Set(['dt', 'ftr', 'sldNum', 'hdr']);
const TITLES = new Set(['title', 'ctrTitle']);
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/gu;

/** The shapes of a slide in the order in which people read them, by their positions. Groups stay together. */
export function slideShapes(tree: XmlElement, boxes: PlaceholderBoxes): XmlElement[] {
  const shapes = shapesOf(tree);
  const text = drawingText(tree);
  const isRightToLeft = (text.match(RIGHT_TO_LEFT)?.length ?? 0) > (text.match(/\p{L}/gu)?.length ?? 0) / 2;
  return ordered(shapes, boxes, isRightToLeft);
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

/** Adds the text, table, chart, diagram or object of a shape. */
export function addShape(shape: XmlElement, builder: DocumentBuilder, embedded: EmbeddedParts): void {
  if (shape.name !== 'graphicFrame') {
    addText(shape, builder);
    for (const picture of descendants(descendant(shape, 'blipFill') ?? descendant(shape, 'spPr'), 'blip'))
      embedded.add(picture);
    return;
  }
  const table = descendants(shape, 'tbl').next().value;
  if (table) addGrid(tableRows(table), 1, builder);
  const data = descendant(shape, 'graphic', 'graphicData');
  for (const child of childElements(data)) {
    if (isEmbedded(child)) embedded.add(child);
  }
}

/** The texts of shapes that a layout or master shows on its slides: those that are no placeholders. */
export function fixedTexts(tree: XmlElement | undefined): string[] {
  const shapes = [...descendants(tree, 'sp')];
  return shapes
    .filter((shape) => placeholderOf(shape) === undefined && !isHiddenShape(shape))
    .map((shape) => paragraphsOf(shape).join('\n').trim())
    .filter((text) => text !== '');
}

/** The speaker notes of a notes page. */
export function notesText(tree: XmlElement): string {
  return shapesOf(tree)
    .filter((shape) => typeOf(shape) === 'body')
    .flatMap(paragraphsOf)
    .join('\n');
}

function addText(shape: XmlElement, builder: DocumentBuilder): void {
  const paragraphs = paragraphsOf(shape).filter((text) => text.trim() !== '');
  // Body placeholders are bullet lists; the bullets are defined in the layout and not in the text.
  const isList = paragraphs.length > 1 && ['body', 'obj', ''].includes(typeOf(shape));
  builder.block(isList ? 'list' : 'paragraph', paragraphs.join('\n'));
}

/** The shapes and groups of a tree. The shapes of a group without a place of its own are those of the tree. */
function shapesOf(tree: XmlElement): XmlElement[] {
  return childElements(tree)
    .filter(({ name }) => ['sp', 'pic', 'graphicFrame', 'cxnSp', 'grpSp'].includes(name))
    .flatMap((shape) => {
      const box = ownBox(shape);
      const isPlaced = box !== undefined && box.right > box.left;
      return shape.name !== 'grpSp' || isPlaced || isHiddenShape(shape) ? [shape] : shapesOf(shape);
    });
}

/** @param isRightToLeft whether columns are read from the right */
function ordered(
  shapes: readonly XmlElement[],
  boxes: PlaceholderBoxes,
  isRightToLeft: boolean,
): XmlElement[] {
  const placed: Placed<XmlElement[]>[] = [];
  const unplaced: XmlElement[] = [];
  for (const shape of shapes) {
    const placeholder = placeholderOf(shape);
    const box = ownBox(shape) ?? (placeholder === undefined ? undefined : boxes.of(placeholder));
    if (box === undefined) (placed.at(-1)?.item ?? unplaced).push(shape);
    else placed.push({ item: [shape], box });
  }
  return [...unplaced, ...positionOrder(placed, isRightToLeft).flat()].flatMap((shape) =>
    shape.name === 'grpSp' && !isHiddenShape(shape)
      ? ordered(shapesOf(shape), boxes, isRightToLeft)
      : [shape],
  );
}

/** The type of a placeholder; `''` for other shapes. */
function typeOf(shape: XmlElement): string {
  return placeholderOf(shape)?.type ?? '';
}

function paragraphsOf(shape: XmlElement): string[] {
  const body = childElements(shape, 'txBody')[0];
  return body === undefined ? [] : drawingParagraphs(body);
}

/** The file has empty cells where a merge covers them (21.1.3.16). */
function tableRows(table: XmlElement): GridCell[][] {
  return childElements(table, 'tr').map((row) =>
    childElements(row, 'tc').map((cell): GridCell => {
      if (isOn(cell.attributes['hMerge'] ?? '0')) return LEFT;
      return isOn(cell.attributes['vMerge'] ?? '0') ? ABOVE : paragraphsOf(cell).join(' ');
    }),
  );
}

/** A placeholder: its type, by default `obj` (ECMA-376 Part 1, 19.3.1.36), and the index that its layout gives it. */
interface Placeholder {
  readonly type: string;
  readonly index: string;
}

/** Placeholders of a layout that take their place from one of another type in the master. */
const MASTER_TYPES: Readonly<Record<string, string>> = { ctrTitle: 'title', subTitle: 'body', obj: 'body' };

function placeholderOf(shape: XmlElement): Placeholder | undefined {
  const element = descendants(shape, 'ph').next().value;
  if (!element) return undefined;
  const { type = 'obj', idx: index = '0' } = element.attributes;
  return { type, index };
}

/** The box of a shape or group by its own transform; undefined for placeholders that inherit it. */
function ownBox(shape: XmlElement): Box | undefined {
  const properties = childElements(shape).find(({ name }) => name === 'spPr' || name === 'grpSpPr');
  const transform = descendant(properties, 'xfrm') ?? descendant(shape, 'xfrm');
  const offset = descendant(transform, 'off')?.attributes;
  const extent = descendant(transform, 'ext')?.attributes;
  if (offset === undefined || extent === undefined) return undefined;
  const [left, top] = [Number(offset['x']), Number(offset['y'])];
  const [width, height] = [Number(extent['cx']), Number(extent['cy'])];
  if (![left, top, width, height].every(Number.isFinite)) return undefined;
  return { left, top, right: left + width, bottom: top + height };
}

/** The places of placeholders that do not have one of their own: those of the layout, else of the master. */
export class PlaceholderBoxes {
  private readonly layout: readonly (readonly [Placeholder, Box])[];
  private readonly master: readonly (readonly [Placeholder, Box])[];

  /** @param trees the shape trees of layout and master */
  constructor(layout: XmlElement | undefined, master: XmlElement | undefined) {
    this.master = placed(master);
    this.layout = placed(layout, (placeholder) => this.inMaster(placeholder));
  }

  of(placeholder: Placeholder): Box | undefined {
    const { type, index } = placeholder;
    const inLayout =
      this.layout.find(([other]) => other.index === index && (index !== '0' || other.type === type)) ??
      this.layout.find(([other]) => other.type === type);
    return inLayout?.[1] ?? this.inMaster(placeholder);
  }

  private inMaster({ type }: Placeholder): Box | undefined {
    const wanted = MASTER_TYPES[type] ?? type;
    return this.master.find(([other]) => other.type === wanted)?.[1];
  }
}

function placed(
  tree: XmlElement | undefined,
  inherited: (placeholder: Placeholder) => Box | undefined = () => undefined,
): (readonly [Placeholder, Box])[] {
  return [...descendants(tree, 'sp')].flatMap((shape) => {
    const placeholder = placeholderOf(shape);
    const box = placeholder === undefined ? undefined : (ownBox(shape) ?? inherited(placeholder));
    return placeholder === undefined || box === undefined ? [] : [[placeholder, box] as const];
  });
}

/** A rectangle, in any unit, with the origin at the top left. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Placed<T> {
  readonly item: T;
  readonly box: Box;
}

/** The share of its length by which a box may overlap the next one, and is still beside or below it. */
const OVERLAP = 0.1;

/** The time to cut is quadratic, and no person looks at so many shapes. */
const MAX_CUT_BOXES = 500;

/** Gaps that differ by less than this share are equal. */
const EQUAL = 0.05;

/**
 * Sorts boxes as people read them: the area is cut at its widest gap, between rows or between columns, and each part is
 * sorted in the same way. Boxes that no gap separates, and too many boxes, are read from top to bottom. At equal gaps, rows
 * come first.
 *
 * @param isRightToLeft whether columns are read from the right
 */
export function positionOrder<T>(boxes: readonly Placed<T>[], isRightToLeft: boolean): T[] {
  if (boxes.length > MAX_CUT_BOXES) return byTop(boxes, isRightToLeft).map(({ item }) => item);
  const columns = widestGap(boxes, 'left', 'right');
  const rows = widestGap(boxes, 'top', 'bottom');
  const isColumns = columns !== null && (rows === null || columns.width > rows.width * (1 + EQUAL));
  const cut = isColumns ? columns : rows;
  if (cut === null) return byTop(boxes, isRightToLeft).map(({ item }) => item);
  const parts = isColumns && isRightToLeft ? [cut.after, cut.before] : [cut.before, cut.after];
  return parts.flatMap((part) => positionOrder(part, isRightToLeft));
}

interface Cut<T> {
  readonly width: number;
  readonly before: Placed<T>[];
  readonly after: Placed<T>[];
}

/** The widest gap that no box crosses in a direction. */
function widestGap<T>(
  boxes: readonly Placed<T>[],
  from: 'left' | 'top',
  to: 'right' | 'bottom',
): Cut<T> | null {
  const sorted = boxes.toSorted((a, b) => a.box[from] - b.box[from]);
  const reach = ({ box }: Placed<T>): number => box[to] - (box[to] - box[from]) * OVERLAP;
  let best: { index: number; width: number } | null = null;
  let crossed = Number.NEGATIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const [index, placed] of sorted.entries()) {
    const width = placed.box[from] - end;
    if (index > 0 && placed.box[from] >= crossed && (best === null || width > best.width))
      best = { index, width };
    crossed = Math.max(crossed, reach(placed));
    end = Math.max(end, placed.box[to]);
  }
  if (best === null) return null;
  return { width: best.width, before: sorted.slice(0, best.index), after: sorted.slice(best.index) };
}

function byTop<T>(boxes: readonly Placed<T>[], isRightToLeft: boolean): Placed<T>[] {
  const side = (box: Box): number => (isRightToLeft ? -box.right : box.left);
  return boxes.toSorted((a, b) => a.box.top - b.box.top || side(a.box) - side(b.box));
}

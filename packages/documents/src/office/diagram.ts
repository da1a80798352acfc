import type { DocumentBuilder } from '../document/document-builder.js';
import { childElements, descendant, type XmlElement } from '../xml/xml-tree.js';
import { drawingText } from './drawing-text.js';

/** As of a chart: what comes after them in the file is left out. */
const MAX_POINTS = 10_000;
/** Deeper ones would be more white space than text. */
const MAX_INDENTS = 8;

interface Point {
  readonly id: string | undefined;
  /** `''` of the point that stands for the whole diagram, and of shapes without text. */
  readonly text: string;
  readonly isDiagram: boolean;
  readonly children: { readonly order: number; readonly point: Point }[];
}

/**
 * Adds a diagram (SmartArt) as one list, its points nested as they hang together (ECMA-376 Part 1, 21.4). Points that
 * stand for the look of the diagram or for the lines between points are left out; so are texts that wait to be typed.
 *
 * @param model the element `dataModel`
 */
export function addDiagram(model: XmlElement, builder: DocumentBuilder): void {
  builder.block('list', treeLines(pointsOf(model)).join('\n'));
}

/** Points in the order of the file, tied to each other; ties to what is no point of the content are dropped. */
function pointsOf(model: XmlElement): Point[] {
  const list = descendant(model, 'ptLst');
  const points: Point[] = [];
  for (const element of list === undefined ? [] : childElements(list, 'pt')) {
    const { modelId: id, type = 'node' } = element.attributes;
    if (!['doc', 'node', 'asst'].includes(type)) continue;
    if (points.length === MAX_POINTS) break;
    const body = descendant(element, 't');
    const text = body === undefined ? '' : drawingText(body);
    points.push({ id, text, isDiagram: type === 'doc', children: [] });
  }
  const byId = new Map(points.map((point) => [point.id, point]));
  const connections = descendant(model, 'cxnLst');
  for (const { attributes } of connections === undefined ? [] : childElements(connections, 'cxn')) {
    const { type = 'parOf', srcId, destId, srcOrd } = attributes;
    const [parent, point] = [byId.get(srcId), byId.get(destId)];
    if (type !== 'parOf' || parent === undefined || point === undefined) continue;
    parent.children.push({ order: Number(srcOrd) || 0, point });
  }
  return points;
}

/**
 * The lines of the list, each point once. What does not hang on the diagram follows in the order of the file: first
 * what hangs on nothing, then what hangs on itself.
 */
function treeLines(points: readonly Point[]): string[] {
  const hanging = new Set(points.flatMap(({ children }) => children.map(({ point }) => point)));
  const starts = [
    ...points.filter((point) => point.isDiagram),
    ...points.filter((point) => !hanging.has(point)),
    ...points,
  ];
  const lines: string[] = [];
  const written = new Set<Point>();
  const open = starts.toReversed().map((point) => ({ point, depth: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { point, depth } = next;
    if (written.has(point)) continue;
    written.add(point);
    if (point.text !== '') lines.push(`${'  '.repeat(Math.min(depth, MAX_INDENTS))}- ${point.text}`);
    const below = point.text === '' ? depth : depth + 1;
    for (const child of point.children.toSorted((a, b) => a.order - b.order).toReversed()) {
      open.push({ point: child.point, depth: below });
    }
  }
  return lines;
}

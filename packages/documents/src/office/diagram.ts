import type { DocumentBuilder } from '../document/document-builder.js';
import { childElements, descendant, type XmlElement } from '../xml/xml-tree.js';
import { drawingText, struckText } from './drawing-text.js';

/** Deeper points are not indented further: lines would be mostly white space. */
const MAX_INDENTS = 8;

interface Point {
  readonly id: string | undefined;
  /** `''` for the point of the whole diagram and for shapes without text. */
  readonly text: string;
  readonly isDiagram: boolean;
  readonly children: { readonly order: number; readonly point: Point }[];
}

/**
 * Adds a diagram (SmartArt) as one list, nested by the connections of its points (ECMA-376 Part 1, 21.4).
 * Points for presentation and connectors are ignored, and so are placeholder texts.
 *
 * @param model the element `dataModel`
 */
export function addDiagram(model: XmlElement, builder: DocumentBuilder): void {
  builder.leaveOut('deleted', struckText(model)).block('list', treeLines(pointsOf(model)).join('\n'));
}

/** Content points in file order, with their children. Connections to other points are ignored. */
function pointsOf(model: XmlElement): Point[] {
  const list = descendant(model, 'ptLst');
  const points: Point[] = [];
  for (const element of childElements(list, 'pt')) {
    const { modelId: id, type = 'node' } = element.attributes;
    if (!['doc', 'node', 'asst'].includes(type)) continue;
    const body = descendant(element, 't');
    const text = body === undefined ? '' : drawingText(body);
    points.push({ id, text, isDiagram: type === 'doc', children: [] });
  }
  const byId = new Map(points.map((point) => [point.id, point]));
  const connections = descendant(model, 'cxnLst');
  for (const { attributes } of childElements(connections, 'cxn')) {
    const { type = 'parOf', srcId, destId, srcOrd } = attributes;
    const [parent, point] = [byId.get(srcId), byId.get(destId)];
    if (type !== 'parOf' || parent === undefined || point === undefined) continue;
    parent.children.push({ order: Number(srcOrd) || 0, point });
  }
  return points;
}

/**
 * The lines of the list, each point once: first the tree below the diagram, then points without parent, then
 * points in cycles, in file order.
 */
function treeLines(points: readonly Point[]): string[] {
  const childPoints = new Set(points.flatMap(({ children }) => children.map(({ point }) => point)));
  const starts = [
    ...points.filter((point) => point.isDiagram),
    ...points.filter((point) => !childPoints.has(point)),
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

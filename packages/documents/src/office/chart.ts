import type { DocumentBuilder } from '../document/document-builder.js';
import { childElements, descendant, descendants, textContent, type XmlElement } from '../xml/xml-tree.js';

const MAX_POINTS = 10_000;
const EMPTY: XmlElement = { name: '', attributes: {}, children: [] };

/**
 * Adds a chart as a caption, its kind and title, and the table of its data: categories down, series across, from the
 * values that the file keeps beside the references to its sheet (ECMA-376 21.2.2.128, 21.2.2.201).
 *
 * @param chart the element `chartSpace`
 */
export function addChart(chart: XmlElement, builder: DocumentBuilder): void {
  const title = [...descendants(descendant(chart, 'chart', 'title') ?? EMPTY, 't')].map(textContent).join('');
  const series = [...descendants(chart, 'ser')];
  const categories = points(descendant(series[0], 'cat') ?? descendant(series[0], 'xVal'));
  const columns = series.map((one) => ({
    name: points(descendant(one, 'tx')).join(' '),
    values: points(descendant(one, 'val') ?? descendant(one, 'yVal')),
  }));
  const length = Math.max(categories.length, ...columns.map((column) => column.values.length));
  const rows = Array.from({ length }, (_, index) => [
    categories[index] ?? '',
    ...columns.map((column) => column.values[index] ?? ''),
  ]);
  const kind = kindOf(chart);
  builder.block('caption', title.trim() === '' ? kind : `${kind}: ${title}`);
  builder.table([['', ...columns.map((column) => column.name)], ...rows], { headerRow: true });
}

/** `Bar chart` of an element `barChart`; what else there is in newer vocabularies is a chart all the same. */
function kindOf(chart: XmlElement): string {
  const area = descendant(chart, 'chart', 'plotArea');
  const name = (area === undefined ? [] : childElements(area)).find(({ name }) =>
    name.endsWith('Chart'),
  )?.name;
  const word = /^([a-z]+)(?:3D)?Chart$/.exec(name ?? '')?.[1];
  return word === undefined ? 'Other chart' : `${word.charAt(0).toUpperCase()}${word.slice(1)} chart`;
}

function points(element: XmlElement | undefined): string[] {
  const values: string[] = [];
  for (const point of element === undefined ? [] : descendants(element, 'pt')) {
    const index = Number(point.attributes['idx']);
    const value = childElements(point, 'v')[0];
    if (Number.isInteger(index) && index >= 0 && index < MAX_POINTS && value)
      values[index] = textContent(value);
  }
  return Array.from(values, (value) => value ?? '');
}

import { childElements, descendant, descendants, textContent, type XmlElement } from '../xml/xml-tree.js';

/**
 * The data of a chart as a table: categories down, series across, from the values that the file keeps beside the
 * references to its sheet (ECMA-376 21.2.2.128, 21.2.2.201).
 */
export function chartTable(chart: XmlElement): { title: string; rows: string[][] } {
  const title = [...descendants(descendant(chart, 'chart', 'title') ?? EMPTY, 't')].map(textContent).join('');
  const series = [...descendants(chart, 'ser')];
  const categories = points(descendant(series[0], 'cat') ?? descendant(series[0], 'xVal'));
  const columns = series.map((one) => ({
    name: points(descendant(one, 'tx')).join(' '),
    values: points(descendant(one, 'val') ?? descendant(one, 'yVal')),
  }));
  const length = Math.min(
    MAX_POINTS,
    Math.max(categories.length, ...columns.map((column) => column.values.length)),
  );
  const rows = Array.from({ length }, (_, index) => [
    categories[index] ?? '',
    ...columns.map((column) => column.values[index] ?? ''),
  ]);
  return { title, rows: [['', ...columns.map((column) => column.name)], ...rows] };
}

const EMPTY: XmlElement = { name: '', attributes: {}, children: [] };
const MAX_POINTS = 10_000;

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

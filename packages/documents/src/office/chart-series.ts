import { childElements, descendant, descendants, textContent, type XmlElement } from '../xml/xml-tree.js';

const MAX_POINTS = 10_000;
/** Programs draw no more of them in one chart. */
const MAX_SERIES = 255;
const MAX_LEVELS = 8;

/** A row of values of a chart, as the file keeps them beside the references to its sheet. */
export interface ChartSeries {
  readonly name: string;
  /** The names of what is counted, or the first coordinates of points. */
  readonly categories: readonly string[];
  /** Whether the categories are coordinates: those of a series are its own, names are the chart's. */
  readonly isPlotted: boolean;
  readonly values: readonly string[];
}

/** The series of a chart (ECMA-376 Part 1, 21.2): the first 255, the first 10,000 points of each. */
export function seriesOf(chart: XmlElement): ChartSeries[] {
  return [...descendants(chart, 'ser')].slice(0, MAX_SERIES).map((series) => {
    const coordinates = descendant(series, 'xVal');
    return {
      name: cachedText(descendant(series, 'tx')),
      categories: categories(descendant(series, 'cat') ?? coordinates),
      isPlotted: coordinates !== undefined,
      values: points(descendant(series, 'val') ?? descendant(series, 'yVal')),
    };
  });
}

/** The text of a title or name that is a reference to cells, or is given as it is (21.2.2.214). */
export function cachedText(text: XmlElement | undefined): string {
  const literal = descendant(text, 'v');
  return literal === undefined
    ? points(text)
        .filter((line) => line !== '')
        .join(' ')
    : textContent(literal);
}

/** Names of several levels are written in one, the outer first: `2024, May`. */
function categories(element: XmlElement | undefined): string[] {
  const levels = element === undefined ? [] : [...descendants(element, 'lvl')].slice(0, MAX_LEVELS);
  if (levels.length === 0) return points(element);
  const names = levels.map(points).toReversed();
  const length = Math.max(...names.map((level) => level.length));
  const current: string[] = [];
  return Array.from({ length }, (_, index) => {
    for (const [depth, level] of names.entries()) {
      const name = level[index] ?? '';
      // An outer name stands once, at the first of those that it is the name of.
      if (name !== '' || depth === names.length - 1) current[depth] = name;
    }
    return current.filter((name) => name !== '').join(', ');
  });
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

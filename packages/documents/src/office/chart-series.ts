import { childElements, descendant, descendants, textContent, type XmlElement } from '../xml/xml-tree.js';

const MAX_POINTS = 10_000;
/** Programs draw no more of them in one chart. */
const MAX_SERIES = 255;
const MAX_LEVELS = 8;
/** Of one name or value: names of several levels, and those of columns, are written over and over. */
const MAX_TEXT_CHARACTERS = 500;

/** Texts by index, in ascending order; only those that say something. */
export type Points = ReadonlyMap<number, string>;

/** A row of values of a chart, as the file keeps them beside the references to its sheet. */
export interface ChartSeries {
  readonly name: string;
  /** The names of what is counted, or the first coordinates of points: their levels, the outer first. */
  readonly categories: readonly Points[];
  /** Whether the categories are coordinates: a series without names takes those of the chart, a plotted one does not. */
  readonly isPlotted: boolean;
  readonly values: Points;
}

/** The series of a chart (ECMA-376 Part 1, 21.2): the first 255, the first 10,000 points of each, texts cut at 500. */
export function seriesOf(chart: XmlElement): ChartSeries[] {
  return [...descendants(chart, 'ser')].slice(0, MAX_SERIES).map((series) => {
    const [coordinates, heights] = [descendant(series, 'xVal'), descendant(series, 'yVal')];
    return {
      name: cachedText(descendant(series, 'tx')),
      categories: categories(descendant(series, 'cat') ?? coordinates),
      isPlotted: coordinates !== undefined || heights !== undefined,
      values: points(descendant(series, 'val') ?? heights),
    };
  });
}

/** The text of a title or name that is a reference to cells, or is given as it is (21.2.2.214). */
export function cachedText(text: XmlElement | undefined): string {
  const literal = descendant(text, 'v');
  return cutText(literal === undefined ? [...points(text).values()].join(' ') : textContent(literal));
}

/** The first 500 characters. */
export function cutText(text: string): string {
  return text.slice(0, MAX_TEXT_CHARACTERS).toWellFormed();
}

function categories(element: XmlElement | undefined): Points[] {
  const levels = element === undefined ? [] : [...descendants(element, 'lvl')].slice(0, MAX_LEVELS);
  const names = levels.length === 0 ? [points(element)] : levels.map(points).toReversed();
  return names.some((level) => level.size > 0) ? names : [];
}

function points(element: XmlElement | undefined): Points {
  const values: [index: number, text: string][] = [];
  for (const point of element === undefined ? [] : descendants(element, 'pt')) {
    const index = Number(point.attributes['idx']);
    const value = childElements(point, 'v')[0];
    const text = value === undefined ? '' : cutText(textContent(value));
    if (Number.isInteger(index) && index >= 0 && index < MAX_POINTS && text !== '')
      values.push([index, text]);
  }
  return new Map(values.toSorted(([a], [b]) => a - b));
}

import { childElements, descendant, descendants, textContent, type XmlElement } from '../xml/xml-tree.js';

const MAX_POINTS = 10_000;
/** The limit of Excel. */
const MAX_SERIES = 255;
const MAX_LEVELS = 8;
/** Limit of one name or value, because names of levels and columns are repeated. */
const MAX_TEXT_CHARACTERS = 500;

/** Non-empty texts by index, in ascending order. */
export type Points = ReadonlyMap<number, string>;

/** A series of a chart with its cached values, which the file has in addition to references to a sheet. */
export interface ChartSeries {
  readonly name: string;
  /** Category names by level, outermost first, or the x coordinates of a plot. */
  readonly categories: readonly Points[];
  /** Whether the categories are coordinates. Other series without categories use those of the chart. */
  readonly isPlotted: boolean;
  readonly values: Points;
}

/**
 * The series of a chart (ECMA-376 Part 1, 21.2): the first 255 with their first 10,000 points. Texts are
 * truncated to 500 characters.
 */
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

/** The text of a title or name: a literal, or the cached text of a cell reference (21.2.2.214). */
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

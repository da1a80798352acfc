import { childElements, descendant, descendants, textContent, type XmlElement } from '../xml/xml-tree.js';
import { ChartFormats } from './chart-formats.js';

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
  const formats = new ChartFormats(chart);
  return [...descendants(chart, 'ser')].slice(0, MAX_SERIES).map((series) => {
    const [coordinates, heights] = [descendant(series, 'xVal'), descendant(series, 'yVal')];
    return {
      name: cachedText(descendant(series, 'tx')),
      categories: categories(descendant(series, 'cat') ?? coordinates, (cache) =>
        formats.ofCategories(cache),
      ),
      isPlotted: coordinates !== undefined || heights !== undefined,
      values: points(descendant(series, 'val') ?? heights, (cache) => formats.ofValues(cache, series)),
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

/** Shows a number of a cache. @param own the format code of a single point */
type FormatOf = (cache: XmlElement) => (value: string, own: string | undefined) => string;

function categories(element: XmlElement | undefined, formatOf: FormatOf): Points[] {
  const levels = element === undefined ? [] : [...descendants(element, 'lvl')].slice(0, MAX_LEVELS);
  const names =
    levels.length === 0
      ? [points(element, formatOf)]
      : levels.map((level) => points(level, formatOf)).toReversed();
  return names.some((level) => level.size > 0) ? names : [];
}

function points(element: XmlElement | undefined, formatOf?: FormatOf): Points {
  const values: [index: number, text: string][] = [];
  const cache = element === undefined ? undefined : numberCache(element);
  const format = cache === undefined ? undefined : formatOf?.(cache);
  for (const point of element === undefined ? [] : descendants(element, 'pt')) {
    const index = Number(point.attributes['idx']);
    const value = childElements(point, 'v')[0];
    const stored = value === undefined ? '' : textContent(value);
    const text = cutText(format?.(stored, point.attributes['formatCode']) ?? stored);
    if (Number.isInteger(index) && index >= 0 && index < MAX_POINTS && text !== '')
      values.push([index, text]);
  }
  return new Map(values.toSorted(([a], [b]) => a - b));
}

/** The numbers of a cell reference, or literal ones. Other data are texts. */
function numberCache(element: XmlElement): XmlElement | undefined {
  return descendant(element, 'numRef', 'numCache') ?? descendant(element, 'numLit');
}

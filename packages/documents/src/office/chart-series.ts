import { childElements, descendant, descendants, textContent, type XmlElement } from '../xml/xml-tree.js';
import { type NumberFormat, numberFormat } from './number-format.js';

const GENERAL_FORMAT = 'General';
const DATE_FORMAT = 'yyyy-mm-dd';

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

type ShowValue = (value: string, own: string | undefined) => string;

/**
 * The formats of the numbers of a chart (ECMA-376 Part 1, 21.2.2.71): that of the point or of the cells, else that of data
 * labels or of the axis.
 */
class ChartFormats {
  private readonly startsIn1904: boolean;
  private readonly formats = new Map<string, NumberFormat>();

  /** @param chart the element `chartSpace` */
  constructor(private readonly chart: XmlElement) {
    const flag = descendant(chart, 'date1904');
    this.startsIn1904 = flag !== undefined && !['0', 'false'].includes(flag.attributes['val'] ?? '1');
  }

  /** Categories of an axis of dates are dates, even without a format. */
  ofCategories(cache: XmlElement): ShowValue {
    const [axis] = descendants(this.chart, 'dateAx');
    return this.show(
      cellCode(cache) ?? (axis === undefined ? GENERAL_FORMAT : (ownCode(axis) ?? DATE_FORMAT)),
    );
  }

  ofValues(cache: XmlElement, series: XmlElement): ShowValue {
    const labels = childElements(series, 'dLbls')[0];
    const axes = [...descendants(this.chart, 'valAx')].filter((axis) => !this.isHorizontal(axis));
    return this.show(cellCode(cache) ?? ownCode(labels) ?? ownCode(axes[0]) ?? GENERAL_FORMAT);
  }

  /** Whether an axis of values is that of the x coordinates of a plot, which comes first. */
  private isHorizontal(axis: XmlElement): boolean {
    const all = [...descendants(this.chart, 'valAx')];
    return all.length > 1 && descendants(this.chart, 'xVal').next().done === false && axis === all[0];
  }

  private show(code: string): ShowValue {
    return (value, own = code) => {
      const number = Number(value);
      if (value.trim() === '' || !Number.isFinite(number)) return value;
      // A format that hides a number hides a label, but not the bar.
      return this.formatOf(own).showNumber(number) || value;
    };
  }

  private formatOf(code: string): NumberFormat {
    const known = this.formats.get(code);
    if (known !== undefined) return known;
    const format = numberFormat(code, this.startsIn1904);
    this.formats.set(code, format);
    return format;
  }
}

function cellCode(cache: XmlElement): string | undefined {
  const element = descendant(cache, 'formatCode');
  return element === undefined ? undefined : knownCode(textContent(element));
}

/** The format code of an axis or of labels, unless it is that of the cells. */
function ownCode(element: XmlElement | undefined): string | undefined {
  const format = descendant(element, 'numFmt');
  return format === undefined ? undefined : knownCode(format.attributes['formatCode']);
}

function knownCode(code: string | undefined): string | undefined {
  return ['', 'general'].includes(code?.trim().toLowerCase() ?? '') ? undefined : code;
}

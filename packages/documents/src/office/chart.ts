import type { DocumentBuilder } from '../document/document-builder.js';
import {
  childElements,
  childText,
  descendant,
  descendants,
  hasFlag,
  type XmlElement,
} from '../xml/xml-tree.js';
import { drawingText } from './drawing-text.js';
import { type NumberFormat, numberFormat } from './number-format.js';

const AXES = new Set(['catAx', 'dateAx', 'valAx', 'serAx']);

/**
 * Adds a chart as a caption with its kind and titles, and its data as tables (see {@link chartTables}), from
 * the values cached in the file (ECMA-376 Part 1, 21.2). The title of the category axis is the header of the
 * category column.
 *
 * @param chart the element `chartSpace`
 * @returns whether all data were added: the kinds since 2016, such as waterfalls, have none of this kind
 */
export function addChart(chart: XmlElement, builder: DocumentBuilder): boolean {
  const { category, otherTitles } = axisTitles(chart);
  const series = seriesOf(chart);
  const caption = captionOf(chart, series.length === 0 ? [category, ...otherTitles] : otherTitles);
  if (series.length > 0 || caption !== kindOf(chart)) builder.block('caption', caption);
  let characters = 0;
  for (const rows of chartTables(category, series)) {
    const added: string[][] = [];
    for (const row of rows) {
      characters += row.join('').length;
      if (characters > MAX_CHARACTERS) break;
      added.push(row);
    }
    builder.table(added, { headerRow: true });
    if (characters > MAX_CHARACTERS) return false;
  }
  return series.length > 0;
}

/**
 * Formats a caption such as `Bar chart: Sales (Quarter; Million euros)`.
 *
 * @param axes the titles of the axes
 */
function captionOf(chart: XmlElement, axes: readonly string[]): string {
  const title = titleOf(descendant(chart, 'chart'));
  const titles = axes.filter((axis) => axis !== '').join('; ');
  return `${kindOf(chart)}${title && `: ${title}`}${titles && ` (${titles})`}`;
}

/**
 * Titles of the axes. The category axis is that of category or date type, else the first one the data refers
 * to.
 */
function axisTitles(chart: XmlElement): {
  readonly category: string;
  readonly otherTitles: readonly string[];
} {
  const area = descendant(chart, 'chart', 'plotArea');
  const axes = childElements(area).filter(({ name }) => AXES.has(name));
  const first = descendant(plotOf(chart), 'axId')?.attributes['val'];
  const category =
    axes.find(({ name }) => name === 'catAx' || name === 'dateAx') ??
    axes.find((axis) => first !== undefined && descendant(axis, 'axId')?.attributes['val'] === first);
  return {
    category: titleOf(category),
    otherTitles: axes.filter((axis) => axis !== category).map(titleOf),
  };
}

/** The title of a chart or an axis: typed text or a reference to cells. */
function titleOf(element: XmlElement | undefined): string {
  const title = descendant(element, 'title');
  if (title === undefined) return '';
  return drawingText(title) || cachedText(descendant(title, 'tx')).trim();
}

/** `Bar chart` for an element `barChart`; `Other chart` for unknown elements of newer vocabularies. */
function kindOf(chart: XmlElement): string {
  const word = /^([a-z]+)(?:3D)?Chart$/.exec(plotOf(chart)?.name ?? '')?.[1];
  return word === undefined ? 'Other chart' : `${word.charAt(0).toUpperCase()}${word.slice(1)} chart`;
}

function plotOf(chart: XmlElement): XmlElement | undefined {
  const area = descendant(chart, 'chart', 'plotArea');
  return childElements(area).find(({ name }) => name.endsWith('Chart'));
}

/**
 * Converts the data of a chart into tables with one row per category and one column per series. Series with
 * equal categories share a table; series without categories use the first ones of the chart. Empty rows are
 * omitted.
 *
 * @param category title of the category column
 */
export function chartTables(category: string, series: readonly ChartSeries[]): Iterable<string[]>[] {
  const named = series.find(({ isPlotted, categories }) => !isPlotted && categories.length > 0);
  const keyOf = (categories: readonly Points[] = []): string =>
    JSON.stringify(categories.map((level) => [...level]));
  const common = keyOf(named?.categories);
  const groups = Map.groupBy(series, ({ isPlotted, categories }) =>
    isPlotted || categories.length > 0 ? keyOf(categories) : common,
  );
  return Array.from(groups.values(), (group) => rowsOf(category, group));
}

function* rowsOf(category: string, series: readonly ChartSeries[]): Generator<string[]> {
  const levels = series.find(({ categories }) => categories.length > 0)?.categories ?? [];
  const columns = [...levels, ...series.map(({ values }) => values)];
  const indices = new Set(columns.flatMap((points) => [...points.keys()]));
  const nameAt = namesOf(levels);
  yield [category, ...series.map(({ name }) => name)];
  for (const index of [...indices].toSorted((a, b) => a - b)) {
    yield [nameAt(index), ...series.map(({ values }) => values.get(index) ?? '')];
  }
}

/**
 * Joins the names of all levels, outermost first: `2024, May`.
 *
 * @returns a function to call with ascending indices
 */
function namesOf(levels: readonly Points[]): (index: number) => string {
  const current: string[] = [];
  return (index) => {
    for (const [depth, level] of levels.entries()) {
      const name = level.get(index) ?? '';
      if (depth === levels.length - 1) current[depth] = name;
      // An outer name is given only at its first category. A new one ends the names of the levels below.
      else if (name !== '' && name !== current[depth]) {
        current.length = depth;
        current[depth] = name;
      }
    }
    return current.filter((name) => name !== '').join(', ');
  };
}

const GENERAL_FORMAT = 'General';
const DATE_FORMAT = 'yyyy-mm-dd';

/** Rows that follow so much text are not added, because each can repeat long names of outer categories. */
const MAX_CHARACTERS = 5_000_000;
/** The limit of Excel. */
const MAX_SERIES = 255;
const MAX_LEVELS = 8;

/** Non-empty texts by index, in ascending order. */
type Points = ReadonlyMap<number, string>;

/** A series of a chart with its cached values, which the file has in addition to references to a sheet. */
interface ChartSeries {
  readonly name: string;
  /** Category names by level, outermost first, or the x coordinates of a plot. */
  readonly categories: readonly Points[];
  /** Whether the categories are coordinates. Other series without categories use those of the chart. */
  readonly isPlotted: boolean;
  readonly values: Points;
}

/** The first 255 series of a chart (ECMA-376 Part 1, 21.2). */
export function seriesOf(chart: XmlElement): ChartSeries[] {
  const startsIn1904 = hasFlag(chart, 'date1904');
  const [dates] = descendants(chart, 'dateAx');
  // Categories of an axis of dates are dates, even without a format.
  const dateCode = dates === undefined ? undefined : (ownCode(dates) ?? DATE_FORMAT);
  return [...descendants(chart, 'ser')].slice(0, MAX_SERIES).map((series) => {
    const [coordinates, heights] = [descendant(series, 'xVal'), descendant(series, 'yVal')];
    return {
      name: cachedText(descendant(series, 'tx')),
      categories: categories(descendant(series, 'cat') ?? coordinates, { startsIn1904, code: dateCode }),
      isPlotted: coordinates !== undefined || heights !== undefined,
      values: points(descendant(series, 'val') ?? heights, {
        startsIn1904,
        code: ownCode(descendant(series, 'dLbls')),
      }),
    };
  });
}

/** The text of a title or name: a literal, or the cached text of a cell reference (21.2.2.214). */
function cachedText(text: XmlElement | undefined): string {
  return childText(text, 'v') ?? [...points(text).values()].join(' ');
}

/** How the numbers of a series are shown (ECMA-376 Part 1, 21.2.2.71): by the format of the point or the cells, else by `code`. */
interface Shown {
  readonly startsIn1904: boolean;
  readonly code: string | undefined;
}

function categories(element: XmlElement | undefined, shown: Shown): Points[] {
  const levels = [...descendants(element, 'lvl')].slice(0, MAX_LEVELS);
  const names =
    levels.length === 0 ? [points(element, shown)] : levels.map((level) => points(level)).toReversed();
  return names.some((level) => level.size > 0) ? names : [];
}

function points(element: XmlElement | undefined, shown?: Shown): Points {
  const values: [index: number, text: string][] = [];
  const cache = element === undefined ? undefined : numberCache(element);
  const code = knownCode(childText(cache, 'formatCode')) ?? shown?.code ?? GENERAL_FORMAT;
  const common = numberFormat(code, shown?.startsIn1904);
  for (const point of descendants(element, 'pt')) {
    const index = Number(point.attributes['idx']);
    const stored = childText(point, 'v') ?? '';
    const own = point.attributes['formatCode'];
    const format = own === undefined ? common : numberFormat(own, shown?.startsIn1904);
    const text = cache === undefined || shown === undefined ? stored : numberText(stored, format);
    if (Number.isInteger(index) && index >= 0 && text !== '') values.push([index, text]);
  }
  return new Map(values.toSorted(([a], [b]) => a - b));
}

function numberText(value: string, format: NumberFormat): string {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) return value;
  // A format that hides a number hides a label, but not the bar.
  return format.showNumber(number) || value;
}

/** The numbers of a cell reference, or literal ones. Other data are texts. */
function numberCache(element: XmlElement): XmlElement | undefined {
  return descendant(element, 'numRef', 'numCache') ?? descendant(element, 'numLit');
}

/** The format code of an axis or of labels, unless it is that of the cells. */
function ownCode(element: XmlElement | undefined): string | undefined {
  return knownCode(descendant(element, 'numFmt')?.attributes['formatCode']);
}

function knownCode(code: string | undefined): string | undefined {
  return ['', 'general'].includes(code?.trim().toLowerCase() ?? '') ? undefined : code;
}

import { createHash } from 'node:crypto';
import type { DocumentBuilder } from '../document/document-builder.js';
import { childElements, descendant, type XmlElement } from '../xml/xml-tree.js';
import { cachedText, type ChartSeries, cutText, type Points, seriesOf } from './chart-series.js';
import { drawingText } from './drawing-text.js';

// Limits of all tables of a chart together, including empty cells.
const MAX_TABLE_CELLS = 100_000;

const MAX_TABLE_CHARACTERS = 1_000_000;

const AXES = new Set(['catAx', 'dateAx', 'valAx', 'serAx']);

/**
 * Adds a chart as a caption with its kind and titles, and its data as tables (see {@link chartTables}), from
 * the values cached in the file (ECMA-376 Part 1, 21.2). The title of the category axis is the header of the
 * category column.
 *
 * @param chart the element `chartSpace`
 */
export function addChart(chart: XmlElement, builder: DocumentBuilder): void {
  const { category, otherTitles } = axisTitles(chart);
  const tables = chartTables(category, seriesOf(chart));
  if (tables.length === 0) addChartTitles(chart, builder);
  else builder.block('caption', captionOf(chart, otherTitles));
  for (const rows of tables) builder.table(rows, { headerRow: true });
}

/** Adds the titles of a chart as a caption; nothing when it has no titles. */
export function addChartTitles(chart: XmlElement, builder: DocumentBuilder): void {
  const { category, otherTitles } = axisTitles(chart);
  const caption = captionOf(chart, [category, ...otherTitles]);
  if (caption !== kindOf(chart)) builder.block('caption', caption);
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
  const axes = (area === undefined ? [] : childElements(area)).filter(({ name }) => AXES.has(name));
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
  return (area === undefined ? [] : childElements(area)).find(({ name }) => name.endsWith('Chart'));
}

/**
 * Converts the data of a chart into tables with one row per category and one column per series. Series with
 * equal categories share a table; series without categories use the first ones of the chart. Empty rows are
 * omitted, and so are rows beyond 100,000 cells or 1,000,000 characters in total.
 *
 * @param category title of the category column
 */
export function chartTables(category: string, series: readonly ChartSeries[]): string[][][] {
  const named = series.find(({ isPlotted, categories }) => !isPlotted && categories.length > 0);
  const groups = Map.groupBy(series, (item) =>
    categoriesDigest(
      item.isPlotted || item.categories.length > 0 ? item.categories : (named?.categories ?? []),
    ),
  );
  const title = cutText(category);
  let cells = 0;
  let characters = 0;
  const fits = (row: readonly string[]): boolean => {
    cells += row.length;
    for (const cell of row) characters += cell.length;
    return cells <= MAX_TABLE_CELLS && characters <= MAX_TABLE_CHARACTERS;
  };
  return [...groups.values()].map((group) => {
    const rows: string[][] = [];
    for (const row of rowsOf(title, group)) {
      if (!fits(row)) break;
      rows.push(row);
    }
    return rows;
  });
}

/** A short key that is equal for equal categories. */
function categoriesDigest(categories: readonly Points[]): string {
  const hash = createHash('sha256');
  for (const level of categories) hash.update(JSON.stringify([...level]));
  return hash.digest('base64');
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
    return cutText(current.filter((name) => name !== '').join(', '));
  };
}

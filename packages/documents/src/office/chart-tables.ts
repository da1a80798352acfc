import { createHash } from 'node:crypto';
import { type ChartSeries, cutText, type Points } from './chart-series.js';

// Limits of all tables of a chart together, including empty cells.
const MAX_CELLS = 100_000;
const MAX_CHARACTERS = 1_000_000;

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
    digest(item.isPlotted || item.categories.length > 0 ? item.categories : (named?.categories ?? [])),
  );
  const title = cutText(category);
  let cells = 0;
  let characters = 0;
  const fits = (row: readonly string[]): boolean => {
    cells += row.length;
    for (const cell of row) characters += cell.length;
    return cells <= MAX_CELLS && characters <= MAX_CHARACTERS;
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
function digest(categories: readonly Points[]): string {
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

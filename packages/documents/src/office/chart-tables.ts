import { createHash } from 'node:crypto';
import { type ChartSeries, cutText, type Points } from './chart-series.js';

/** Of all tables of a chart, empty cells too. */
const MAX_CELLS = 100_000;
const MAX_CHARACTERS = 1_000_000;

/**
 * The data of a chart as the rows of its tables: categories down, series across, the names of both first. Series are in
 * one table where their categories are equal; those without names take the first names of the chart. Indices without
 * anything have no row, and rows beyond 100,000 cells or 1,000,000 characters are left out.
 *
 * @param category what the categories are
 */
export function chartTables(category: string, series: readonly ChartSeries[]): string[][][] {
  const named = series.find(({ isPlotted, categories }) => !isPlotted && categories.length > 0);
  const groups = Map.groupBy(series, (one) =>
    digest(one.isPlotted || one.categories.length > 0 ? one.categories : (named?.categories ?? [])),
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

/** Equal for equal categories, and short however long they are. */
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
 * Names of several levels are written in one, the outer first: `2024, May`.
 *
 * @returns to be called with ascending indices
 */
function namesOf(levels: readonly Points[]): (index: number) => string {
  const current: string[] = [];
  return (index) => {
    for (const [depth, level] of levels.entries()) {
      const name = level.get(index) ?? '';
      if (depth === levels.length - 1) current[depth] = name;
      // An outer name stands once, at the first of those that it is the name of; what was below the last one has ended.
      else if (name !== '' && name !== current[depth]) {
        current.length = depth;
        current[depth] = name;
      }
    }
    return cutText(current.filter((name) => name !== '').join(', '));
  };
}

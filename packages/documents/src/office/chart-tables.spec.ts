import { describe, expect, it } from '@jest/globals';
import { chartPoints, chartSpace } from '../test-files/index.js';
import { readXmlTree } from '../xml/xml-tree.js';
import { seriesOf } from './chart-series.js';
import { chartTables } from './chart-tables.js';

const point = (index: number, text: string): string => `<c:pt idx="${index}"><c:v>${text}</c:v></c:pt>`;
const series = (names: string, values: string, name = ''): string =>
  `<c:ser><c:tx><c:v>${name}</c:v></c:tx>${names}<c:val>${values}</c:val></c:ser>`;
const cat = (...levels: string[]): string =>
  `<c:cat>${levels.map((level) => `<c:lvl>${level}</c:lvl>`).join('')}</c:cat>`;
const flat = (...names: string[]): string => `<c:cat>${chartPoints(names)}</c:cat>`;

function tables(...all: string[]): string[][][] {
  const chart = chartSpace(`<c:barChart>${all.join('')}</c:barChart>`);
  return chartTables('', seriesOf(readXmlTree(chart, 'chartSpace')));
}
const namesIn = (all: readonly string[][][]): (string | undefined)[] =>
  all.flatMap((rows) => rows.slice(1).map(([name]) => name));
const characters = (all: readonly string[][][]): number => all.flat(2).join('').length;

describe('chartTables', () => {
  it('ends an inner name where a new outer name begins', () => {
    const months = chartPoints(['Nov', 'Dec', 'Jan', 'Feb']);
    const names = cat(months, point(0, 'Q4'), point(0, '2024') + point(2, '2025'));
    const values = chartPoints(['1', '2', '3', '4']);
    expect(namesIn(tables(series(names, values)))).toEqual([
      '2024, Q4, Nov',
      '2024, Q4, Dec',
      '2025, Jan',
      '2025, Feb',
    ]);
  });

  it('continues an outer name that is repeated or has no inner name', () => {
    const names = cat(point(0, 'a'), point(0, 'In') + point(2, 'Out'), chartPoints(['X', 'X', 'X']));
    const values = chartPoints(['1', '2', '3']);
    expect(namesIn(tables(series(names, values)))).toEqual(['X, In, a', 'X, In', 'X, Out']);
  });

  it('writes series with different categories into separate tables', () => {
    expect(
      tables(
        series('', chartPoints(['0']), 'None'),
        series(flat('Jan', 'Feb'), chartPoints(['1', '2']), 'Bars'),
        series(flat('North', 'South'), chartPoints(['3', '4']), 'Line'),
        series(flat('Jan', 'Feb'), chartPoints(['5', '6']), 'More'),
      ),
    ).toEqual([
      [
        ['', 'None', 'Bars', 'More'],
        ['Jan', '0', '1', '5'],
        ['Feb', '', '2', '6'],
      ],
      [
        ['', 'Line'],
        ['North', '3'],
        ['South', '4'],
      ],
    ]);
  });

  it('does not give category names to points without coordinates', () => {
    const plotted = `<c:ser><c:yVal>${point(0, '7')}</c:yVal></c:ser>`;
    expect(namesIn(tables(series(flat('Jan'), point(0, '1')), plotted))).toEqual(['Jan', '']);
  });

  it('omits empty rows', () => {
    const sparse = tables(...Array.from({ length: 255 }, () => series('', point(9999, '1'))));
    expect(sparse.map((rows) => rows.map((row) => row.length))).toEqual([[256, 256]]);
  });

  it('truncates names and values to 500 characters', () => {
    const long = 'x'.repeat(20_000);
    const levels = Array.from({ length: 7 }, () => point(0, long));
    const [header, row, last] =
      tables(series(cat(...levels), point(0, long) + point(9999, '1'), long))[0] ?? [];
    expect([header, row, last].map((cells) => cells?.map(({ length }) => length))).toEqual([
      [0, 500],
      [500, 500],
      [500, 1],
    ]);
  });

  it('omits rows beyond 100,000 cells and 1,000,000 characters', () => {
    const numbers = chartPoints(Array.from({ length: 1_000 }, () => '1'));
    const wide = tables(...Array.from({ length: 255 }, () => series('', numbers)));
    expect(wide[0]?.length).toBe(Math.floor(100_000 / 256));
    const long = tables(series(cat(numbers, point(0, 'x'.repeat(500))), numbers));
    const length = characters(long);
    expect(length).toBeGreaterThan(490_000);
    expect(length).toBeLessThan(510_000);
    const names = chartPoints(Array.from({ length: 3_000 }, () => 'x'.repeat(600)));
    expect(characters(tables(series(`<c:cat>${names}</c:cat>`, '')))).toBeLessThanOrEqual(1_000_000);
    const several = Array.from({ length: 4 }, (_, index) => series(flat(`${index}`), names));
    expect(characters(tables(...several))).toBeLessThanOrEqual(1_000_000);
  });

  it('compares long categories by their hash', () => {
    const long = 'x'.repeat(20_000);
    const plotted = `<c:ser><c:xVal><c:lvl>${point(0, 'a') + point(9999, 'b')}</c:lvl>${`<c:lvl>${point(0, long)}</c:lvl>`.repeat(6)}</c:xVal><c:yVal>${point(9999, '1')}</c:yVal></c:ser>`;
    const all = tables(...Array.from({ length: 20 }, () => plotted));
    expect(all.map((rows) => rows.map((row) => row.length))).toEqual([[21, 21, 21]]);
    expect(characters(all)).toBeLessThan(2_000);
  });
});

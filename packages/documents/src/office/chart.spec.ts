import { describe, expect, it } from '@jest/globals';
import { DocumentBuilder } from '../document/document-builder.js';
import { chartPoints, chartSpace } from '../test-files/index.js';
import { outline } from '../test-files/parse.js';
import { readXmlTree } from '../xml/xml-tree.js';
import { addChart, chartTables, seriesOf } from './chart.js';

const rich = (...lines: string[]): string =>
  `<c:title><c:tx><c:rich>${lines.map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`).join('')}</c:rich></c:tx></c:title>`;
const referred = (text: string): string =>
  `<c:title><c:tx><c:strRef><c:f>A1</c:f><c:strCache>${chartPoints([text])}</c:strCache></c:strRef></c:tx></c:title>`;
const name = (text: string): string =>
  `<c:tx><c:strRef><c:strCache>${chartPoints([text])}</c:strCache></c:strRef></c:tx>`;
const values = (element: string, texts: readonly string[]): string =>
  `<c:${element}><c:numRef><c:numCache>${chartPoints(texts)}</c:numCache></c:numRef></c:${element}>`;

function read(xml: string): (readonly [string, string])[] {
  const builder = new DocumentBuilder().block('paragraph', 'Before');
  addChart(readXmlTree(xml, 'chartSpace'), builder);
  return outline(builder.build()).slice(1);
}

describe('addChart', () => {
  it('writes titles including those of axes, and a row for each category', () => {
    const chart = chartSpace(
      `<c:barChart><c:ser>${name('North')}${values('cat', ['Q1', 'Q2'])}${values('val', ['1', '2'])}</c:ser>` +
        `<c:ser><c:tx><c:v>South</c:v></c:tx>${values('cat', ['Q1', 'Q2'])}${values('val', ['3'])}</c:ser><c:axId val="1"/><c:axId val="2"/></c:barChart>` +
        `<c:catAx><c:axId val="1"/>${referred('Quarter')}</c:catAx><c:valAx><c:axId val="2"/>${rich('Million', 'euros')}</c:valAx>`,
      rich('Sales', 'of trees'),
    );
    expect(read(chart)).toEqual([
      ['caption', 'Bar chart: Sales of trees (Million euros)'],
      ['table', 'Quarter | North | South\nQ1 | 1 | 3\nQ2 | 2'],
    ]);
  });

  it('joins names of several levels', () => {
    const level = (points: string): string => `<c:lvl>${points}</c:lvl>`;
    const categories = `<c:cat><c:multiLvlStrRef><c:multiLvlStrCache>${level(chartPoints(['Q1', 'Q2', 'Q1']))}${level('<c:pt idx="0"><c:v>2024</c:v></c:pt><c:pt idx="2"><c:v>2025</c:v></c:pt>')}</c:multiLvlStrCache></c:multiLvlStrRef></c:cat>`;
    const chart = chartSpace(
      `<c:lineChart><c:ser>${name('Trees')}${categories}${values('val', ['7', '8', '9'])}</c:ser></c:lineChart>`,
    );
    expect(read(chart)).toEqual([
      ['caption', 'Line chart'],
      ['table', '| Trees\n2024, Q1 | 7\n2024, Q2 | 8\n2025, Q1 | 9'],
    ]);
  });

  it('keeps the coordinates of each series of a scatter chart', () => {
    const series = (title: string, x: string[], y: string[]): string =>
      `<c:ser>${name(title)}${values('xVal', x)}${values('yVal', y)}</c:ser>`;
    const axis = (id: number, title: string): string =>
      `<c:valAx><c:axId val="${id}"/>${rich(title)}</c:valAx>`;
    const chart = chartSpace(
      `<c:scatterChart>${series('A', ['1', '2'], ['10', '20'])}${series('B', ['5'], ['50'])}${series('C', ['1', '2'], ['11', '21'])}<c:axId val="8"/><c:axId val="9"/></c:scatterChart>${axis(9, 'Height')}${axis(8, 'Age')}`,
    );
    expect(read(chart)).toEqual([
      ['caption', 'Scatter chart (Height)'],
      ['table', 'Age | A | C\n1 | 10 | 11\n2 | 20 | 21'],
      ['table', 'Age | B\n5 | 50'],
    ]);
  });

  it('ends when the names of outer categories make its rows long', () => {
    const outer = `<c:pt idx="0"><c:v>${'x'.repeat(5_000)}</c:v></c:pt>`;
    const inner = chartPoints(Array.from({ length: 5_000 }, (_, row) => `Category ${row}`));
    const categories = `<c:cat><c:lvl>${inner}</c:lvl><c:lvl>${outer}</c:lvl></c:cat>`;
    const series = `<c:ser>${categories}${values('val', ['1'])}</c:ser>`;
    const builder = new DocumentBuilder();
    const chart = readXmlTree(chartSpace(`<c:barChart>${series}</c:barChart>`), 'chartSpace');
    expect(addChart(chart, builder)).toBe(false);
    const { text } = builder.build();
    expect(text.length).toBeLessThan(5_100_000);
    expect(text).toContain('Category 900');
  });

  it('writes all points of at most 255 series', () => {
    const texts = Array.from({ length: 12_000 }, (_, index) => String(index));
    const long = chartSpace(`<c:areaChart><c:ser>${values('val', texts)}</c:ser></c:areaChart>`);
    expect(read(long)[1]?.[1].split('\n').length).toBe(12_000);
    const series =
      '<c:ser><c:val><c:pt idx="0"><c:v>1</c:v></c:pt><c:pt idx="99999999"><c:v>1</c:v></c:pt></c:val></c:ser>';
    const wide = chartSpace(`<c:areaChart>${series.repeat(300)}</c:areaChart>`);
    expect(read(wide)[1]?.[1].replaceAll(/[| \n]/g, '')).toBe('1'.repeat(510));
  });

  it('writes bars and a line with different categories into two tables', () => {
    const series = (title: string, names: string[]): string =>
      `<c:ser>${name(title)}${values('cat', names)}${values('val', ['1', '2'])}</c:ser>`;
    const chart = chartSpace(
      `<c:barChart>${series('Sales', ['Jan', 'Feb'])}</c:barChart><c:lineChart>${series('Regions', ['North', 'South'])}</c:lineChart>`,
    );
    expect(read(chart)).toEqual([
      ['caption', 'Bar chart'],
      ['table', '| Sales\nJan | 1\nFeb | 2'],
      ['table', '| Regions\nNorth | 1\nSouth | 2'],
    ]);
  });

  it('reads the title of a chart in the newer vocabulary', () => {
    const title =
      '<cx:title><cx:tx><cx:rich><a:p><a:r><a:t>Costs</a:t></a:r></a:p></cx:rich></cx:tx></cx:title>';
    const chart = `<cx:chartSpace><cx:chartData/><cx:chart>${title}<cx:plotArea><cx:plotAreaRegion/></cx:plotArea></cx:chart></cx:chartSpace>`;
    expect(read(chart)).toEqual([['caption', 'Other chart: Costs']]);
  });

  it('shows numbers by their formats', () => {
    const cache = (code: string, points: string): string =>
      `<c:numRef><c:numCache><c:formatCode>${code}</c:formatCode>${points}</c:numCache></c:numRef>`;
    const read2 = (category: string, value: string, axes: string): string => {
      const series = `<c:ser>${name('Churn')}<c:cat>${category}</c:cat><c:val>${value}</c:val></c:ser>`;
      return read(chartSpace(`<c:lineChart>${series}</c:lineChart>${axes}`))[1]?.[1] ?? '';
    };
    const dates = chartPoints(['45658.0', '45689']);
    const shares = chartPoints(['0.0731', '0.30000000000000004']);
    const own = '<c:pt idx="0" formatCode="0.00%"><c:v>0.0731</c:v></c:pt>';
    expect(read2(cache('yyyy\\-mm\\-dd', dates), cache('0.0%', shares), '')).toBe(
      '| Churn\n2025-01-01 | 7.3%\n2025-02-01 | 30.0%',
    );
    expect(read2(cache('General', dates), cache('General', own), '<c:dateAx/>')).toBe(
      '| Churn\n2025-01-01 | 7.31%\n2025-02-01',
    );
    expect(
      read2(
        cache('General', dates),
        cache('General', shares),
        '<c:dateAx><c:numFmt formatCode="d\\.m\\.yyyy" sourceLinked="0"/></c:dateAx>',
      ),
    ).toBe('| Churn\n1.1.2025 | 0.0731\n1.2.2025 | 0.3');
    expect(read2(cache('mmm yy', chartPoints(['1'])), cache('#,##0;;', chartPoints(['-5'])), '')).toBe(
      '| Churn\nJan 00 | -5',
    );
    expect(
      read(
        `<c:chartSpace><c:date1904/><c:chart><c:plotArea><c:lineChart><c:ser><c:cat>${cache('yyyy', chartPoints(['0']))}</c:cat><c:val>${cache('0.00', chartPoints(['1']))}</c:val></c:ser></c:lineChart></c:plotArea></c:chart></c:chartSpace>`,
      )[1]?.[1],
    ).toBe('1904 | 1.00');
  });

  it('adds nothing for a chart without data or titles', () => {
    expect(read(chartSpace('<c:pieChart/>'))).toEqual([]);
    expect(read(chartSpace('<c:pieChart/>', rich('Shares')))).toEqual([['caption', 'Pie chart: Shares']]);
  });
});

const point = (index: number, text: string): string => `<c:pt idx="${index}"><c:v>${text}</c:v></c:pt>`;
const series = (names: string, values: string, name = ''): string =>
  `<c:ser><c:tx><c:v>${name}</c:v></c:tx>${names}<c:val>${values}</c:val></c:ser>`;
const cat = (...levels: string[]): string =>
  `<c:cat>${levels.map((level) => `<c:lvl>${level}</c:lvl>`).join('')}</c:cat>`;
const flat = (...names: string[]): string => `<c:cat>${chartPoints(names)}</c:cat>`;

function tables(...all: string[]): string[][][] {
  const chart = chartSpace(`<c:barChart>${all.join('')}</c:barChart>`);
  return chartTables('', seriesOf(readXmlTree(chart, 'chartSpace'))).map((rows) => [...rows]);
}
const namesIn = (all: readonly string[][][]): (string | undefined)[] =>
  all.flatMap((rows) => rows.slice(1).map(([name]) => name));

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
});

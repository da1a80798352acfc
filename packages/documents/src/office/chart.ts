import type { DocumentBuilder } from '../document/document-builder.js';
import { childElements, descendant, type XmlElement } from '../xml/xml-tree.js';
import { cachedText, seriesOf } from './chart-series.js';
import { chartTables } from './chart-tables.js';
import { drawingText } from './drawing-text.js';

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

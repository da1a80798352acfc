import type { DocumentBuilder } from '../document/document-builder.js';
import { childElements, descendant, type XmlElement } from '../xml/xml-tree.js';
import { cachedText, seriesOf } from './chart-series.js';
import { chartTables } from './chart-tables.js';
import { drawingText } from './drawing-text.js';

const AXES = new Set(['catAx', 'dateAx', 'valAx', 'serAx']);

/**
 * Adds a chart as a caption, its kind and titles, and the table of its data: categories down, series across, from the
 * values that the file keeps beside the references to its sheet (ECMA-376 Part 1, 21.2). The title of the categories'
 * axis stands above them. Series with names or coordinates of their own get tables of their own.
 *
 * @param chart the element `chartSpace`
 */
export function addChart(chart: XmlElement, builder: DocumentBuilder): void {
  const { category, others } = axisTitles(chart);
  const tables = chartTables(category, seriesOf(chart));
  if (tables.length === 0) addChartTitles(chart, builder);
  else builder.block('caption', captionOf(chart, others));
  for (const rows of tables) builder.table(rows, { headerRow: true });
}

/** Adds what a chart says beside its data, as a caption; nothing when it has no titles. */
export function addChartTitles(chart: XmlElement, builder: DocumentBuilder): void {
  const { category, others } = axisTitles(chart);
  const caption = captionOf(chart, [category, ...others]);
  if (caption !== kindOf(chart)) builder.block('caption', caption);
}

/** `Bar chart: Sales (Quarter; Million euros)`. @param axes their titles */
function captionOf(chart: XmlElement, axes: readonly string[]): string {
  const title = titleOf(descendant(chart, 'chart'));
  const titles = axes.filter((axis) => axis !== '').join('; ');
  return `${kindOf(chart)}${title && `: ${title}`}${titles && ` (${titles})`}`;
}

/** The axis of the categories is the one that is made for them, else the first that the data refers to. */
function axisTitles(chart: XmlElement): { readonly category: string; readonly others: readonly string[] } {
  const area = descendant(chart, 'chart', 'plotArea');
  const axes = (area === undefined ? [] : childElements(area)).filter(({ name }) => AXES.has(name));
  const first = descendant(plotOf(chart), 'axId')?.attributes['val'];
  const category =
    axes.find(({ name }) => name === 'catAx' || name === 'dateAx') ??
    axes.find((axis) => first !== undefined && descendant(axis, 'axId')?.attributes['val'] === first);
  return {
    category: titleOf(category),
    others: axes.filter((axis) => axis !== category).map(titleOf),
  };
}

/** The title of a chart or an axis, typed in or taken from cells. */
function titleOf(element: XmlElement | undefined): string {
  const title = descendant(element, 'title');
  if (title === undefined) return '';
  return drawingText(title) || cachedText(descendant(title, 'tx')).trim();
}

/** `Bar chart` of an element `barChart`; what else there is in newer vocabularies is a chart all the same. */
function kindOf(chart: XmlElement): string {
  const word = /^([a-z]+)(?:3D)?Chart$/.exec(plotOf(chart)?.name ?? '')?.[1];
  return word === undefined ? 'Other chart' : `${word.charAt(0).toUpperCase()}${word.slice(1)} chart`;
}

function plotOf(chart: XmlElement): XmlElement | undefined {
  const area = descendant(chart, 'chart', 'plotArea');
  return (area === undefined ? [] : childElements(area)).find(({ name }) => name.endsWith('Chart'));
}

import { posix } from 'node:path';
import type { ZipArchive } from '../archive/zip-archive.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import { addGrid } from '../office/merged-cells.js';
import { UnreadObjects } from '../office/office-package.js';
import {
  childElements,
  descendant,
  descendants,
  readXmlTree,
  textContent,
  type XmlElement,
} from '../xml/xml-tree.js';
import { CONTENT } from './odf-package.js';
import { cellsOf, rowsOf } from './odf-table.js';

/** Reads the charts of an OpenDocument file, and names its other objects: formulas, and files of other programs. */
export class OdfObjects {
  readonly unread = new UnreadObjects();
  private readonly added = new Set<string>();

  constructor(private readonly archive: ZipArchive) {}

  /** Adds what an object shows, once per file. */
  add(object: XmlElement, builder: DocumentBuilder): void {
    if (object.name === 'image') return void builder.picture(this.archive.picture(partOf(object)));
    const folder = partOf(object);
    if (this.added.has(folder)) return;
    this.added.add(folder);
    const chart = object.name === 'object' ? this.chartOf(posix.join(folder, CONTENT)) : undefined;
    if (chart === undefined) this.leave(object);
    else addChart(chart, builder);
  }

  /** Names an object that is not read. */
  leave({ name, attributes }: XmlElement): void {
    if (name !== 'image') this.unread.add(posix.basename(attributes['href'] ?? ''));
  }

  private chartOf(part: string): XmlElement | undefined {
    try {
      const content = readXmlTree(this.archive.readText(part) ?? '', 'document-content');
      return descendant(content, 'body', 'chart', 'chart');
    } catch (error) {
      if (error instanceof DocumentError) return undefined;
      throw error;
    }
  }
}

function partOf({ attributes }: XmlElement): string {
  const part = posix.normalize(attributes['href'] ?? '').replace(/\/$/, '');
  // A picture that a program has made of an object.
  return part.startsWith('ObjectReplacements/') ? '' : part;
}

/** Adds a chart (ODF 1.3, 11): a caption with its kind and titles, and its table. */
function addChart(chart: XmlElement, builder: DocumentBuilder): void {
  const kind = (chart.attributes['class'] ?? '').replace(/^\w+:/, '').replace('circle', 'pie') || 'other';
  const title = titleOf(chart);
  const axes = childElements(descendant(chart, 'plot-area'), 'axis')
    .map(titleOf)
    .filter((axis) => axis !== '');
  const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)} chart`;
  builder.block(
    'caption',
    `${name}${title && `: ${title}`}${axes.length > 0 ? ` (${axes.join('; ')})` : ''}`,
  );
  const table = descendant(chart, 'table');
  if (table !== undefined)
    addGrid(
      rowsOf(table).map((row) => cellsOf(row, textOf)),
      1,
      builder,
    );
}

function titleOf(element: XmlElement): string {
  const title = descendant(element, 'title');
  return title === undefined ? '' : textOf(title);
}

function textOf(element: XmlElement): string {
  const text = [...descendants(element, 'p')].map(textContent).join(' ').trim();
  // Cells without a value.
  return text === 'NaN' ? '' : text;
}

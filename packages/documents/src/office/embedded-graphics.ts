import type { DocumentBuilder } from '../document/document-builder.js';
import type { XmlElement } from '../xml/xml-tree.js';
import { addChart } from './chart.js';
import { addDiagram } from './diagram.js';
import type { OfficePackage, Relationship } from './office-package.js';

/** Whether an element of a drawing stands for a chart or a diagram in a part of its own (ECMA-376 Part 1, 21.2 and 21.4). */
export function isGraphic({ name }: XmlElement): boolean {
  return name === 'chart' || name === 'relIds';
}

/** The charts and diagrams that a part of a package shows. */
export class EmbeddedGraphics {
  private readonly added = new Set<string>();

  /** @param relationships of the part, by id */
  constructor(
    private readonly office: OfficePackage,
    private readonly relationships: ReadonlyMap<string, Relationship>,
    private readonly builder: DocumentBuilder,
  ) {}

  /**
   * Adds what an element stands for, the first time that it is met: a small file cannot have a large chart read over
   * and over. What is missing or broken is left out.
   */
  add({ name, attributes }: XmlElement): void {
    const id = attributes[name === 'relIds' ? 'dm' : 'id'];
    const target = this.relationships.get(id ?? '')?.target;
    if (target === undefined || this.added.has(target)) return;
    this.added.add(target);
    if (name === 'relIds') {
      const model = this.office.readableTree(target, 'dataModel');
      if (model !== undefined) addDiagram(model, this.builder);
    } else {
      const chart = this.office.readableTree(target, 'chartSpace');
      if (chart !== undefined) addChart(chart, this.builder);
    }
  }
}

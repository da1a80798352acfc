import type { DocumentBuilder } from '../document/document-builder.js';
import type { XmlElement } from '../xml/xml-tree.js';
import { addChart } from './chart.js';
import { addDiagram } from './diagram.js';
import type { OfficePackage, Relationship } from './office-package.js';

/**
 * Whether an element of a drawing references the part of a chart or diagram (ECMA-376 Part 1, 21.2 and 21.4).
 */
export function isGraphic({ name }: XmlElement): boolean {
  return name === 'chart' || name === 'relIds';
}

/** Adds the charts and diagrams that a part of a package references. */
export class EmbeddedGraphics {
  /** @param relationships the relationships of the part, by id */
  constructor(
    private readonly office: OfficePackage,
    private readonly relationships: ReadonlyMap<string, Relationship>,
    private readonly builder: DocumentBuilder,
  ) {}

  /** Adds the referenced chart or diagram, once per package. Missing and broken parts are ignored. */
  add({ name, attributes }: XmlElement): void {
    const id = attributes[name === 'relIds' ? 'dm' : 'id'];
    const target = this.relationships.get(id ?? '')?.target;
    if (target !== undefined) this.addPart(target, name === 'relIds' ? 'diagram' : 'chart');
  }

  /** Like {@link add}, for all charts and diagrams of the part, in the order of its relationships. */
  addAll(): void {
    for (const { type, target } of this.relationships.values()) {
      if (type === 'chart') this.addPart(target, 'chart');
      if (type === 'diagramData') this.addPart(target, 'diagram');
    }
  }

  private addPart(part: string, kind: 'chart' | 'diagram'): void {
    if (!this.office.isFirstVisit(part)) return;
    if (kind === 'diagram') {
      const model = this.office.readableTree(part, 'dataModel');
      if (model !== undefined) addDiagram(model, this.builder);
    } else {
      const chart = this.office.readableTree(part, 'chartSpace');
      if (chart !== undefined) addChart(chart, this.builder);
    }
  }
}

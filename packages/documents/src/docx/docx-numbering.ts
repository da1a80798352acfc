import { childElements, descendant, type XmlElement } from '../xml/xml-tree.js';

interface Level {
  readonly format: string;
  readonly start: number;
}

/** Labels of list items. Bullets are `-`, everything numbered is decimal: what counts is order and depth. */
export class DocxNumbering {
  private readonly levels = new Map<string, readonly (Level | undefined)[]>();
  private readonly counters = new Map<string, number[]>();

  constructor(root: XmlElement | undefined) {
    if (root === undefined) return;
    const abstracts = new Map<string | undefined, readonly (Level | undefined)[]>();
    for (const abstract of childElements(root, 'abstractNum')) {
      const levels: (Level | undefined)[] = [];
      for (const level of childElements(abstract, 'lvl')) {
        const depth = Number(level.attributes['ilvl']);
        if (!(depth >= 0 && depth <= 8)) continue;
        levels[depth] = {
          format: descendant(level, 'numFmt')?.attributes['val'] ?? 'decimal',
          start: Number(descendant(level, 'start')?.attributes['val'] ?? 1) || 1,
        };
      }
      abstracts.set(abstract.attributes['abstractNumId'], levels);
    }
    for (const instance of childElements(root, 'num')) {
      const id = instance.attributes['numId'];
      const levels = abstracts.get(descendant(instance, 'abstractNumId')?.attributes['val']);
      if (id !== undefined && levels !== undefined) this.levels.set(id, levels);
    }
  }

  /** The label of the next item, indented by its depth; null when the paragraph is in no list. */
  next(properties: XmlElement | undefined): string | null {
    const numbering = descendant(properties, 'numPr');
    const id = descendant(numbering, 'numId')?.attributes['val'];
    // 0 takes a paragraph out of its style's list (17.9.18).
    if (id === undefined || id === '0') return null;
    const depth = Math.min(
      8,
      Math.max(0, Number(descendant(numbering, 'ilvl')?.attributes['val'] ?? 0) || 0),
    );
    const level = this.levels.get(id)?.[depth];
    const indent = '  '.repeat(depth);
    if (level === undefined || level.format === 'bullet' || level.format === 'none') return `${indent}- `;
    const counters = this.counters.get(id) ?? [];
    counters[depth] = (counters[depth] ?? level.start - 1) + 1;
    counters.length = depth + 1;
    this.counters.set(id, counters);
    return `${indent}${counters[depth]}. `;
  }
}

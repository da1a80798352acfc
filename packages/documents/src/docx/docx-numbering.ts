import { formatNumber, systemOf } from '../office/number-text.js';
import { childElements, descendant, hasFlag, type XmlElement } from '../xml/xml-tree.js';

interface Level {
  readonly format: string;
  readonly start: number;
  /** The label pattern, with `%1` for the number of the first level. */
  readonly text: string;
  readonly style: string | undefined;
  /** Whether the numbers of all levels in the label are decimal (17.9.4). */
  readonly isLegal: boolean;
  /** The level restarts after a level below this one, from 0. By default, each level above it restarts it (17.9.10). */
  readonly restartsBelow: number;
}

interface Abstract {
  readonly id: string;
  readonly levels: readonly (Level | undefined)[];
  /** The numbering style that defines the levels in place of this list. */
  readonly style: string | undefined;
}

interface Instance {
  readonly abstractId: string;
  readonly levels: readonly (Level | undefined)[];
  /** Start numbers of the levels that restart with this instance. */
  readonly restarts: ReadonlyMap<number, number>;
}

/** The list and level of a paragraph, given by the paragraph or its style. */
export interface NumberingReference {
  readonly id: string;
  /** From 0; undefined when only a style defines the numbering. */
  readonly depth: number | undefined;
  readonly style: string | undefined;
}

export interface ListItem {
  /** The number or bullet, with a space behind it. */
  readonly label: string;
  /** From 0. */
  readonly depth: number;
}

const MAX_DEPTH = 8;

/**
 * Generates the labels of list items and numbered headings as Word does (ECMA-376 17.9). Bullets become `-`.
 */
export class DocxNumbering {
  private readonly instances = new Map<string, Instance>();
  /** By abstract numbering, because its instances share their counters. */
  private readonly counters = new Map<string, (number | undefined)[]>();
  private readonly begun = new Set<string>();

  constructor(root: XmlElement | undefined) {
    const abstracts = new Map<string | undefined, Abstract>();
    /** The lists that numbering styles define. */
    const byStyle = new Map<string | undefined, Abstract>();
    for (const element of childElements(root, 'abstractNum')) {
      const id = element.attributes['abstractNumId'] ?? '';
      const style = descendant(element, 'numStyleLink')?.attributes['val'];
      const abstract = { id, levels: levelsOf(element), style };
      abstracts.set(id, abstract);
      byStyle.set(descendant(element, 'styleLink')?.attributes['val'], abstract);
    }
    for (const instance of childElements(root, 'num')) {
      const id = instance.attributes['numId'];
      const abstractId = descendant(instance, 'abstractNumId')?.attributes['val'];
      const own = abstracts.get(abstractId);
      const abstract = own?.style === undefined ? own : byStyle.get(own.style);
      if (id === undefined || abstract === undefined) continue;
      const levels = [...abstract.levels];
      const restarts = new Map<number, number>();
      for (const override of childElements(instance, 'lvlOverride')) {
        Object.assign(levels, levelsOf(override));
        const start = descendant(override, 'startOverride')?.attributes['val'];
        const depth = Number(override.attributes['ilvl'] ?? 0);
        if (start !== undefined && depth <= MAX_DEPTH) restarts.set(depth, Number(start) || 0);
      }
      this.instances.set(id, { abstractId: abstract.id, levels, restarts });
    }
  }

  /** The label and depth of the next item; null when the paragraph is not in a list. */
  next(reference: NumberingReference | undefined): ListItem | null {
    // The id 0 removes the numbering of the style (17.9.18).
    if (reference === undefined || reference.id === '0') return null;
    const instance = this.instances.get(reference.id);
    const depth = Math.min(
      MAX_DEPTH,
      Math.max(0, reference.depth ?? depthOfStyle(instance, reference.style)),
    );
    const level = instance?.levels[depth];
    if (instance === undefined || level === undefined || level.format === 'bullet')
      return { label: '- ', depth };
    const counters = this.countersOf(reference.id, instance);
    // Skipped levels count as started.
    for (let above = 0; above < depth; above += 1) counters[above] ??= instance.levels[above]?.start ?? 1;
    counters[depth] = (counters[depth] ?? level.start - 1) + 1;
    for (let below = depth + 1; below < counters.length; below += 1)
      if (depth < (instance.levels[below]?.restartsBelow ?? below)) counters[below] = undefined;
    const text = level.text.replace(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const shown = instance.levels[at];
      const format = shown === undefined || level.isLegal ? 'decimal' : shown.format;
      return formatNumber(counters[at] ?? shown?.start ?? 1, format);
    });
    return { label: text.trim() === '' ? '- ' : `${text.trim()} `, depth };
  }

  private countersOf(id: string, { abstractId, restarts }: Instance): (number | undefined)[] {
    const counters = this.counters.get(abstractId) ?? [];
    this.counters.set(abstractId, counters);
    if (!this.begun.has(id)) for (const [depth, start] of restarts) counters[depth] = start - 1;
    this.begun.add(id);
    return counters;
  }
}

function levelsOf(abstract: XmlElement): (Level | undefined)[] {
  const levels: (Level | undefined)[] = [];
  for (const level of childElements(abstract, 'lvl')) {
    const depth = Number(level.attributes['ilvl']);
    if (!(depth >= 0 && depth <= MAX_DEPTH)) continue;
    const value = (name: string): string | undefined => descendant(level, name)?.attributes['val'];
    const start = Number(value('start') ?? 1);
    const restart = Number(value('lvlRestart') ?? depth);
    levels[depth] = {
      format: formatOf(level),
      start: Number.isInteger(start) ? start : 1,
      text: value('lvlText') ?? `%${depth + 1}.`,
      style: value('pStyle'),
      isLegal: hasFlag(level, 'isLgl'),
      restartsBelow: Number.isInteger(restart) ? restart : depth,
    };
  }
  return levels;
}

/** The format of a level. One of the author's own lists its first numbers. */
function formatOf(level: XmlElement): string {
  const { val = 'decimal', format = '' } = descendant(level, 'numFmt')?.attributes ?? {};
  return val === 'custom' ? (systemOf(format) ?? format.split(',', 1).join('')) : val;
}

function depthOfStyle(instance: Instance | undefined, style: string | undefined): number {
  return Math.max(
    0,
    instance?.levels.findIndex((level) => level !== undefined && level.style === style) ?? 0,
  );
}

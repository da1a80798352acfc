import { childElements, descendant, type XmlElement } from '../xml/xml-tree.js';

interface Level {
  readonly format: string;
  readonly start: number;
  /** The label pattern, with `%1` for the number of the first level. */
  readonly text: string;
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
    if (root === undefined) return;
    const abstracts = new Map<string | undefined, readonly (Level | undefined)[]>();
    for (const abstract of childElements(root, 'abstractNum')) {
      abstracts.set(abstract.attributes['abstractNumId'], levelsOf(abstract));
    }
    for (const instance of childElements(root, 'num')) {
      const id = instance.attributes['numId'];
      const abstractId = descendant(instance, 'abstractNumId')?.attributes['val'];
      const levels = abstracts.get(abstractId);
      if (id === undefined || abstractId === undefined || levels === undefined) continue;
      const restarts = new Map<number, number>();
      for (const override of childElements(instance, 'lvlOverride')) {
        const start = descendant(override, 'startOverride')?.attributes['val'];
        if (start !== undefined) restarts.set(Number(override.attributes['ilvl'] ?? 0), Number(start) || 0);
      }
      this.instances.set(id, { abstractId, levels, restarts });
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
    if (
      instance === undefined ||
      level === undefined ||
      level.format === 'bullet' ||
      level.format === 'none'
    ) {
      return { label: '- ', depth };
    }
    const counters = this.countersOf(reference.id, instance);
    // Skipped levels count as started.
    for (let above = 0; above < depth; above += 1) counters[above] ??= instance.levels[above]?.start ?? 1;
    counters[depth] = (counters[depth] ?? level.start - 1) + 1;
    counters.length = depth + 1;
    const text = level.text.replace(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const shown = instance.levels[at];
      return formatNumber(counters[at] ?? shown?.start ?? 1, shown?.format ?? 'decimal');
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
    levels[depth] = {
      format: value('numFmt') ?? 'decimal',
      start: Number.isInteger(start) ? start : 1,
      text: value('lvlText') ?? `%${depth + 1}.`,
      style: value('pStyle'),
    };
  }
  return levels;
}

function depthOfStyle(instance: Instance | undefined, style: string | undefined): number {
  return Math.max(
    0,
    instance?.levels.findIndex((level) => level !== undefined && level.style === style) ?? 0,
  );
}

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];
const MAX_ROMAN = 5000;
const MAX_LETTERS = 26 * 30;

/**
 * Formats a number as WordprocessingML does (ECMA-376 17.18.59). Formats of other scripts become decimals.
 */
export function formatNumber(value: number, format: string): string {
  switch (format) {
    case 'lowerRoman':
      return roman(value);
    case 'upperRoman':
      return roman(value).toUpperCase();
    case 'lowerLetter':
      return letters(value);
    case 'upperLetter':
      return letters(value).toUpperCase();
    case 'decimalZero':
      return String(value).padStart(2, '0');
    case 'none':
      return '';
    default:
      return String(value);
  }
}

function roman(value: number): string {
  if (value < 1 || value > MAX_ROMAN) return String(value);
  let text = '';
  let rest = value;
  for (const [step, letter] of ROMAN) {
    text += letter.repeat(Math.trunc(rest / step));
    rest %= step;
  }
  return text;
}

/** a to z, then aa, bb to zz: the letter is repeated, unlike spreadsheet columns. */
function letters(value: number): string {
  if (value < 1 || value > MAX_LETTERS) return String(value);
  return String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));
}

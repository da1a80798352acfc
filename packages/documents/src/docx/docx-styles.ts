import { childElements, descendant, isOn, type XmlElement } from '../xml/xml-tree.js';
import type { NumberingReference } from './docx-numbering.js';
import { isSymbolFont } from '../office/symbol-fonts.js';

/** The role of a paragraph according to its style. */
export type ParagraphRole =
  | { readonly kind: 'heading'; readonly level: number }
  | { readonly kind: 'title' | 'code' | 'quote' | 'caption' | 'list' | 'paragraph' };

interface Style {
  readonly name: string;
  readonly basedOn: string | undefined;
  readonly outlineLevel: number | undefined;
  readonly numbering: XmlElement | undefined;
}

/**
 * Roles by style name. The names of built-in styles are English in every file (ECMA-376 17.7.4.9), whereas
 * their ids are localized. A role is found by name, else by outline level, else by the base style.
 */
const ROLE_BY_NAME: readonly (readonly [RegExp, (match: RegExpMatchArray) => ParagraphRole])[] = [
  [/^heading (\d)$/, (match) => ({ kind: 'heading', level: Number(match[1]) })],
  [/^title$/, () => ({ kind: 'title' })],
  [/^(?:caption|table caption|image caption)$/, () => ({ kind: 'caption' })],
  [/^(?:quote|intense quote|block text|block quotation)$/, () => ({ kind: 'quote' })],
  [
    /^(?:html preformatted|macro text|plain text|preformatted text|source code|code.*)$/,
    () => ({ kind: 'code' }),
  ],
  [/^list (?:bullet|number|paragraph)/, () => ({ kind: 'list' })],
];

export class DocxStyles {
  private readonly styles = new Map<string, Style>();

  constructor(root: XmlElement | undefined) {
    for (const style of childElements(root, 'style')) {
      const id = style.attributes['styleId'];
      if (id === undefined) continue;
      this.styles.set(id, {
        name: (descendant(style, 'name')?.attributes['val'] ?? '').toLowerCase(),
        basedOn: descendant(style, 'basedOn')?.attributes['val'],
        outlineLevel: outlineLevelOf(descendant(style, 'pPr')),
        numbering: descendant(style, 'pPr', 'numPr'),
      });
    }
  }

  roleOf(properties: XmlElement | undefined): ParagraphRole {
    const direct = outlineLevelOf(properties);
    if (direct !== undefined) return { kind: 'heading', level: direct };
    let id = descendant(properties, 'pStyle')?.attributes['val'];
    // The limit ends cycles in the chain of base styles.
    for (let hops = 0; id !== undefined && hops <= this.styles.size; hops += 1) {
      const style = this.styles.get(id);
      // In files without a style table, ids are the names without spaces.
      const role = roleByName(style?.name ?? id.toLowerCase().replace(/^heading(?=\d)/, 'heading '));
      if (role !== undefined) return role;
      if (style?.outlineLevel !== undefined) return { kind: 'heading', level: style.outlineLevel };
      id = style?.basedOn;
    }
    return { kind: 'paragraph' };
  }

  /** The numbering of a paragraph, else that of its style. */
  numberingOf(properties: XmlElement | undefined): NumberingReference | undefined {
    let numbering = descendant(properties, 'numPr');
    let style: string | undefined;
    let next = descendant(properties, 'pStyle')?.attributes['val'];
    let depth: number | undefined;
    for (let hops = 0; hops <= this.styles.size + 1; hops += 1) {
      const id = descendant(numbering, 'numId')?.attributes['val'];
      // A style may have only the level, and its base style the list.
      depth ??= depthOf(numbering);
      if (id !== undefined) return { id, depth: style === undefined ? (depth ?? 0) : depth, style };
      if (next === undefined) return undefined;
      style = next;
      const { numbering: ofStyle, basedOn } = this.styles.get(style) ?? {};
      [numbering, next] = [ofStyle, basedOn];
    }
    return undefined;
  }
}

function depthOf(numbering: XmlElement | undefined): number | undefined {
  const depth = Number(descendant(numbering, 'ilvl')?.attributes['val'] ?? NaN);
  return Number.isInteger(depth) ? depth : undefined;
}

function roleByName(name: string): ParagraphRole | undefined {
  for (const [pattern, role] of ROLE_BY_NAME) {
    const match = pattern.exec(name);
    if (match !== null) return role(match);
  }
  return undefined;
}

/** Heading level by `w:outlineLvl`, which counts from 0; 9 is body text (17.3.1.20). */
function outlineLevelOf(properties: XmlElement | undefined): number | undefined {
  const value = descendant(properties, 'outlineLvl')?.attributes['val'];
  const level = value === undefined ? 9 : Number(value);
  return Number.isInteger(level) && level >= 0 && level < 9 ? level + 1 : undefined;
}

/** The properties of a run that change what a reader sees as text. */
export interface RunStyle {
  /** The symbol font of the run; null for a font with letters. */
  readonly symbolFont: string | null;
  readonly isHidden: boolean;
  readonly isStruck: boolean;
  readonly isRaised: boolean;
}

const PLAIN: RunStyle = { symbolFont: null, isHidden: false, isStruck: false, isRaised: false };
/** Longer chains of base styles are errors. */
const MAX_BASES = 20;

/** The properties of runs by their own formatting, else by their character style, else by the style of the paragraph. */
export class DocxRunStyles {
  private readonly styles = new Map<string, XmlElement>();
  private readonly resolved = new Map<string, Partial<RunStyle>>();

  constructor(root: XmlElement | undefined) {
    for (const style of childElements(root, 'style')) {
      const id = style.attributes['styleId'];
      if (id !== undefined) this.styles.set(id, style);
    }
  }

  /** The properties of runs of a paragraph without properties of their own. */
  ofParagraph(properties: XmlElement | undefined): RunStyle {
    return { ...PLAIN, ...this.ofStyle(descendant(properties, 'pStyle')?.attributes['val']) };
  }

  ofRun(run: XmlElement, paragraph: RunStyle): RunStyle {
    const properties = descendant(run, 'rPr');
    if (properties === undefined) return paragraph;
    const style = this.ofStyle(descendant(properties, 'rStyle')?.attributes['val']);
    return { ...paragraph, ...style, ...ownStyle(properties) };
  }

  /** Whether a style is that of prompts in content controls. Names of built-in styles are English in every file. */
  isPromptStyle(id = ''): boolean {
    const style = this.styles.get(id);
    return /^placeholder\s*text$/i.test(descendant(style, 'name')?.attributes['val'] ?? id);
  }

  private ofStyle(id: string | undefined, depth = 0): Partial<RunStyle> {
    const style = this.styles.get(id ?? '');
    if (id === undefined || style === undefined || depth > MAX_BASES) return {};
    const known = this.resolved.get(id);
    if (known !== undefined) return known;
    const base = this.ofStyle(descendant(style, 'basedOn')?.attributes['val'], depth + 1);
    const all = { ...base, ...ownStyle(descendant(style, 'rPr')) };
    this.resolved.set(id, all);
    return all;
  }
}

function ownStyle(properties: XmlElement | undefined): Partial<RunStyle> {
  const own: { -readonly [Key in keyof RunStyle]?: RunStyle[Key] } = {};
  for (const { name, attributes } of childElements(properties)) {
    if (name === 'vanish') own.isHidden = isOn(attributes['val']);
    else if (name === 'strike' || name === 'dstrike') own.isStruck ||= isOn(attributes['val']);
    else if (name === 'vertAlign') own.isRaised = attributes['val'] === 'superscript';
    else if (name === 'rFonts') {
      const font = attributes['hAnsi'] ?? attributes['ascii'] ?? attributes['cs'];
      if (font !== undefined) own.symbolFont = isSymbolFont(font) ? font : null;
    }
  }
  return own;
}

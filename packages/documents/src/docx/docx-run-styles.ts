import { isSymbolFont } from '../office/symbol-fonts.js';
import { childElements, descendant, type XmlElement } from '../xml/xml-tree.js';

/** The properties of a run that change what a reader sees as text. */
export interface RunStyle {
  /** The symbol font of the run; null for a font with letters. */
  readonly symbolFont: string | null;
  readonly isHidden: boolean;
  readonly isRaised: boolean;
}

const PLAIN: RunStyle = { symbolFont: null, isHidden: false, isRaised: false };
/** Longer chains of base styles are errors. */
const MAX_BASES = 20;

/** The properties of runs by their own formatting, else by their character style, else by the style of the paragraph. */
export class DocxRunStyles {
  private readonly styles = new Map<string, XmlElement>();
  private readonly resolved = new Map<string, Partial<RunStyle>>();

  constructor(root: XmlElement | undefined) {
    for (const style of root === undefined ? [] : childElements(root, 'style')) {
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
  for (const { name, attributes } of properties === undefined ? [] : childElements(properties)) {
    if (name === 'vanish') own.isHidden = isOn(attributes['val']);
    else if (name === 'vertAlign') own.isRaised = attributes['val'] === 'superscript';
    else if (name === 'rFonts') {
      const font = attributes['hAnsi'] ?? attributes['ascii'] ?? attributes['cs'];
      if (font !== undefined) own.symbolFont = isSymbolFont(font) ? font : null;
    }
  }
  return own;
}

/** The value of a property that is on or off (ECMA-376 Part 1, 17.17.4). */
export function isOn(value: string | undefined): boolean {
  return !['0', 'false', 'off'].includes(value ?? '1');
}

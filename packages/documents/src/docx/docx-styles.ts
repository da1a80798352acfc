import { childElements, descendant, isOn, type XmlElement } from '../xml/xml-tree.js';
import type { NumberingReference } from './docx-numbering.js';
import { PLAIN, type TextStyle } from '../office/run-text.js';
import { isSymbolFont } from '../office/symbol-fonts.js';

/** The role of a paragraph according to its style. */
export type ParagraphRole =
  | { readonly kind: 'heading'; readonly level: number }
  | { readonly kind: 'title' | 'code' | 'quote' | 'caption' | 'list' | 'paragraph' };

/**
 * Roles by style name. The names of built-in styles are English in every file (ECMA-376 17.7.4.9), whereas
 * their ids are localized. A role is found by name, else by outline level, else by the base style.
 */
const ROLE_BY_NAME: readonly (readonly [RegExp, Exclude<ParagraphRole['kind'], 'heading'>])[] = [
  [/^title$/, 'title'],
  [/^(?:caption|table caption|image caption)$/, 'caption'],
  [/^(?:quote|intense quote|block text|block quotation)$/, 'quote'],
  [/^(?:html preformatted|macro text|plain text|preformatted text|source code|code.*)$/, 'code'],
  [/^list (?:bullet|number|paragraph)/, 'list'],
];

/** Longer chains of base styles are errors. */
const MAX_BASES = 20;

export class DocxStyles {
  private readonly styles = new Map<string, XmlElement>();
  private readonly runStyles = new Map<string, Partial<TextStyle>>();

  constructor(root: XmlElement | undefined) {
    for (const style of childElements(root, 'style'))
      this.styles.set(style.attributes['styleId'] ?? '', style);
  }

  roleOf(properties: XmlElement | undefined): ParagraphRole {
    const direct = outlineLevelOf(properties);
    if (direct !== undefined) return { kind: 'heading', level: direct };
    for (const [id, style] of this.chain(valueOf(properties, 'pStyle'))) {
      // In files without a style table, ids are the names without spaces.
      const name = valueOf(style, 'name') ?? id.replace(/^heading(?=\d)/i, 'heading ');
      const role = roleByName(name.toLowerCase());
      if (role !== undefined) return role;
      const level = outlineLevelOf(descendant(style, 'pPr'));
      if (level !== undefined) return { kind: 'heading', level };
    }
    return { kind: 'paragraph' };
  }

  /** The numbering of a paragraph, else that of its style. A style may have only the level, and its base style the list. */
  numberingOf(properties: XmlElement | undefined): NumberingReference | undefined {
    const own = descendant(properties, 'numPr');
    let depth = depthOf(own);
    const ownId = valueOf(own, 'numId');
    if (ownId !== undefined) return { id: ownId, depth: depth ?? 0, style: undefined };
    for (const [style, element] of this.chain(valueOf(properties, 'pStyle'))) {
      const numbering = descendant(element, 'pPr', 'numPr');
      const id = valueOf(numbering, 'numId');
      depth ??= depthOf(numbering);
      if (id !== undefined) return { id, depth, style };
    }
    return undefined;
  }

  /** The properties of runs of a paragraph without properties of their own. */
  ofParagraph(properties: XmlElement | undefined): TextStyle {
    return { ...PLAIN, ...this.ofStyle(valueOf(properties, 'pStyle')) };
  }

  ofRun(run: XmlElement, paragraph: TextStyle): TextStyle {
    const properties = descendant(run, 'rPr');
    if (properties === undefined) return paragraph;
    return { ...paragraph, ...this.ofStyle(valueOf(properties, 'rStyle')), ...ownStyle(properties) };
  }

  /** Whether a style is that of prompts in content controls. Names of built-in styles are English in every file. */
  isPromptStyle(id = ''): boolean {
    return /^placeholder\s*text$/i.test(valueOf(this.styles.get(id), 'name') ?? id);
  }

  /** The properties of runs by their own style, else by its base styles. */
  private ofStyle(id = ''): Partial<TextStyle> {
    const known = this.runStyles.get(id);
    if (known !== undefined) return known;
    const styles = Array.from(this.chain(id), ([, style]) => ownStyle(descendant(style, 'rPr')));
    const all = Object.assign({}, ...styles.toReversed()) as Partial<TextStyle>;
    this.runStyles.set(id, all);
    return all;
  }

  /** A style and its base styles. The first one may be missing in the file. */
  private *chain(first: string | undefined): Generator<[id: string, style: XmlElement | undefined]> {
    let id = first;
    for (let hops = 0; id !== undefined && hops <= MAX_BASES; hops += 1) {
      const style = this.styles.get(id);
      yield [id, style];
      id = valueOf(style, 'basedOn');
    }
  }
}

function valueOf(parent: XmlElement | undefined, name: string): string | undefined {
  return descendant(parent, name)?.attributes['val'];
}

function depthOf(numbering: XmlElement | undefined): number | undefined {
  const depth = Number(valueOf(numbering, 'ilvl') ?? NaN);
  return Number.isInteger(depth) ? depth : undefined;
}

function roleByName(name: string): ParagraphRole | undefined {
  const level = /^heading (\d)$/.exec(name)?.[1];
  if (level !== undefined) return { kind: 'heading', level: Number(level) };
  const kind = ROLE_BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
  return kind === undefined ? undefined : { kind };
}

/** Heading level by `w:outlineLvl`, which counts from 0; 9 is body text (17.3.1.20). */
function outlineLevelOf(properties: XmlElement | undefined): number | undefined {
  const level = Number(valueOf(properties, 'outlineLvl') ?? 9);
  return Number.isInteger(level) && level >= 0 && level < 9 ? level + 1 : undefined;
}

function ownStyle(properties: XmlElement | undefined): Partial<TextStyle> {
  const own: { -readonly [Key in keyof TextStyle]?: TextStyle[Key] } = {};
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

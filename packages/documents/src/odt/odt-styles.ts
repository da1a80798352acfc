import { formatNumber } from '../office/number-text.js';
import { isSymbolFont } from '../office/symbol-fonts.js';
import { childElements, descendant, type XmlElement } from '../xml/xml-tree.js';

/** The properties of text that change what a reader sees. */
export interface TextStyle {
  /** The symbol font of the text; null for a font with letters. */
  readonly symbolFont: string | null;
  readonly isHidden: boolean;
  readonly isStruck: boolean;
  readonly isRaised: boolean;
}

const PLAIN: TextStyle = { symbolFont: null, isHidden: false, isStruck: false, isRaised: false };

export type ParagraphRole = 'paragraph' | 'title' | 'quote' | 'code' | 'caption';

/** Predefined paragraph styles of LibreOffice, as they are named in files. Other styles are derived from them. */
const ROLES: ReadonlyMap<string, ParagraphRole> = new Map([
  ['Title', 'title'],
  ['Quotations', 'quote'],
  ['Preformatted_20_Text', 'code'],
  ['Caption', 'caption'],
]);
/** `style:num-format` (ODF 1.3, 19.500), as {@link formatNumber} names it. */
const NUMBER_FORMATS: ReadonlyMap<string, string> = new Map([
  ['1', 'decimal'],
  ['a', 'lowerLetter'],
  ['A', 'upperLetter'],
  ['i', 'lowerRoman'],
  ['I', 'upperRoman'],
]);
const MAX_PARENTS = 20;

/** The paragraph and list styles of a file. */
export class OdtStyles {
  private readonly parents = new Map<string, string>();
  /** Own properties and base styles of text, by family and name. */
  private readonly texts = new Map<string, { own: Partial<TextStyle>; parent: string | undefined }>();
  /** The styles of numbered levels, by list style and level. */
  private readonly numberings = new Map<string, XmlElement>();

  /** Adds a `style:style` or `text:list-style`. */
  add(style: XmlElement): void {
    const { name = '', 'parent-style-name': parent } = style.attributes;
    if (style.name === 'style') {
      const { family = '' } = style.attributes;
      this.texts.set(`${family} ${name}`, { own: ownTextStyle(style), parent });
      if (parent !== undefined && style.attributes['family'] === 'paragraph') this.parents.set(name, parent);
      return;
    }
    for (const level of childElements(style, 'list-level-style-number'))
      this.numberings.set(`${name} ${level.attributes['level']}`, level);
  }

  /** The properties of a span or paragraph inside of text with other properties. */
  textStyle(family: 'text' | 'paragraph', name: string | undefined, outer: TextStyle = PLAIN): TextStyle {
    const styles: Partial<TextStyle>[] = [];
    let next = name;
    for (let step = 0; next !== undefined && step < MAX_PARENTS; step += 1) {
      const style = this.texts.get(`${family} ${next}`);
      if (style !== undefined) styles.unshift(style.own);
      next = style?.parent;
    }
    return Object.assign({ ...outer }, ...styles);
  }

  roleOf(style: string | undefined): ParagraphRole {
    let name = style;
    for (let step = 0; name !== undefined && step < MAX_PARENTS; step += 1) {
      const role = ROLES.get(name);
      if (role !== undefined) return role;
      name = this.parents.get(name);
    }
    return 'paragraph';
  }

  /**
   * The label of a list item, such as `2. ` or `- `.
   *
   * @param level from 1
   */
  labelOf(listStyle: string, level: number, number: number): string {
    const attributes = this.numberings.get(`${listStyle} ${level}`)?.attributes;
    const format = NUMBER_FORMATS.get(attributes?.['num-format'] ?? '');
    if (attributes === undefined || format === undefined) return '- ';
    const { 'num-prefix': prefix = '', 'num-suffix': suffix = '' } = attributes;
    return `${prefix}${formatNumber(number, format)}${suffix} `;
  }
}

function ownTextStyle(style: XmlElement): Partial<TextStyle> {
  const own: { -readonly [Key in keyof TextStyle]?: TextStyle[Key] } = {};
  const { attributes = {} } = descendant(style, 'text-properties') ?? {};
  const { 'text-position': position, display, 'font-name': fontName, 'font-family': fontFamily } = attributes;
  const line = attributes['text-line-through-type'] ?? attributes['text-line-through-style'];
  if (line !== undefined) own.isStruck = line !== 'none';
  if (position !== undefined) own.isRaised = /^super|^[1-9]\d*%/.test(position);
  if (display !== undefined) own.isHidden = display === 'none';
  const font = fontName ?? fontFamily?.replaceAll("'", '');
  if (font !== undefined) own.symbolFont = isSymbolFont(font) ? font : null;
  return own;
}

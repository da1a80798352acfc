import { formatNumber, systemOf } from '../office/number-text.js';
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
/** The name of the list style that numbers headings. */
export const OUTLINE = 'Outline';
const MAX_PARENTS = 20;

/** The paragraph and list styles of a file. */
export class OdtStyles {
  private readonly parents = new Map<string, string>();
  /** Own properties and base styles of text, by family and name. */
  private readonly texts = new Map<string, { own: Partial<TextStyle>; parent: string | undefined }>();
  /** List styles of paragraph styles; `''` for no list. */
  private readonly lists = new Map<string, string>();
  /** The styles of numbered levels, by list style and level. */
  private readonly numberings = new Map<string, XmlElement>();

  /** Adds a `style:style` or `text:list-style`. */
  add(style: XmlElement): void {
    const { name = '', 'parent-style-name': parent } = style.attributes;
    if (style.name === 'style') {
      const { family = '' } = style.attributes;
      this.texts.set(`${family} ${name}`, { own: ownTextStyle(style), parent });
      const list = style.attributes['list-style-name'];
      if (list !== undefined) this.lists.set(name, list);
      if (parent !== undefined && style.attributes['family'] === 'paragraph') this.parents.set(name, parent);
      return;
    }
    const list = style.name === 'outline-style' ? OUTLINE : name;
    for (const level of childElements(style)) {
      if (level.name === 'list-level-style-number' || level.name === 'outline-level-style')
        this.numberings.set(`${list} ${level.attributes['level']}`, level);
    }
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

  /** Whether headings of a style are numbered. A style without a list removes the number of its base style. */
  isNumbered(style: string | undefined): boolean {
    let name = style;
    for (let step = 0; name !== undefined && step < MAX_PARENTS; step += 1) {
      const list = this.lists.get(name);
      if (list !== undefined) return list !== '';
      name = this.parents.get(name);
    }
    return true;
  }

  /** The first number of a level. */
  startOf(listStyle: string, level: number): number {
    const start = Number(this.levelOf(listStyle, level)['start-value'] ?? 1);
    return Number.isInteger(start) ? start : 1;
  }

  /**
   * The label of a list item, such as `2.1. ` or `- ` (ODF 1.3, 19.501 and 19.797).
   *
   * @param level from 1
   * @param numberAt the current number of a level
   */
  labelOf(listStyle: string, level: number, numberAt: (level: number) => number): string {
    const textAt = (at: number): string => {
      const { 'num-format': format = '' } = this.levelOf(listStyle, at);
      return format === '' ? '' : formatNumber(numberAt(at), systemOf(format) ?? 'decimal');
    };
    if (textAt(level) === '') return '- ';
    const attributes = this.levelOf(listStyle, level);
    const { 'num-prefix': prefix = '', 'num-suffix': suffix = '', 'num-list-format': pattern } = attributes;
    if (pattern !== undefined) return `${pattern.replace(/%(\d{1,2})%/g, (_, at) => textAt(Number(at)))} `;
    const levels = Math.min(level, Math.max(1, Number(attributes['display-levels'] ?? 1) || 1));
    const numbers = Array.from({ length: levels }, (_, index) => textAt(level - levels + 1 + index));
    return `${prefix}${numbers.filter((number) => number !== '').join('.')}${suffix} `;
  }

  private levelOf(listStyle: string, level: number): Readonly<Record<string, string>> {
    return this.numberings.get(`${listStyle} ${level}`)?.attributes ?? {};
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

import { formatNumber, systemOf } from '../office/number-text.js';
import { PLAIN, type TextStyle } from '../office/run-text.js';
import { isSymbolFont } from '../office/symbol-fonts.js';
import { childElements, descendant, type XmlElement } from '../xml/xml-tree.js';

/** Elements of `styles.xml` and `content.xml` that {@link OdtStyles} reads. */
export const STYLE_ELEMENTS: ReadonlySet<string> = new Set(['style', 'list-style', 'outline-style']);

type Family = 'text' | 'paragraph' | 'table-cell';

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
  /** By family and name. */
  private readonly styles = new Map<string, XmlElement>();
  private readonly resolved = new Map<string, Partial<TextStyle>>();
  /** The styles of numbered levels, by list style and level. */
  private readonly numberings = new Map<string, XmlElement>();

  /** Adds a `style:style` or `text:list-style`. */
  add(style: XmlElement): void {
    const { name = '' } = style.attributes;
    if (style.name === 'style') {
      this.styles.set(`${style.attributes['family'] ?? ''} ${name}`, style);
      return;
    }
    const list = style.name === 'outline-style' ? OUTLINE : name;
    for (const level of childElements(style)) {
      if (level.name === 'list-level-style-number' || level.name === 'outline-level-style')
        this.numberings.set(`${list} ${level.attributes['level']}`, level);
    }
  }

  /** The properties of a span or paragraph inside of text with other properties. */
  textStyle(family: Family, name: string | undefined, outer: TextStyle = PLAIN): TextStyle {
    const key = `${family} ${name}`;
    let all = this.resolved.get(key);
    if (all === undefined) {
      const styles = Array.from(this.chain(family, name), ([, style]) => ownTextStyle(style));
      all = Object.assign({}, ...styles.toReversed()) as Partial<TextStyle>;
      this.resolved.set(key, all);
    }
    return { ...outer, ...all };
  }

  /** A property of a style or of the first base style that has it. @param group its element: `table-properties` */
  property(family: string, name: string | undefined, group: string, property: string): string | undefined {
    for (const [, style] of this.chain(family, name)) {
      const value = descendant(style, group)?.attributes[property];
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** An attribute of a style or of the first base style that has it. */
  attribute(family: string, name: string | undefined, attribute: string): string | undefined {
    const styles = Array.from(this.chain(family, name), ([, style]) => style?.attributes[attribute]);
    return styles.find((value) => value !== undefined);
  }

  roleOf(style: string | undefined): ParagraphRole {
    const names = Array.from(this.chain('paragraph', style), ([name]) => name);
    return names.map((name) => ROLES.get(name)).find((role) => role !== undefined) ?? 'paragraph';
  }

  /** Whether headings of a style are numbered. A style without a list removes the number of its base style. */
  isNumbered(style: string | undefined): boolean {
    const lists = Array.from(this.chain('paragraph', style), ([, own]) => own?.attributes['list-style-name']);
    return lists.find((list) => list !== undefined) !== '';
  }

  /** A style and its base styles, which may be missing in the file. */
  private *chain(
    family: string,
    first: string | undefined,
  ): Generator<[name: string, style: XmlElement | undefined]> {
    let name = first;
    for (let step = 0; name !== undefined && step < MAX_PARENTS; step += 1) {
      const style = this.styles.get(`${family} ${name}`);
      yield [name, style];
      name = style?.attributes['parent-style-name'];
    }
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

function ownTextStyle(style: XmlElement | undefined): Partial<TextStyle> {
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

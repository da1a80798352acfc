import { formatNumber } from '../docx/format-number.js';
import { childElements, type XmlElement } from '../xml/xml-tree.js';

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
  /** The styles of numbered levels, by list style and level. */
  private readonly numberings = new Map<string, XmlElement>();

  /** Adds a `style:style` or `text:list-style`. */
  add(style: XmlElement): void {
    const { name = '', 'parent-style-name': parent } = style.attributes;
    if (style.name === 'style') {
      if (parent !== undefined && style.attributes['family'] === 'paragraph') this.parents.set(name, parent);
      return;
    }
    for (const level of childElements(style, 'list-level-style-number'))
      this.numberings.set(`${name} ${level.attributes['level']}`, level);
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

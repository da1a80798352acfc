import { builtInFormat, type NumberFormat, numberFormat } from '../office/number-format.js';
import { childElements, descendant, type XmlElement } from '../xml/xml-tree.js';

const DAY_MS = 86_400_000;
/** Day 0 of sheets (30 December 1899) in days before 1 January 1970. */
const EPOCH_DAYS = 25_569;

/** The formats of a workbook by the indices that cells have. */
export class CellFormats {
  private readonly formats: NumberFormat[];
  private readonly general = builtInFormat(0);

  /** @param startsIn1904 whether day 0 is 1 January 1904 (18.2.28) */
  constructor(styles: XmlElement | undefined, startsIn1904: boolean) {
    const codes = new Map<number, NumberFormat>();
    const custom = descendant(styles, 'numFmts');
    for (const { attributes } of custom === undefined ? [] : childElements(custom, 'numFmt')) {
      codes.set(Number(attributes['numFmtId']), numberFormat(attributes['formatCode'] ?? '', startsIn1904));
    }
    const cells = descendant(styles, 'cellXfs');
    this.formats = (cells === undefined ? [] : childElements(cells, 'xf')).map((xf) => {
      const id = Number(xf.attributes['numFmtId'] ?? 0);
      return codes.get(id) ?? builtInFormat(id, startsIn1904);
    });
  }

  /** @param style index of the cell's style */
  of(style: string | undefined): NumberFormat {
    return this.formats[Number(style ?? 0)] ?? this.general;
  }
}

/** Shows a date in ISO 8601, as some programs store it (18.18.11), in the format of its cell. */
export function showIsoDate(value: string, format: NumberFormat): string {
  const time = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(value) ? value : `${value}Z`);
  return Number.isNaN(time) || !format.isDate ? value : format.showNumber(time / DAY_MS + EPOCH_DAYS);
}

import { childElements, descendant, descendants, textContent, type XmlElement } from '../xml/xml-tree.js';
import { type NumberFormat, numberFormat } from './number-format.js';

type ShowValue = (value: string, own: string | undefined) => string;

const GENERAL = 'General';
const DATE = 'yyyy-mm-dd';

/**
 * The formats of the numbers of a chart (ECMA-376 Part 1, 21.2.2.71): that of the point or of the cells, else that of data
 * labels or of the axis.
 */
export class ChartFormats {
  private readonly startsIn1904: boolean;
  private readonly formats = new Map<string, NumberFormat>();

  /** @param chart the element `chartSpace` */
  constructor(private readonly chart: XmlElement) {
    const flag = descendant(chart, 'date1904');
    this.startsIn1904 = flag !== undefined && !['0', 'false'].includes(flag.attributes['val'] ?? '1');
  }

  /** Categories of an axis of dates are dates, even without a format. */
  ofCategories(cache: XmlElement): ShowValue {
    const [axis] = descendants(this.chart, 'dateAx');
    return this.show(cellCode(cache) ?? (axis === undefined ? GENERAL : (ownCode(axis) ?? DATE)));
  }

  ofValues(cache: XmlElement, series: XmlElement): ShowValue {
    const labels = childElements(series, 'dLbls')[0];
    const axes = [...descendants(this.chart, 'valAx')].filter((axis) => !this.isHorizontal(axis));
    return this.show(cellCode(cache) ?? ownCode(labels) ?? ownCode(axes[0]) ?? GENERAL);
  }

  /** Whether an axis of values is that of the x coordinates of a plot, which comes first. */
  private isHorizontal(axis: XmlElement): boolean {
    const all = [...descendants(this.chart, 'valAx')];
    return all.length > 1 && descendants(this.chart, 'xVal').next().done === false && axis === all[0];
  }

  private show(code: string): ShowValue {
    return (value, own = code) => {
      const number = Number(value);
      if (value.trim() === '' || !Number.isFinite(number)) return value;
      // A format that hides a number hides a label, but not the bar.
      return this.formatOf(own).showNumber(number) || value;
    };
  }

  private formatOf(code: string): NumberFormat {
    const known = this.formats.get(code);
    if (known !== undefined) return known;
    const format = numberFormat(code, this.startsIn1904);
    this.formats.set(code, format);
    return format;
  }
}

function cellCode(cache: XmlElement): string | undefined {
  const element = descendant(cache, 'formatCode');
  return element === undefined ? undefined : knownCode(textContent(element));
}

/** The format code of an axis or of labels, unless it is that of the cells. */
function ownCode(element: XmlElement | undefined): string | undefined {
  const format = descendant(element, 'numFmt');
  return format === undefined ? undefined : knownCode(format.attributes['formatCode']);
}

function knownCode(code: string | undefined): string | undefined {
  return ['', 'general'].includes(code?.trim().toLowerCase() ?? '') ? undefined : code;
}

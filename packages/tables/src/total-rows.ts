import type { ColumnType, TableCell } from './typed-table.js';

/** Names of sums and averages, as whole words. They alone decide nothing. */
const TOTAL_NAME =
  /^(?:(?:grand|sub|net|gross)[\s-]?)?(?:totals?|sum|overall|average|mean)\b|^(?:(?:gesamt|zwischen|end)-?)?summe\b|^(?:gesamt|insgesamt|durchschnitt|mittelwert|summe)|^(?:sous-|sub)?total|^(?:somme|moyenne|suma|promedio|media|totale|totaal|razem|итого|всего)(?:$|[\s:])|^(?:合計|小計|総計|平均|合计|小计|总计|总和)/i;
/** A column that has text in this share of the other rows is expected to have it in each row. */
const USUAL_SHARE = 0.8;
/** Small numbers are equal to sums by chance. */
const LARGE = 100;

interface Sums {
  sum: number;
  count: number;
}

/**
 * Recognizes rows that repeat others: sums of the rows above, since the last sum or since the beginning, and averages. The
 * numbers decide, together with one more sign: a name such as `Total`, or cells that are empty in this row only.
 */
export class TotalRows {
  private readonly groups: Sums[];
  private readonly parts: Sums[];

  /** @param filledShares the share of the other rows that have text in a column */
  constructor(
    private readonly types: readonly ColumnType[],
    private readonly filledShares: readonly number[],
  ) {
    this.groups = types.map(() => ({ sum: 0, count: 0 }));
    this.parts = types.map(() => ({ sum: 0, count: 0 }));
  }

  /** Whether the next row is a total. Call it for each row, in order. */
  next(cells: readonly TableCell[]): boolean {
    const isTotal = this.isTotal(cells);
    for (const [column, { value }] of cells.entries()) {
      const [group, part] = [this.groups[column], this.parts[column]];
      if (group === undefined || part === undefined) continue;
      if (isTotal) group.sum = group.count = 0;
      else if (typeof value === 'number')
        for (const sums of [group, part]) {
          sums.sum += value;
          sums.count += 1;
        }
    }
    return isTotal;
  }

  private isTotal(cells: readonly TableCell[]): boolean {
    let sums = 0;
    let largeSums = 0;
    let averages = 0;
    let numbers = 0;
    for (const [column, { value }] of cells.entries()) {
      if (typeof value !== 'number' || this.types[column] === 'percent') continue;
      numbers += 1;
      const [group, part] = [this.groups[column], this.parts[column]];
      if (group === undefined || part === undefined || value === 0) continue;
      const isSum = [group, part].some(({ sum, count }) => count > 1 && isNear(value, sum));
      if (isSum) sums += 1;
      if (isSum && Math.abs(value) >= LARGE) largeSums += 1;
      else if (!isSum && part.count > 2 && isNear(value, part.sum / part.count)) averages += 1;
    }
    if (numbers === 0) return false;
    const isNamed = cells.some(
      ({ text, value }) => typeof value !== 'number' && text !== '' && TOTAL_NAME.test(text.trim()),
    );
    const hasGaps = cells.some(
      ({ text }, column) => text === '' && (this.filledShares[column] ?? 0) >= USUAL_SHARE,
    );
    if (isNamed) return sums + averages > 0 || hasGaps;
    if (!hasGaps) return largeSums > 2 && sums * 2 >= numbers;
    const hasText = cells.some(({ value, text }) => typeof value !== 'number' && text !== '');
    return hasText ? largeSums > 0 && sums * 2 >= numbers : sums * 2 >= numbers || averages === numbers;
  }
}

/** Whether a value is the sum, as far as rounded numbers tell. */
function isNear(value: number, sum: number): boolean {
  return Math.abs(value - sum) <= Math.min(0.011, Math.abs(sum) * 0.001) + Math.abs(sum) * 1e-9;
}

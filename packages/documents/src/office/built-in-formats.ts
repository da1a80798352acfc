/** A format that shows a time for numbers below 1, and else a date: its meaning depends on the language of Excel. */
export interface DateOrTimeCode {
  readonly date: string;
  readonly time: string;
}

// The order of day and month depends on the locale of the reader, so these dates are written so that all readers
// understand them.
const DATE = 'yyyy-mm-dd';
const DATE_TIME = 'yyyy-mm-dd h:mm';
const DATE_OR_TIME: DateOrTimeCode = { date: DATE, time: 'h:mm' };
const DATE_OR_TIME_WITH_SECONDS: DateOrTimeCode = { date: DATE, time: 'h:mm:ss' };

/**
 * Codes of the formats that files refer to by an id only (ECMA-376 Part 1, 18.8.30). Ids from 27 to 36 and from 50 to 58
 * are formats of East Asian versions of Excel, ids from 59 to 81 those of the Thai version.
 */
export const BUILT_IN_CODES: ReadonlyMap<number, string | DateOrTimeCode> = new Map<
  number,
  string | DateOrTimeCode
>([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [5, '"$"#,##0_);\\("$"#,##0\\)'],
  [6, '"$"#,##0_);[Red]\\("$"#,##0\\)'],
  [7, '"$"#,##0.00_);\\("$"#,##0.00\\)'],
  [8, '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)'],
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  [14, DATE],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, DATE_TIME],
  [27, DATE],
  [28, DATE],
  [29, DATE],
  [30, DATE],
  [31, DATE],
  [32, 'h:mm'],
  [33, 'h:mm:ss'],
  [34, DATE_OR_TIME],
  [35, DATE_OR_TIME_WITH_SECONDS],
  [36, DATE],
  [37, '#,##0_);\\(#,##0\\)'],
  [38, '#,##0_);[Red]\\(#,##0\\)'],
  [39, '#,##0.00_);\\(#,##0.00\\)'],
  [40, '#,##0.00_);[Red]\\(#,##0.00\\)'],
  [41, '_(* #,##0_);_(* \\(#,##0\\);_(* "-"_);_(@_)'],
  [42, '_("$"* #,##0_);_("$"* \\(#,##0\\);_("$"* "-"_);_(@_)'],
  [43, '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)'],
  [44, '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss.0'],
  [48, '##0.0E+0'],
  [49, '@'],
  [50, DATE],
  [51, DATE],
  [52, DATE],
  [53, DATE],
  [54, DATE],
  [55, DATE_OR_TIME],
  [56, DATE_OR_TIME_WITH_SECONDS],
  [57, DATE],
  [58, DATE],
  [59, '0'],
  [60, '0.00'],
  [61, '#,##0'],
  [62, '#,##0.00'],
  [67, '0%'],
  [68, '0.00%'],
  [69, '# ?/?'],
  [70, '# ??/??'],
  [71, DATE],
  [72, 'd-mmm-yy'],
  [73, 'd-mmm'],
  [74, 'mmm-yy'],
  [75, 'h:mm'],
  [76, 'h:mm:ss'],
  [77, DATE_TIME],
  [78, 'mm:ss'],
  [79, '[h]:mm:ss'],
  [80, 'mm:ss.0'],
  [81, DATE],
]);

/** The first rows of a long table; all rows if {@link isWhole}. Begin the table with the rows that matter most. */
export function sample<Row>(rows: readonly Row[], count = 1): Row[] {
  return rows.slice(0, isWhole() ? rows.length : count);
}

/** Whether the suite runs in a soak test, which imports it with `TEST_EXTENT` set to `whole`, and not in `npm test`. */
export function isWhole(): boolean {
  return process.env['TEST_EXTENT'] === 'whole';
}

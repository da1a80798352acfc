/**
 * Whether so many parts of a group are missing that an outage of their server is more likely: at least 10 and a quarter of
 * them, at least 3 and more than half of them, or all of them.
 */
export function isUnlikely(missing: number, total: number): boolean {
  if (missing === 0) return false;
  return (missing >= 10 && missing * 4 >= total) || (missing >= 3 && missing * 2 > total) || missing >= total;
}

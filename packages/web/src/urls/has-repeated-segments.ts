const MAX_REPEATS = 3;
/** Later segments are not compared: a path with more is too long for `UrlScope`, and the time is quadratic in them. */
const MAX_SEGMENTS = 1_024;

/**
 * Whether a sequence of path segments occurs three times in a row, as in `/a/b/a/b/a/b`. Wrong relative links
 * lead to such URLs, and each of those pages links to a longer one. A repeated number does not count:
 * `/2011/11/11/11` is a date.
 *
 * @param url absolute; false for anything that is not a URL
 */
export function hasRepeatedSegments(url: string): boolean {
  const path = URL.parse(url)?.pathname ?? '';
  const segments = path.split('/').filter(Boolean).slice(0, MAX_SEGMENTS);
  for (let period = 1; period * MAX_REPEATS <= segments.length; period += 1) {
    let equal = 0;
    for (let at = period; at < segments.length; at += 1) {
      const segment = segments[at] ?? '';
      const isRepeat = segment === segments[at - period] && (period > 1 || !/^\d+$/.test(segment));
      equal = isRepeat ? equal + 1 : 0;
      if (equal >= period * (MAX_REPEATS - 1)) return true;
    }
  }
  return false;
}

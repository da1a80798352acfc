const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Longer clusters occur only in hostile text (letters with hundreds of accents); code points are cut instead.
 */
const MAX_GRAPHEME_CHARACTERS = 64;

/**
 * The last offset at or before `wanted` where a text can be cut: after white space in the second half of the
 * range, else between two graphemes, else between two code points. The result is always greater than `start`:
 * when a surrogate pair begins at `start`, it may be `wanted + 1`.
 *
 * @param start beginning of the range
 * @param wanted preferred end of the range, `start < wanted`
 */
export function safeCut(text: string, start: number, wanted: number): number {
  if (wanted >= text.length) return text.length;
  const half = start + Math.ceil((wanted - start) / 2);
  for (let at = wanted; at > half; at -= 1) if (/\s/.test(text.charAt(at - 1))) return at;
  const grapheme = graphemeBoundary(text, start, wanted);
  if (grapheme > start) return grapheme;
  const isInsidePair = (text.codePointAt(wanted - 1) ?? 0) > 0xffff;
  if (!isInsidePair) return wanted;
  return wanted - 1 > start ? wanted - 1 : wanted + 1;
}

/** The last offset at or before `wanted` that is between two graphemes; `start` if there is none nearby. */
export function graphemeBoundary(text: string, start: number, wanted: number): number {
  const from = Math.max(start, wanted - MAX_GRAPHEME_CHARACTERS);
  let last = from;
  for (const { index, segment } of segmenter.segment(text.slice(from, wanted + MAX_GRAPHEME_CHARACTERS))) {
    const end = from + index + segment.length;
    if (end > wanted) break;
    last = end;
  }
  return last > from ? last : start;
}

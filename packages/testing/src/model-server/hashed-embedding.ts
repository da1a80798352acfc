/** Words, and single characters of scripts that are written without spaces. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * A deterministic embedding: a bag of words, hashed into `dimensions` buckets with signs, and of length 1. Texts with
 * words in common are near each other; it knows nothing of meaning. A text without words points along the first axis.
 */
export function hashedEmbedding(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    const hash = fnv1a(word);
    const bucket = (hash >>> 1) % dimensions;
    vector[bucket] = (vector[bucket] ?? 0) + (hash & 1 ? 1 : -1);
  }
  const length = Math.hypot(...vector);
  if (length === 0) return vector.with(0, 1);
  return vector.map((value) => value / length);
}

/** 32-bit FNV-1a over UTF-16 units. */
function fnv1a(word: string): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), FNV_PRIME);
  return hash >>> 0;
}

/** Words, or single characters of scripts without spaces between words. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * A deterministic embedding: words are hashed into `dimensions` buckets with a sign, and the vector has
 * length 1. Texts with common words are similar; meaning is ignored. A text without words gives the first
 * unit vector.
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

/** 32-bit FNV-1a over UTF-16 code units. */
function fnv1a(word: string): number {
  let hash = FNV_OFFSET;
  for (let index = 0; index < word.length; index += 1)
    hash = Math.imul(hash ^ word.charCodeAt(index), FNV_PRIME);
  return hash >>> 0;
}

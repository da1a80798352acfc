/**
 * Returns a copy scaled to length 1: the dot product of two such vectors is their cosine.
 * The zero vector stays zero, so its cosine with any vector is 0.
 */
export function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  return vector.map((value) => value * scale);
}

/** Returns the array if it has at least `length` elements, else a copy of at least twice its size. */
export function grownInt32(array: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  if (length <= array.length) return array;
  const grown = new Int32Array(Math.max(length, array.length * 2));
  grown.set(array);
  return grown;
}

/** Like {@link grownInt32}. */
export function grownFloat32(array: Float32Array<ArrayBuffer>, length: number): Float32Array<ArrayBuffer> {
  if (length <= array.length) return array;
  const grown = new Float32Array(Math.max(length, array.length * 2));
  grown.set(array);
  return grown;
}

/** Like {@link grownInt32}. */
export function grownInt8(array: Int8Array<ArrayBuffer>, length: number): Int8Array<ArrayBuffer> {
  if (length <= array.length) return array;
  const grown = new Int8Array(Math.max(length, array.length * 2));
  grown.set(array);
  return grown;
}

/**
 * MurmurHash3 for x86, 32 bits. Source: `MurmurHash3_x86_32` by Austin Appleby, public domain.
 * @returns an unsigned 32-bit integer
 */
export function murmur3(bytes: Uint8Array, seed = 0): number {
  const blocks = bytes.length & ~3;
  let hash = seed | 0;
  for (let i = 0; i < blocks; i += 4) {
    hash ^= scramble(
      byte(bytes, i) | (byte(bytes, i + 1) << 8) | (byte(bytes, i + 2) << 16) | (byte(bytes, i + 3) << 24),
    );
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let i = bytes.length - 1; i >= blocks; i--) tail = (tail << 8) | byte(bytes, i);
  hash ^= scramble(tail) ^ bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function scramble(block: number): number {
  const mixed = Math.imul(block, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}

function byte(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}

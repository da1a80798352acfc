const HEADER_BYTES = 8;
const FIELD_BYTES = 12;
const MAX_PAGES = 5_000;

/**
 * The offsets of the directories of a TIFF file, one for each page (TIFF 6.0, section 2).
 *
 * @returns an empty array for other files
 */
export function tiffPages(file: Uint8Array): number[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const isLittle = isLittleEndian(view);
  if (isLittle === null) return [];
  const offsets = new Set<number>();
  let offset = view.getUint32(4, isLittle);
  while (offset >= HEADER_BYTES && offset + 2 <= file.length && offsets.size < MAX_PAGES) {
    // A damaged file may repeat its pages for ever.
    if (offsets.has(offset)) break;
    offsets.add(offset);
    const next = offset + 2 + view.getUint16(offset, isLittle) * FIELD_BYTES;
    if (next + 4 > file.length) break;
    offset = view.getUint32(next, isLittle);
  }
  return [...offsets];
}

/** A copy of a TIFF file that begins with a page. Decoders read the first one. @param number from 1 */
export function tiffPage(file: Uint8Array, number: number): Uint8Array {
  const offset = tiffPages(file)[number - 1];
  if (offset === undefined) return file;
  const copy = Uint8Array.from(file);
  const view = new DataView(copy.buffer);
  view.setUint32(4, offset, isLittleEndian(view) ?? true);
  return copy;
}

/** @returns null for a file that is no TIFF */
function isLittleEndian(view: DataView): boolean | null {
  if (view.byteLength < HEADER_BYTES) return null;
  const magic = view.getUint32(0);
  if (magic === 0x49_49_2a_00) return true;
  return magic === 0x4d_4d_00_2a ? false : null;
}

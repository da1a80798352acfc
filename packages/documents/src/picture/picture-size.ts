export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const PNG = 0x89_50_4e_47;
const GIF = 0x47_49_46_38;
const RIFF = 0x52_49_46_46;
const JPEG = 0xff_d8;
const BMP = 0x42_4d;
const TIFF: readonly number[] = [0x49_49_2a_00, 0x4d_4d_00_2a];
const MIN_BYTES = 32;

/**
 * The size of a picture in pixels by its header.
 *
 * @returns null for other files than PNG, JPEG, GIF, WebP and BMP; infinite for TIFF, whose header can be anywhere
 */
export function pictureSize(file: Uint8Array): PictureSize | null {
  if (file.byteLength < MIN_BYTES) return null;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const magic = view.getUint32(0);
  if (magic === PNG) return { width: view.getUint32(16), height: view.getUint32(20) };
  if (magic === GIF) return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (magic === RIFF) return webpSize(view);
  if (magic >>> 16 === JPEG) return jpegSize(view);
  if (magic >>> 16 === BMP)
    return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
  return TIFF.includes(magic) ? { width: Infinity, height: Infinity } : null;
}

/** The size in the first frame header (ITU-T T.81, B.2.2). */
function jpegSize(view: DataView): PictureSize | null {
  for (let at = 2; at + 9 < view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    // Frame headers, without the tables for Huffman codes, arithmetic coding and the reserved one.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // Fill bytes before a marker.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return null;
}

/** The size of a lossy, lossless or extended file (RFC 9649, 2.5 to 2.7). */
function webpSize(view: DataView): PictureSize | null {
  const kind = view.getUint32(12);
  const pair = (at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  if (kind === 0x56_50_38_58) return { width: pair(24) + 1, height: pair(27) + 1 };
  if (kind === 0x56_50_38_20)
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (kind !== 0x56_50_38_4c) return null;
  const bits = view.getUint32(21, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

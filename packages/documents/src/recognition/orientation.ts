/** EXIF's field of the orientation, in both byte orders, up to its value (EXIF 2.32, 4.6.4). */
const ORIENTATION = [Buffer.from('0112000300000001', 'hex'), Buffer.from('1201030001000000', 'hex')];
const JPEG_START = 0xff_d8;
const EXIF_BYTES = 65_536;

/** The orientation of a photo by its EXIF data; 1 if it has none. */
export function orientationOf(file: Uint8Array): number {
  const head = Buffer.from(file.buffer, file.byteOffset, Math.min(EXIF_BYTES, file.byteLength));
  if (head.length < 2 || head.readUInt16BE(0) !== JPEG_START) return 1;
  const values = ORIENTATION.map((field, index) => {
    const at = head.indexOf(field);
    return at < 0 ? undefined : head[at + field.length + (index === 0 ? 1 : 0)];
  });
  return values.find((value) => value !== undefined && value >= 1 && value <= 8) ?? 1;
}

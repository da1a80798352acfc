/** The field of a TIFF for the orientation of its page (TIFF 6.0, section 8). */
const ORIENTATION = 't274';
/** Clockwise turns of 90 degrees that show the page upright. Mirrored pages do not occur in scans. */
const TURNS: Readonly<Record<number, number>> = { 3: 2, 6: 1, 8: 3 };

/** Decodes a page of a TIFF for the browser. The decoder is loaded with the first one. @param page from 1 */
export async function decodeTiffPage(file: Blob, page: number): Promise<Blob> {
  const { default: tiff } = await import('utif2');
  const bytes = await file.arrayBuffer();
  const directory = tiff.decode(bytes)[page - 1];
  if (directory === undefined) throw new RangeError('The TIFF has no such page.');
  tiff.decodeImage(bytes, directory);
  const { width, height } = directory;
  const picture = new OffscreenCanvas(width, height);
  const pixels = new Uint8ClampedArray(tiff.toRGBA8(directory));
  picture.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0);
  const [orientation] = [directory[ORIENTATION]].flat();
  const turns = TURNS[Number(orientation)] ?? 0;
  if (turns === 0) return picture.convertToBlob();
  const upright = turns === 2 ? new OffscreenCanvas(width, height) : new OffscreenCanvas(height, width);
  const context = upright.getContext('2d');
  context?.translate(upright.width / 2, upright.height / 2);
  context?.rotate((turns * Math.PI) / 2);
  context?.drawImage(picture, -width / 2, -height / 2);
  return upright.convertToBlob();
}

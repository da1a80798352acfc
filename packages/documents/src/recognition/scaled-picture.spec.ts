import { PhotonImage } from '@silvia-odwyer/photon-node';
import { describe, expect, it } from '@jest/globals';
import { pictureSize } from '../picture/picture-size.js';
import { pngOf } from '../test-files/index.js';
import { scaledPicture } from './scaled-picture.js';

/** The left half is black. */
function halves(width: number, height: number): Buffer {
  const grey = new Uint8Array(width * height).map((_, index) => (index % width < width / 2 ? 0 : 255));
  return pngOf({ width, height, grey });
}

/** The JPEG file with the EXIF field of an orientation. */
function withOrientation(jpeg: Uint8Array, orientation: number): Uint8Array {
  const exif = Buffer.from(
    `ffe1 0022 457869660000 4d4d002a00000008 0001 0112 0003 00000001 00${orientation.toString(16).padStart(2, '0')}0000 00000000`.replaceAll(
      ' ',
      '',
    ),
    'hex',
  );
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
}

function levelAt(jpeg: Uint8Array | null, x: number, y: number): number {
  const picture = PhotonImage.new_from_byteslice(jpeg ?? new Uint8Array());
  return picture.get_raw_pixels()[(y * picture.get_width() + x) * 4] ?? -1;
}

describe('a picture for a model', () => {
  it('is a JPEG file of at most 1,024 pixels a side', async () => {
    const scaled = await scaledPicture(halves(2_000, 1_000));
    expect(pictureSize(scaled ?? new Uint8Array())).toEqual({ width: 1_024, height: 512 });
    expect(Buffer.from(scaled ?? []).readUInt16BE(0)).toBe(0xff_d8);
    const small = await scaledPicture(halves(40, 20));
    expect(pictureSize(small ?? new Uint8Array())).toEqual({ width: 40, height: 20 });
  });

  it.each([
    [3, { width: 64, height: 32 }, [48, 16]],
    [6, { width: 32, height: 64 }, [16, 16]],
    [8, { width: 32, height: 64 }, [16, 48]],
  ] as const)('is upright (%i)', async (orientation, size, [x, y]) => {
    const jpeg = (await scaledPicture(halves(64, 32))) ?? new Uint8Array();
    const upright = await scaledPicture(withOrientation(jpeg, orientation));
    expect(pictureSize(upright ?? new Uint8Array())).toEqual(size);
    expect(levelAt(upright, x, y)).toBeLessThan(20);
    expect(levelAt(upright, size.width - 1 - x, size.height - 1 - y)).toBeGreaterThan(235);
  });

  it('is laid on white', async () => {
    const clear = new PhotonImage(new Uint8Array(40 * 40 * 4), 40, 40).get_bytes();
    expect(levelAt(await scaledPicture(clear), 20, 20)).toBeGreaterThan(250);
  });

  it.each([['text'], [''], ['\u0089PNG']])('is null for a file that is none (%j)', async (text) => {
    expect(await scaledPicture(Buffer.from(text, 'latin1'))).toBeNull();
  });
});

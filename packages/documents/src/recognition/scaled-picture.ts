import { orientationOf } from './orientation.js';

/** Models see no more of a picture, or count more tokens for it. */
const LONG_SIDE_PIXELS = 1_024;
const JPEG_QUALITY = 85;
const WHITE = 255;

/** How the position of a pixel in the upright picture is found in the stored one, by EXIF's orientation. */
const TURNS: Readonly<Record<number, (x: number, y: number, width: number, height: number) => number>> = {
  3: (x, y, width, height) => (height - 1 - y) * width + (width - 1 - x),
  6: (x, y, width, height) => (height - 1 - x) * width + y,
  8: (x, y, width) => x * width + (width - 1 - y),
};

/**
 * A picture as a model gets it: a JPEG file of at most 1,024 pixels a side, upright, on white. It blocks the event loop for
 * seconds.
 *
 * @param file PNG, JPEG, WebP, GIF or BMP
 * @returns null for a file that cannot be decoded
 */
export async function scaledPicture(file: Uint8Array): Promise<Uint8Array | null> {
  const { PhotonImage, resize, SamplingFilter } = await import('@silvia-odwyer/photon-node');
  try {
    const picture = PhotonImage.new_from_byteslice(file);
    const [fullWidth, fullHeight] = [picture.get_width(), picture.get_height()];
    const scale = Math.min(1, LONG_SIDE_PIXELS / Math.max(fullWidth, fullHeight));
    const width = Math.max(1, Math.round(fullWidth * scale));
    const height = Math.max(1, Math.round(fullHeight * scale));
    const scaled = scale === 1 ? picture : resize(picture, width, height, SamplingFilter.Triangle);
    const orientation = orientationOf(file);
    const pixels = onWhite(scaled.get_raw_pixels(), { width, height, orientation });
    if (scaled !== picture) scaled.free();
    picture.free();
    const isOnSide = orientation === 6 || orientation === 8;
    const upright = new PhotonImage(pixels, isOnSide ? height : width, isOnSide ? width : height);
    const jpeg = upright.get_bytes_jpeg(JPEG_QUALITY);
    upright.free();
    return jpeg;
  } catch {
    // The library fails with a trap, whatever is wrong with the file.
    return null;
  }
}

/** Turns pixels (RGBA) upright, and lays them on white: JPEG has no transparency. */
function onWhite(
  pixels: Uint8Array,
  { width, height, orientation }: { width: number; height: number; orientation: number },
): Uint8Array {
  const turned = TURNS[orientation];
  const across = orientation === 6 || orientation === 8 ? height : width;
  const upright = new Uint8Array(pixels.length);
  for (let index = 0; index * 4 < pixels.length; index += 1) {
    const from = turned?.(index % across, Math.trunc(index / across), width, height) ?? index;
    const alpha = (pixels[from * 4 + 3] ?? WHITE) / WHITE;
    for (let channel = 0; channel < 3; channel += 1)
      upright[index * 4 + channel] = Math.round(
        (pixels[from * 4 + channel] ?? 0) * alpha + WHITE * (1 - alpha),
      );
    upright[index * 4 + 3] = WHITE;
  }
  return upright;
}

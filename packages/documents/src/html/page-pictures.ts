import type { DocumentBuilder, PictureSource } from '../document/document-builder.js';
import { HtmlElement, type HtmlTree } from './html-tree.js';

/** Finds the picture with an address; null for none. */
export type PictureOf = (address: string) => PictureSource | null;

const DATA = /^data:image\/[\w.+-]+;base64,/i;

/** Puts the text that pictures show behind them, so that it is part of the content as other text is. */
export function placePictures(
  { pictures }: HtmlTree,
  builder: DocumentBuilder,
  pictureOf: PictureOf = () => null,
): void {
  if (builder.pictures === undefined) return;
  for (const image of pictures) {
    const { parent } = image;
    const address = image.attribute('src') ?? '';
    const source = DATA.test(address) ? pictureInAddress(address) : pictureOf(address);
    const description = image.attribute('alt');
    const recognized = source === null ? null : builder.pictures.read({ ...source, description });
    if (recognized === null || parent === null) continue;
    const part = new HtmlElement('div', parent);
    part.recognized = recognized;
    part.children.push(recognized.text);
    parent.children.splice(parent.children.indexOf(image) + 1, 0, part);
  }
}

/** The picture of a `data:` URL (RFC 2397). */
function pictureInAddress(address: string): PictureSource {
  return {
    size: (address.length * 3) / 4,
    bytes: () => Buffer.from(address.slice(address.indexOf(',') + 1), 'base64'),
  };
}

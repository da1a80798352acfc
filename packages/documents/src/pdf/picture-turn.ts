/** How a picture was turned before its text was recognized. */
export interface PictureTurn {
  /** Clockwise turns of 90 degrees, from 0 to 3. */
  readonly quarters: number;
  /** The turn after that, around the middle of the picture, in radians, clockwise. */
  readonly slope: number;
}

/** A rectangle in pixels. */
export interface PixelBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A rectangle in shares of the width and the height of a page, from 0 to 1, from the top left. */
export type PageBox = PixelBox;

/** Writes the turn into the text of the first row of Tesseract's tab-separated values, which is the row of the page. */
export function withTurn(table: string, { quarters, slope }: PictureTurn): string {
  const end = table.indexOf('\n');
  const [row, others] = end < 0 ? [table, ''] : [table.slice(0, end), table.slice(end)];
  return `${row.split('\t').slice(0, 11).join('\t')}\t${quarters} ${slope.toFixed(5)}${others}`;
}

/** Reads what {@link withTurn} has written. @returns no turn for another text */
export function readTurn(text: string): PictureTurn {
  const [quarters = NaN, slope = NaN] = text.split(' ', 2).map(Number);
  const isTurn = Number.isInteger(quarters) && quarters >= 0 && quarters <= 3 && Math.abs(slope) <= Math.PI;
  return isTurn ? { quarters, slope } : { quarters: 0, slope: 0 };
}

/**
 * Where a rectangle of the turned picture is on the page.
 *
 * @param size of the turned picture, in pixels
 * @returns the smallest upright rectangle around it
 */
export function onPage(
  { left, top, width, height }: PixelBox,
  size: Pick<PixelBox, 'width' | 'height'>,
  { quarters, slope }: PictureTurn,
): PageBox {
  const [sine, cosine] = [Math.sin(slope), Math.cos(slope)];
  const [middleX, middleY] = [size.width / 2, size.height / 2];
  const corners = [
    [left, top],
    [left + width, top],
    [left, top + height],
    [left + width, top + height],
  ].map(([x = 0, y = 0]) => {
    const [fromX, fromY] = [x - middleX, y - middleY];
    let point: readonly [number, number] = [
      (middleX + fromX * cosine + fromY * sine) / size.width,
      (middleY - fromX * sine + fromY * cosine) / size.height,
    ];
    for (let turn = 0; turn < quarters; turn += 1) point = [point[1], 1 - point[0]];
    return point.map((share) => Math.min(1, Math.max(0, share)));
  });
  const across = corners.map(([x = 0]) => x);
  const down = corners.map(([, y = 0]) => y);
  const [minX, minY] = [Math.min(...across), Math.min(...down)];
  return { left: minX, top: minY, width: Math.max(...across) - minX, height: Math.max(...down) - minY };
}

/** A rectangle, in any unit, with the origin at the top left. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Placed<T> {
  readonly item: T;
  readonly box: Box;
}

/** The share of its length by which a box may overlap the next one, and is still beside or below it. */
const OVERLAP = 0.1;

/** Gaps that differ by less than this share are equal. */
const EQUAL = 0.05;

/**
 * Sorts boxes as people read them: the area is cut at its widest gap, between rows or between columns, and each part is
 * sorted in the same way. Boxes that no gap separates are read from top to bottom. At equal gaps, rows come first.
 *
 * @param isRightToLeft whether columns are read from the right
 */
export function positionOrder<T>(boxes: readonly Placed<T>[], isRightToLeft: boolean): T[] {
  if (boxes.length < 2) return boxes.map(({ item }) => item);
  const columns = widestGap(boxes, 'left', 'right');
  const rows = widestGap(boxes, 'top', 'bottom');
  const isColumns = columns !== null && (rows === null || columns.width > rows.width * (1 + EQUAL));
  const cut = isColumns ? columns : rows;
  if (cut === null) return byTop(boxes, isRightToLeft).map(({ item }) => item);
  const parts = isColumns && isRightToLeft ? [cut.after, cut.before] : [cut.before, cut.after];
  return parts.flatMap((part) => positionOrder(part, isRightToLeft));
}

interface Cut<T> {
  readonly width: number;
  readonly before: Placed<T>[];
  readonly after: Placed<T>[];
}

/** The widest gap that no box crosses in a direction. */
function widestGap<T>(
  boxes: readonly Placed<T>[],
  from: 'left' | 'top',
  to: 'right' | 'bottom',
): Cut<T> | null {
  const sorted = boxes.toSorted((a, b) => a.box[from] - b.box[from]);
  const reach = ({ box }: Placed<T>): number => box[to] - (box[to] - box[from]) * OVERLAP;
  let best: { index: number; width: number } | null = null;
  let crossed = Number.NEGATIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const [index, placed] of sorted.entries()) {
    const width = placed.box[from] - end;
    if (index > 0 && placed.box[from] >= crossed && (best === null || width > best.width))
      best = { index, width };
    crossed = Math.max(crossed, reach(placed));
    end = Math.max(end, placed.box[to]);
  }
  if (best === null) return null;
  return { width: best.width, before: sorted.slice(0, best.index), after: sorted.slice(best.index) };
}

function byTop<T>(boxes: readonly Placed<T>[], isRightToLeft: boolean): Placed<T>[] {
  const side = (box: Box): number => (isRightToLeft ? -box.right : box.left);
  return boxes.toSorted((a, b) => a.box.top - b.box.top || side(a.box) - side(b.box));
}

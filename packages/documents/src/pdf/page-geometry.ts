/** A transformation of the plane (ISO 32000-1, 8.3.3). */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** The matrix that applies `first` and then `second`. */
export function multiply(second: Matrix, first: Matrix): Matrix {
  const [a, b, c, d, e, f] = second;
  const [g, h, i, j, k, l] = first;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** The bounding box of a transformed rectangle. */
export function transformBox([a, b, c, d, e, f]: Matrix, { left, bottom, right, top }: Box): Box {
  const xs = [a * left + c * bottom, a * left + c * top, a * right + c * bottom, a * right + c * top];
  const ys = [b * left + d * bottom, b * left + d * top, b * right + d * bottom, b * right + d * top];
  return {
    left: Math.min(...xs) + e,
    right: Math.max(...xs) + e,
    bottom: Math.min(...ys) + f,
    top: Math.max(...ys) + f,
  };
}

/** The box in coordinates in which text of a direction, in quarter turns, is horizontal. */
export function turnedBox(box: Box, quarterTurns: number): Box {
  if (quarterTurns === 0) return box;
  const angle = (quarterTurns * Math.PI) / 2;
  const [cos, sin] = [Math.round(Math.cos(angle)), Math.round(Math.sin(angle))];
  return transformBox([cos, -sin, sin, cos, 0, 0], box);
}

/** A box that may be empty: its left side can be at the right of its right side. */
export function intersect(one: Box, other: Box): Box {
  return {
    left: Math.max(one.left, other.left),
    right: Math.min(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
    top: Math.min(one.top, other.top),
  };
}

export function union(one: Box, other: Box): Box {
  return {
    left: Math.min(one.left, other.left),
    right: Math.max(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
    top: Math.max(one.top, other.top),
  };
}

/** 0 for an empty box. */
export function areaOf({ left, bottom, right, top }: Box): number {
  return Math.max(0, right - left) * Math.max(0, top - bottom);
}

/** Whether two boxes have no point in common. */
export function areApart(one: Box, other: Box): boolean {
  const { left, right, bottom, top } = intersect(one, other);
  return left > right || bottom > top;
}

/** A box from an array of numbers of the engine; null for anything else. */
export function boxOf(values: unknown): Box | null {
  const numbers = numbersOf(values, 4);
  if (numbers === null) return null;
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers;
  return {
    left: Math.min(x1, x2),
    right: Math.max(x1, x2),
    bottom: Math.min(y1, y2),
    top: Math.max(y1, y2),
  };
}

/** A matrix from an array of numbers of the engine; null for anything else. */
export function matrixOf(values: unknown): Matrix | null {
  const numbers = numbersOf(values, 6);
  if (numbers === null) return null;
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers;
  return [a, b, c, d, e, f];
}

function numbersOf(values: unknown, count: number): readonly number[] | null {
  const numbers: readonly unknown[] =
    Array.isArray(values) || values instanceof Float32Array ? [...values] : [];
  const isValid = numbers.length === count && numbers.every((value) => Number.isFinite(value));
  return isValid ? numbers.map(Number) : null;
}

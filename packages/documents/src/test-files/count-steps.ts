import { expect } from '@jest/globals';

type Cost = (receiver: unknown, args: readonly unknown[], result: unknown) => number;

/** The number of characters or bytes that a call of each method processes. */
const COSTS: readonly (readonly [prototype: object, method: string, cost: Cost])[] = [
  [String.prototype, 'charAt', () => 1],
  [String.prototype, 'charCodeAt', () => 1],
  [String.prototype, 'slice', (_text, _args, result) => lengthOf(result) + 1],
  [String.prototype, 'includes', lengthOf],
  [String.prototype, 'indexOf', lengthOf],
  [String.prototype, 'normalize', lengthOf],
  [String.prototype, 'replace', lengthOf],
  [String.prototype, 'split', lengthOf],
  [String.prototype, 'toLowerCase', lengthOf],
  [Buffer.prototype, 'includes', lengthOf],
  [Buffer.prototype, 'indexOf', searchedBytes],
  [Buffer.prototype, 'subarray', () => 1],
  [Buffer.prototype, 'toString', (_bytes, _args, result) => lengthOf(result) + 1],
];

/**
 * Counts the characters and bytes that synchronous work reads through the methods of strings, buffers and
 * regular expressions. This is a deterministic substitute for its running time. Regular expressions count as
 * linear: backtracking is not counted, and neither are reads of single bytes by index.
 */
export function countSteps(work: () => void): number {
  let steps = 0;
  const { exec } = RegExp.prototype;
  const restores = COSTS.map(([prototype, name, cost]) => {
    const original: unknown = Reflect.get(prototype, name);
    if (typeof original !== 'function') throw new TypeError(`${name} is not a method`);
    Reflect.set(prototype, name, function (this: unknown, ...args: unknown[]): unknown {
      const result: unknown = Reflect.apply(original, this, args);
      steps += cost(this, args, result);
      return result;
    });
    return () => Reflect.set(prototype, name, original);
  });
  RegExp.prototype.exec = function (text: string): RegExpExecArray | null {
    const start = this.global || this.sticky ? this.lastIndex : 0;
    const match = Reflect.apply(exec, this, [text]);
    steps += (match === null ? text.length : match.index + match[0].length) - start + 1;
    return match;
  };
  try {
    work();
  } finally {
    RegExp.prototype.exec = exec;
    for (const restore of restores) restore();
  }
  return steps;
}

/**
 * Asserts that an input of twice the size takes about twice as many steps. Quadratic work takes four times as
 * many.
 *
 * @param stepsFor returns the steps for an input of a size; see {@link countSteps}
 */
export function assertLinear(stepsFor: (size: number) => number, size = 1_000): void {
  const [single, double] = [stepsFor(size), stepsFor(2 * size)];
  expect(single).toBeGreaterThanOrEqual(size);
  expect(double).toBeLessThan(single * 2.5);
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 0;
}

function searchedBytes(bytes: unknown, [, from]: readonly unknown[], result: unknown): number {
  const end = typeof result === 'number' && result >= 0 ? result : lengthOf(bytes);
  return Math.max(0, end - (typeof from === 'number' ? from : 0)) + 1;
}

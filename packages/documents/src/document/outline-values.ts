/** @throws TypeError when the value is not an object, or is an array */
export function assertRecord(value: unknown, name: string): asserts value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${name} is not an object`);
}

export function isOffset(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}

export function isPositiveInteger(value: unknown): value is number {
  return isOffset(value) && value > 0;
}

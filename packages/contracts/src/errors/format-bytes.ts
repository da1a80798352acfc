const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** A size for people, such as `100 MB`. 1 MB is 1,048,576 bytes. Sizes below 10 of a unit have one decimal place. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  const size = bytes / 1024 ** power;
  const digits = { maximumFractionDigits: power > 0 && size < 10 ? 1 : 0 };
  return `${size.toLocaleString('en', digits)} ${UNITS[power]}`;
}

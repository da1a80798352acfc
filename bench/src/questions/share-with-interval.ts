const Z_95 = 1.96;

/**
 * A share with its 95 % confidence interval, such as `.485 (.434–.536)`. Source: Wilson, "Probable inference, the law of
 * succession, and statistical inference", 1927.
 */
export function shareWithInterval(count: number, total: number): string {
  const share = count / total;
  const z2 = Z_95 ** 2 / total;
  const centre = (share + z2 / 2) / (1 + z2);
  const half = (Z_95 / (1 + z2)) * Math.sqrt((share * (1 - share)) / total + z2 / (4 * total));
  return `${format(share)} (${format(Math.max(0, centre - half))}–${format(centre + half)})`;
}

function format(share: number): string {
  return share.toFixed(3).replace(/^0/, '');
}

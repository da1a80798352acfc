import { wilsonInterval } from '@citewell/retrieval';

/**
 * A share with its 95 % confidence interval, such as `.485 (.434–.536)`.
 */
export function shareWithInterval(count: number, total: number): string {
  const { low, high } = wilsonInterval(count, total);
  return `${format(count / total)} (${format(low)}–${format(high)})`;
}

function format(share: number): string {
  return share.toFixed(3).replace(/^0/, '');
}

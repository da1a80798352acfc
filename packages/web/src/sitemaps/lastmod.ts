const W3C =
  /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?)?)?$/i;
const RFC_822 =
  /^(?:[a-z]{3,9},?\s+)?(\d{1,2})[\s-]([a-z]{3})[a-z]*[\s-](\d{4}|\d{2})(?:\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([a-z]{1,5}|[+-]\d{4})?)?/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** In hours; of the zones that RFC 822 names. Any other name counts as UTC. */
const ZONES: ReadonlyMap<string, number> = new Map([
  ['est', -5],
  ['edt', -4],
  ['cst', -6],
  ['cdt', -5],
  ['mst', -7],
  ['mdt', -6],
  ['pst', -8],
  ['pdt', -7],
]);

/**
 * When a page was changed, as sitemaps and feeds say it: W3C datetimes (https://www.w3.org/TR/NOTE-datetime) of any
 * precision, RFC 822 dates of RSS, and what is near to them. Without a zone, UTC.
 *
 * @returns null for what is no date, so that a careless `<lastmod>` costs a hint and not the entry
 */
export function parseLastmod(text: string): Date | null {
  const trimmed = text.trim();
  const w3c = W3C.exec(trimmed);
  if (w3c) {
    const [, year, month = '1', day = '1', hours = '0', minutes = '0', seconds = '0', zone] = w3c;
    return dateOf([year, month, day, hours, minutes, seconds].map(Number), zone);
  }
  const rfc822 = RFC_822.exec(trimmed);
  if (!rfc822) return null;
  const [, day, monthName = '', year = '', hours = '0', minutes = '0', seconds = '0', zone] = rfc822;
  const month = MONTHS.indexOf(monthName.toLowerCase()) + 1;
  return dateOf([fullYear(year), month, day, hours, minutes, seconds].map(Number), zone);
}

/** RFC 2822, section 4.3. */
function fullYear(year: string): number {
  if (year.length > 2) return Number(year);
  return Number(year) + (Number(year) < 50 ? 2000 : 1900);
}

function dateOf(parts: readonly number[], zone: string | undefined): Date | null {
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  const local = new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds));
  // `Date.UTC` carries the 31st of February over into March.
  const isReal =
    local.getUTCMonth() === month - 1 && local.getUTCDate() === day && hours < 24 && minutes < 60;
  return isReal && year > 0 ? new Date(local.getTime() - offsetMs(zone)) : null;
}

function offsetMs(zone = ''): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  if (sign === undefined) return (ZONES.get(zone.toLowerCase()) ?? 0) * 3_600_000;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

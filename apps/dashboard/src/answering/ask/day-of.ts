type Day = 'today' | 'yesterday' | 'earlier';

/** When something happened, in days of the browser's time zone. */
export function dayOf(instant: string, now = new Date()): Day {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  if (Date.parse(instant) >= midnight.getTime()) return 'today';
  midnight.setDate(midnight.getDate() - 1);
  return Date.parse(instant) >= midnight.getTime() ? 'yesterday' : 'earlier';
}

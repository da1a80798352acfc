/** Edge and Opera name Chrome, too, and Chrome names Safari: the first that is found counts. */
const BROWSERS = { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', Chrome: 'Chrome', Safari: 'Safari' };
/** Phones name Linux or Mac OS, too. */
const SYSTEMS = {
  Android: 'Android',
  iPhone: 'iOS',
  iPad: 'iPadOS',
  Windows: 'Windows',
  'Mac OS': 'macOS',
  Linux: 'Linux',
};

/** A browser and its system, such as `Firefox · Linux`, from the header `User-Agent`. Null if neither is known. */
export function browserName(userAgent: string | null): string | null {
  const find = (names: Record<string, string>): string | undefined =>
    Object.entries(names).find(([mark]) => userAgent?.includes(mark))?.[1];
  const names = [find(BROWSERS), find(SYSTEMS)].filter((name) => name !== undefined);
  return names.length === 0 ? null : names.join(' · ');
}

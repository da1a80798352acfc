const MAX_REPEATS = 3;
const YEAR_MS = 365.25 * 24 * 3600 * 1000;
/** Nothing has been published yet that far ahead, and calendars that can be leafed through never end. */
const MAX_AHEAD_MS = 2 * YEAR_MS;
/**
 * How far back a calendar is followed by days, and by months: an archive of news is one to look at. Archives without a
 * calendar's name may be as old as they like.
 */
const MAX_BACK_MS = { day: 5 * YEAR_MS, month: 40 * YEAR_MS };

/** A path that ends with a date, `/2031/05`, `/2031-05-12/`: a day or month to leaf through, and no article. */
const DATE_AT_END = /\/((?:19|20|21)\d{2})[-/](0?[1-9]|1[0-2])(?:[-/](0?[1-9]|[12]\d|3[01]))?\/?$/;
const DATE_VALUE = /^((?:19|20|21)\d{2})-?(0[1-9]|1[0-2])(?:-?(0[1-9]|[12]\d|3[01]))?$/;
const CALENDAR =
  /(^|[^a-z])(calendar|cal|kalender|calendario|calendrier|calendari|agenda|events?|veranstaltungen|termine|schedule|eventos|evenements|day|month|week)([^a-z]|$)/i;
const YEAR_NAME = /^(year|yr|jahr|annee|ano|y)$/i;
const MONTH_NAME = /^(month|mon|monat|mois|mes|m)$/i;
const DAY_NAME = /^(day|tag|jour|dia|d)$/i;

interface CalendarPage {
  readonly ms: number;
  readonly of: keyof typeof MAX_BACK_MS;
}

/**
 * Whether a run of path segments comes three times in a row, `/a/b/a/b/a/b`: relative links that are wrong lead
 * there, and every page of the kind has another of them. Numbers may repeat: `/2011/11/11/11` is a date.
 */
export function repeatsItself(path: string): boolean {
  const segments = path.split('/').filter(Boolean);
  for (let period = 1; period * MAX_REPEATS <= segments.length; period += 1) {
    let same = 0;
    for (let at = period; at < segments.length; at += 1) {
      const isSame =
        segments[at] === segments[at - period] && (period > 1 || !/^\d+$/.test(segments[at] ?? ''));
      same = isSame ? same + 1 : 0;
      if (same >= period * (MAX_REPEATS - 1)) return true;
    }
  }
  return false;
}

/**
 * Whether the URL is a calendar's page for a time that no crawl needs: a month or day more than two years ahead, or, in
 * what calls itself a calendar, a day more than five years back or a month more than forty. An article whose address has
 * a date in it goes on after the date, so it is not meant.
 */
export function isDistantCalendarPage(url: URL, nowMs: number): boolean {
  const pages = [...pagesOfPath(url.pathname), ...pagesOfQuery(url.searchParams)];
  const isCalendar =
    CALENDAR.test(url.pathname) || [...url.searchParams.keys()].some((name) => CALENDAR.test(name));
  return pages.some(
    ({ ms, of }) => ms > nowMs + MAX_AHEAD_MS || (isCalendar && ms < nowMs - MAX_BACK_MS[of]),
  );
}

function pagesOfPath(path: string): CalendarPage[] {
  const date = DATE_AT_END.exec(path);
  return date === null ? [] : [pageOf(date)];
}

function pagesOfQuery(parameters: URLSearchParams): CalendarPage[] {
  const pages: CalendarPage[] = [];
  let [year, month, day]: (string | undefined)[] = [];
  for (const [name, value] of parameters) {
    const date = DATE_VALUE.exec(value);
    if (date) pages.push(pageOf(date));
    if (YEAR_NAME.test(name) && /^\d{4}$/.test(value)) year = value;
    if (MONTH_NAME.test(name) && /^\d{1,2}$/.test(value)) month = value;
    if (DAY_NAME.test(name)) day = value;
  }
  return year === undefined || month === undefined ? pages : [...pages, pageOf(['', year, month, day])];
}

/** A day more or less does not matter over years. */
function pageOf([, year = '', month = '', day]: readonly (string | undefined)[]): CalendarPage {
  return { ms: Date.UTC(Number(year), Number(month) - 1), of: day === undefined ? 'month' : 'day' };
}

const CALENDAR = /^\s*BEGIN:VCALENDAR\b/i;
/** The name and the parameters of a property, before its value. */
const NAME = /^([\w-]+)(;(?:[^:"]|"[^"]*")*)?:/;
const PARAMETER = /;([\w-]+)=("[^"]*"|[^;]*)/g;
const TIME = /\b(\d{8})(?:T(\d{4}(?:\d\d)?)(Z?))?\b/g;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

const ENTRIES: Readonly<Record<string, string>> = {
  VEVENT: 'Event',
  VTODO: 'Task',
  VJOURNAL: 'Note',
  VFREEBUSY: 'Busy',
};
const LABELS: Readonly<Record<string, string>> = {
  DTSTART: 'Start',
  DTEND: 'End',
  RRULE: 'Repeats',
  RDATE: 'Also',
  EXDATE: 'Except',
  'RECURRENCE-ID': 'Instead of',
};
const HAS_TIMES = /^(?:DTSTART|DTEND|DUE|COMPLETED|RRULE|RDATE|EXDATE|RECURRENCE-ID|FREEBUSY)$/;
/** Properties that are only for programs. */
const IS_TECHNICAL =
  /^(?:UID|DTSTAMP|CREATED|LAST-MODIFIED|SEQUENCE|CLASS|TRANSP|PRIORITY|GEO|REQUEST-STATUS|X-.*)$/;

interface Property {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly value: string;
}

export function isCalendar(text: string): boolean {
  return CALENDAR.test(text);
}

/**
 * The events, tasks and notes of iCalendar (RFC 5545), with a line for each property. Times stay in the zones of the file.
 * Alarms are left out.
 */
export function calendarEntries(text: string): string[] {
  const open: string[] = [];
  const entries: string[][] = [];
  let method = '';
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const property = propertyOf(line);
    if (property === null) continue;
    const { name, value } = property;
    const kind = ENTRIES[open.at(-1) ?? ''];
    if (name === 'BEGIN') {
      open.push(value.trim().toUpperCase());
      if ((open.at(-1) ?? '') in ENTRIES) entries.push([]);
    } else if (name === 'END') open.pop();
    else if (name === 'METHOD' && open.length === 1) method = ` (${value.trim().toLowerCase()})`;
    else if (kind !== undefined && name === 'SUMMARY')
      entries.at(-1)?.unshift(`${kind}${method}: ${textValue(value)}`);
    else if (kind !== undefined) entries.at(-1)?.push(propertyText(property));
  }
  return entries
    .map((lines) => lines.filter((line) => line !== '').join('\n'))
    .filter((entry) => entry !== '');
}

function propertyOf(line: string): Property | null {
  const [start = '', name = '', parameters = ''] = NAME.exec(line) ?? [];
  if (name === '') return null;
  return {
    name: name.toUpperCase(),
    parameters: new Map(
      Array.from(parameters.matchAll(PARAMETER), ([, key = '', text = '']) => [
        key.toUpperCase(),
        text.replaceAll('"', ''),
      ]),
    ),
    value: line.slice(start.length),
  };
}

/** @returns `''` for a property that no calendar shows */
function propertyText(property: Property): string {
  const { name, parameters, value } = property;
  if (IS_TECHNICAL.test(name) || parameters.get('VALUE') === 'BINARY' || value.trim() === '') return '';
  const label = LABELS[name] ?? `${name.charAt(0)}${name.slice(1).toLowerCase().replaceAll('-', ' ')}`;
  if (HAS_TIMES.test(name)) return `${label}: ${timesText(property)}`;
  return `${label}: ${name === 'ORGANIZER' || name === 'ATTENDEE' ? personText(property) : textValue(value)}`;
}

function textValue(value: string): string {
  return value
    .replace(/\\([^])/g, (_, character: string) => (/n/i.test(character) ? '\n' : character))
    .trim();
}

function personText({ parameters, value }: Property): string {
  const address = value.trim().replace(/^mailto:/i, '');
  const name = parameters.get('CN') ?? '';
  const state = parameters.get('PARTSTAT')?.toLowerCase().replaceAll('-', ' ') ?? 'needs action';
  const person = name === '' || name === address ? address : `${name} <${address}>`;
  return state === 'needs action' ? person : `${person} (${state})`;
}

/** `20250519T140000Z` as `2025-05-19 14:00 (UTC)`; `,` and `;` with a space. */
function timesText({ name, parameters, value }: Property): string {
  return value
    .trim()
    .replace(/[,;]/g, '$& ')
    .replace(TIME, (_, digits: string, clock?: string, utc?: string) => {
      const day = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
      // The end of whole days is the day after (RFC 5545, section 3.6.1).
      if (clock === undefined) return name === 'DTEND' ? dayBefore(day) : day;
      const zone = utc === 'Z' ? 'UTC' : parameters.get('TZID');
      const time = clock.replace(/^(....)00$/, '$1').replace(/..(?=.)/g, '$&:');
      return `${day} ${time}${zone === undefined ? '' : ` (${zone})`}`;
    });
}

function dayBefore(day: string): string {
  const time = Date.parse(day);
  return Number.isNaN(time) ? day : new Date(time - DAY_MILLISECONDS).toISOString().slice(0, 10);
}

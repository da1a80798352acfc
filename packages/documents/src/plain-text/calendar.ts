const CALENDAR = /^\s*BEGIN:VCALENDAR\b/i;
/** The name and the parameters of a property, before its value. */
const NAME = /^([\w-]+)(;(?:[^:"]|"[^"]*")*)?:/;
/** Lines that are no properties belong to the value before: text that was not folded. */
const NEXT_PROPERTY = /\r?\n(?=[\w-]+(?:;[^\n]*)?:)/;
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
/** The title, which is the first line, and properties that are only for programs. */
const IS_TECHNICAL =
  /^(?:SUMMARY|UID|DTSTAMP|CREATED|LAST-MODIFIED|SEQUENCE|CLASS|TRANSP|PRIORITY|GEO|REQUEST-STATUS|X-.*)$/;

interface Property {
  readonly name: string;
  readonly parameters: string;
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
  const entries: { readonly label: string; readonly properties: Property[] }[] = [];
  let method = '';
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(NEXT_PROPERTY)) {
    const property = propertyOf(line);
    if (property === null) continue;
    const value = property.value.trim();
    const component = open.at(-1) ?? '';
    if (property.name === 'BEGIN') {
      const kind = ENTRIES[value.toUpperCase()];
      open.push(value.toUpperCase());
      if (open.at(-1) === 'VCALENDAR') method = '';
      if (kind !== undefined) entries.push({ label: `${kind}${method}`, properties: [] });
    } else if (property.name === 'END') open.pop();
    else if (component in ENTRIES) entries.at(-1)?.properties.push(property);
    else if (property.name === 'METHOD' && component === 'VCALENDAR') method = ` (${value.toLowerCase()})`;
  }
  return entries.map(({ label, properties }) => entryText(label, properties)).filter((entry) => entry !== '');
}

function entryText(label: string, properties: readonly Property[]): string {
  const start = properties.find(({ name }) => name === 'DTSTART')?.value.trim() ?? '';
  const titles = properties.filter(({ name }) => name === 'SUMMARY');
  const lines = [
    ...titles.map(({ value }) => `${label}: ${textValue(value)}`),
    ...properties.map((property) => propertyText(property, start)),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function propertyOf(line: string): Property | null {
  const [start = '', name = '', parameters = ''] = NAME.exec(line) ?? [];
  // A quote without an end.
  if (name === '') return line.includes('"') ? propertyOf(line.replaceAll('"', '')) : null;
  return { name: name.toUpperCase(), parameters, value: line.slice(start.length) };
}

function parameterOf({ parameters }: Property, name: string): string | undefined {
  const found = [...parameters.matchAll(PARAMETER)].find(([, key = '']) => key.toUpperCase() === name);
  return found?.[2]?.replaceAll('"', '');
}

/** @returns `''` for a property without a line of its own */
function propertyText(property: Property, start: string): string {
  const { name, value } = property;
  if (IS_TECHNICAL.test(name) || parameterOf(property, 'VALUE') === 'BINARY' || value.trim() === '')
    return '';
  const label = LABELS[name] ?? `${name.charAt(0)}${name.slice(1).toLowerCase().replaceAll('-', ' ')}`;
  if (HAS_TIMES.test(name)) return `${label}: ${timesText(property, start)}`;
  return `${label}: ${name === 'ORGANIZER' || name === 'ATTENDEE' ? personText(property) : textValue(value)}`;
}

function textValue(value: string): string {
  return value
    .replace(/\\([^])/g, (_, character: string) => (/n/i.test(character) ? '\n' : character))
    .trim();
}

function personText(property: Property): string {
  const address = property.value.trim().replace(/^mailto:/i, '');
  const name = parameterOf(property, 'CN') ?? '';
  const state = parameterOf(property, 'PARTSTAT')?.toLowerCase().replaceAll('-', ' ') ?? 'needs action';
  const person = name === '' || name === address ? address : `${name} <${address}>`;
  return state === 'needs action' ? person : `${person} (${state})`;
}

/** `20250519T140000Z` as `2025-05-19 14:00 (UTC)`; `,` and `;` with a space. */
function timesText(property: Property, start: string): string {
  const timeZone = parameterOf(property, 'TZID');
  return property.value
    .trim()
    .replace(/[,;]/g, '$& ')
    .replace(TIME, (_, digits: string, clock?: string, utc?: string) => {
      const day = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
      // The end of whole days is the day after (RFC 5545, section 3.6.1), except in files that repeat the start.
      if (clock === undefined) return property.name === 'DTEND' && digits > start ? dayBefore(day) : day;
      const zone = utc === 'Z' ? 'UTC' : timeZone;
      const time = clock.replace(/^(....)00$/, '$1').replace(/..(?=.)/g, '$&:');
      return `${day} ${time}${zone === undefined ? '' : ` (${zone})`}`;
    });
}

function dayBefore(day: string): string {
  const time = Date.parse(day);
  return Number.isNaN(time) ? day : new Date(time - DAY_MILLISECONDS).toISOString().slice(0, 10);
}

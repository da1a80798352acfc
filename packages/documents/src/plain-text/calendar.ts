const CALENDAR = /^\s*BEGIN:VCALENDAR\b/i;
/** The name and the parameters of a property, before its value. */
const NAME = /^([\w-]+)(;(?:[^:"]|"[^"]*")*)?:/;
const PARAMETER = /;([\w-]+)=("[^"]*"|[^;]*)/g;
const DATE = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z?))?/;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

interface Property {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly value: string;
}

/** An event, task or note, without the alarms in it. */
interface Component {
  readonly name: string;
  readonly properties: Property[];
}

export function isCalendar(text: string): boolean {
  return CALENDAR.test(text);
}

/**
 * The events, tasks and notes of iCalendar (RFC 5545) as a calendar program shows them: what, when, where, who. Times stay
 * in the zones of the file.
 */
export function calendarEntries(text: string): string[] {
  const open: Component[] = [];
  const entries: Component[] = [];
  let method = '';
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const property = propertyOf(line);
    if (property === null) continue;
    const { name, value } = property;
    const current = open.at(-1);
    if (name === 'BEGIN') {
      const component = { name: value.trim().toUpperCase(), properties: [] };
      open.push(component);
      if (component.name in LABELS) entries.push(component);
    } else if (name === 'END') open.pop();
    else if (name === 'METHOD' && open.length === 1) method = value.trim().toUpperCase();
    else current?.properties.push(property);
  }
  return entries.map((entry) => entryText(entry, method));
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

const LABELS: Readonly<Record<string, string>> = { VEVENT: 'Event', VTODO: 'Task', VJOURNAL: 'Note' };
const METHOD_LABELS: Readonly<Record<string, string>> = {
  REQUEST: 'Invitation',
  CANCEL: 'Cancelled',
  REPLY: 'Reply to invitation',
  COUNTER: 'Proposed change',
};

function entryText({ name, properties }: Component, method: string): string {
  const all = (wanted: string): Property[] => properties.filter((property) => property.name === wanted);
  const text = (wanted: string): string => textValue(all(wanted)[0]?.value ?? '');
  const times = (wanted: string): string => all(wanted).flatMap(timesOf).join(', ');
  const isCancelled = text('STATUS').toUpperCase() === 'CANCELLED';
  const label = METHOD_LABELS[isCancelled ? 'CANCEL' : method] ?? LABELS[name];
  const fields: readonly (readonly [label: string, value: string])[] = [
    [label ?? name, text('SUMMARY')],
    ['Time', timeRange(all('DTSTART')[0], all('DTEND')[0], text('DURATION'))],
    ['Due', times('DUE')],
    [
      'Repeats',
      all('RRULE')
        .map(({ value }) => recurrenceText(value))
        .join('; '),
    ],
    ['Also', times('RDATE')],
    ['Except', times('EXDATE')],
    ['Instead of', times('RECURRENCE-ID')],
    ['Place', text('LOCATION')],
    ['Organizer', all('ORGANIZER').map(personText).join(', ')],
    ['Attendees', all('ATTENDEE').map(personText).join(', ')],
    ['Link', text('URL')],
  ];
  return [
    ...fields.filter(([, value]) => value !== '').map(([field, value]) => `${field}: ${value}`),
    text('DESCRIPTION'),
    ...all('COMMENT').map(({ value }) => textValue(value)),
  ]
    .filter((line) => line !== '')
    .join('\n');
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

/** A time of a property, as text. */
interface CalendarTime {
  /** `2025-05-19` */
  readonly day: string;
  /** ` 14:00`, with a space before it; empty for a whole day. */
  readonly clock: string;
  /** ` (Europe/Zurich)`; empty for a time that is the same in every zone. */
  readonly zone: string;
}

function timeOf(value: string, zoneName: string): CalendarTime | null {
  const [, year, month, day, hour, minute, second = '00', utc] = DATE.exec(value.trim()) ?? [];
  if (year === undefined) return null;
  const clock = hour === undefined ? '' : ` ${hour}:${minute}${second === '00' ? '' : `:${second}`}`;
  const zone = utc === 'Z' ? 'UTC' : zoneName;
  return {
    day: `${year}-${month}-${day}`,
    clock,
    zone: clock === '' || zone === '' ? '' : ` (${zone})`,
  };
}

function timesOf({ parameters, value }: Property): string[] {
  return value.split(',').map((item) => {
    const time = timeOf(item, parameters.get('TZID') ?? '');
    return time === null ? item : `${time.day}${time.clock}${time.zone}`;
  });
}

function timeRange(from: Property | undefined, to: Property | undefined, duration: string): string {
  if (from === undefined) return '';
  const start = timeOf(from.value, from.parameters.get('TZID') ?? '');
  const end = timeOf(to?.value ?? '', to?.parameters.get('TZID') ?? '');
  if (start === null) return from.value;
  const first = `${start.day}${start.clock}`;
  const length =
    duration === ''
      ? ''
      : `, duration ${duration.replace(/^\+?P/, '').replace('T', ' ').trim().toLowerCase()}`;
  if (end === null) return `${first}${start.zone}${length}`;
  // The end of whole days is the day after (RFC 5545, section 3.6.1).
  const lastDay = end.clock === '' ? dayBefore(end.day) : end.day;
  const endDay = lastDay <= start.day ? '' : ` ${lastDay}`;
  const last = `${endDay}${end.clock}`;
  if (last === '') return first;
  return start.zone === end.zone
    ? `${first} –${last}${start.zone}`
    : `${first}${start.zone} –${last}${end.zone}`;
}

function dayBefore(day: string): string {
  const time = Date.parse(day);
  return Number.isNaN(time) ? day : new Date(time - DAY_MILLISECONDS).toISOString().slice(0, 10);
}

const RULE_WORDS: Readonly<Record<string, string>> = {
  INTERVAL: 'interval',
  BYDAY: 'on',
  BYMONTHDAY: 'on day',
  COUNT: 'times:',
  UNTIL: 'until',
};
const DAYS = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
};

/** `FREQ=WEEKLY;BYDAY=MO,-1FR` as `weekly, on Monday, -1 Friday`: the last Friday of a period. */
function recurrenceText(rule: string): string {
  const parts = rule.trim().toUpperCase().split(';');
  return parts
    .filter((part) => part !== '' && !part.startsWith('WKST='))
    .map((part) => {
      const [key = '', value = ''] = part.split('=', 2);
      if (key === 'FREQ') return value.toLowerCase();
      const named = value.replace(/(\d?)([A-Z]{2})(?=,|$)/g, (code, position: string, day: string) =>
        day in DAYS ? `${position}${position === '' ? '' : ' '}${DAYS[day as keyof typeof DAYS]}` : code,
      );
      const shown = key === 'UNTIL' ? (timeOf(value, '')?.day ?? value) : named.replaceAll(',', ', ');
      return `${RULE_WORDS[key] ?? key.toLowerCase()} ${shown}`;
    })
    .join(', ');
}

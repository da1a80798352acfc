import { describe, expect, it } from '@jest/globals';
import { parse } from '../test-files/parse.js';

const HEAD = 'From: a@b.example';
const read = (...lines: string[]) => parse(Buffer.from(lines.join('\r\n')), 'message/rfc822');

describe('invitations', () => {
  const event = [
    'BEGIN:VCALENDAR',
    'METHOD:REQUEST',
    'BEGIN:VTIMEZONE',
    'TZID:Europe/Zurich',
    'END:VTIMEZONE',
    'BEGIN:VEVENT',
    'DTSTART;TZID=Europe/Zurich:20250519T140000',
    'DTEND;TZID=Europe/Zurich:20250519T153000',
    'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,-1FR;UNTIL=20251201T080000Z',
    'SUMMARY;LANGUAGE=en:Test of the crane',
    'LOCATION:Hall 6\\, gate B',
    'DESCRIPTION:Bring helmets and the',
    '  load list.\\nCall Milo.',
    'ORGANIZER;CN="Lind: Nora":mailto:nora@b.example',
    'ATTENDEE;PARTSTAT=ACCEPTED;CN=Milo:MAILTO:milo@b.example',
    'BEGIN:VALARM',
    'DESCRIPTION:Reminder',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  const shown = [
    'Event (request): Test of the crane',
    'Start: 2025-05-19 14:00 (Europe/Zurich)',
    'End: 2025-05-19 15:30 (Europe/Zurich)',
    'Repeats: FREQ=WEEKLY; INTERVAL=2; BYDAY=MO, -1FR; UNTIL=2025-12-01 08:00 (UTC)',
    'Location: Hall 6, gate B',
    'Description: Bring helmets and the load list.',
    'Call Milo.',
    'Organizer: Lind: Nora <nora@b.example>',
    'Attendee: Milo <milo@b.example> (accepted)',
  ].join('\n');

  it('are read as a calendar shows them', async () => {
    const { text } = await read(HEAD, 'Content-Type: text/calendar; method=REQUEST', '', ...event);
    expect(text).toBe(`${HEAD}\n\n${shown}`);
    expect((await parse(event.join('\n'), 'text/plain')).text).toBe(shown);
  });

  it('are read once', async () => {
    const part = ['Content-Type: application/ics; name=invite.ics', '', ...event];
    const { text } = await read(
      HEAD,
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      ...part,
      '--b',
      ...part,
      '--b--',
    );
    expect(text).toBe(`${HEAD}\n\n${shown}`);
  });

  it.each([
    [
      'VEVENT',
      ['DTSTART;VALUE=DATE:20251220', 'DTEND;VALUE=DATE:20260105'],
      'Start: 2025-12-20\nEnd: 2026-01-04',
    ],
    [
      'VEVENT',
      ['DTEND;VALUE=DATE:20250519', 'DTSTART;VALUE=DATE:20250519'],
      'End: 2025-05-19\nStart: 2025-05-19',
    ],
    ['VEVENT', ['DTEND;VALUE=DATE:20250520', 'DTSTART:20250519'], 'End: 2025-05-19\nStart: 2025-05-19'],
    [
      'VEVENT',
      ['DTSTART:20250519T080000', 'DTEND;VALUE=DATE:20250519'],
      'Start: 2025-05-19 08:00\nEnd: 2025-05-19',
    ],
    [
      'VEVENT',
      ['DTSTART:20251220T120000Z', 'DURATION:PT1H30M'],
      'Start: 2025-12-20 12:00 (UTC)\nDuration: PT1H30M',
    ],
    ['VEVENT', ['STATUS:CANCELLED', 'UID:1', 'SUMMARY:Party'], 'Event: Party\nStatus: CANCELLED'],
    [
      'VEVENT',
      ['CONTACT:Milo\\, 20123456', 'DESCRIPTION:One', 'DESCRIPTION:Two'],
      'Contact: Milo, 20123456\nDescription: One\nDescription: Two',
    ],
    [
      'VEVENT',
      ['LOCATION:Hall 6', 'DESCRIPTION:Bring helmets.', 'Gate B\\, 5 m', '', 'SUMMARY:Crane', 'UID:1', 'x-2'],
      'Event: Crane\nLocation: Hall 6\nDescription: Bring helmets.\nGate B, 5 m',
    ],
    ['VEVENT', ['ATTENDEE;CN="Ada:mailto:ada@b.example'], 'Attendee: Ada <ada@b.example>'],
    [
      'VFREEBUSY',
      ['FREEBUSY:20251220T080000Z/20251220T093000Z,20251221T080000Z/PT1H'],
      'Freebusy: 2025-12-20 08:00 (UTC)/2025-12-20 09:30 (UTC), 2025-12-21 08:00 (UTC)/PT1H',
    ],
  ])('have in a %s %j', async (kind, lines, text) => {
    const source = ['BEGIN:VCALENDAR', `BEGIN:${kind}`, ...lines, `END:${kind}`, 'END:VCALENDAR'];
    expect((await parse(source.join('\r\n'), 'text/plain')).text).toBe(text);
  });

  it('have the method of their calendar', async () => {
    const calendar = (...lines: string[]) =>
      ['BEGIN:VCALENDAR', ...lines, 'BEGIN:VEVENT', 'SUMMARY:Crane', 'END:VEVENT', 'END:VCALENDAR'].join(
        '\n',
      );
    const file = [calendar('METHOD:CANCEL'), calendar(), calendar('METHOD:PUBLISH')].join('\n');
    expect((await parse(file, 'text/plain')).text.split('\n\n')).toEqual([
      'Event (cancel): Crane',
      'Event: Crane',
      'Event (publish): Crane',
    ]);
  });

  it('with 100,000 titles are read in linear time', async () => {
    const source = `BEGIN:VCALENDAR\nBEGIN:VEVENT\n${'SUMMARY:a\n'.repeat(100_000)}`;
    const start = process.cpuUsage();
    expect((await parse(source, 'text/plain')).text).toHaveLength('Event: a\n'.length * 100_000 - 1);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(6000);
  });
});

describe('saved web pages', () => {
  const page = (...lines: string[]) =>
    read(
      'From: <Saved by Blink>',
      'Subject: A page',
      'Content-Type: multipart/related; boundary=b',
      '',
      ...lines,
    );
  const picture = ['--b', 'Content-Type: image/png', 'Content-ID: <i>', '', 'x'];

  it('are read as pages', async () => {
    const { text, title } = await page(
      ...picture,
      '--b',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      '<title>Pr=C3=BCfung</title><nav><a href=3D"/">Home</a></nav><main><h1>Pumps</h1><p>The pump costs 450.</main>',
      ...picture,
      '--b--',
    );
    expect(text).toBe('Pumps\n\nThe pump costs 450.');
    expect(title).toBe('Prüfung');
  });

  it.each([
    ['a draft, which has no recipient', 'Subject: Draft', /Our site[^]*The pump costs 450/],
    ['a page with its address', 'Content-Location: file:///C:/pumps.htm', /^The pump costs 450/],
  ])('are told from %s', async (_, field, text) => {
    const body = '<nav><a href="/">Our site</a></nav><main><p>The pump costs 450.</main>';
    expect((await read('MIME-Version: 1.0', field, 'Content-Type: text/html', '', body)).text).toMatch(text);
  });

  it('are read from their frames', async () => {
    const html = ['--b', 'Content-Type: text/html', ''];
    const { text, title } = await page(
      ...html,
      '<frameset><frame src=a></frameset>',
      ...html,
      '<p>Oil it.',
      '--b--',
    );
    expect(text).toBe('Oil it.');
    expect(title).toBe('A page');
  });
});

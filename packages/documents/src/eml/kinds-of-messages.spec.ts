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
    'Invitation: Test of the crane',
    'Time: 2025-05-19 14:00 – 15:30 (Europe/Zurich)',
    'Repeats: weekly, interval 2, on Monday, -1 Friday, until 2025-12-01',
    'Place: Hall 6, gate B',
    'Organizer: Lind: Nora <nora@b.example>',
    'Attendees: Milo <milo@b.example> (accepted)',
    'Bring helmets and the load list.',
    'Call Milo.',
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
    [['DTSTART;VALUE=DATE:20251220', 'DTEND;VALUE=DATE:20260105'], 'Time: 2025-12-20 – 2026-01-04'],
    [['DTSTART:20251220T120000Z', 'DURATION:PT1H30M'], 'Time: 2025-12-20 12:00 (UTC), duration 1h30m'],
    [['STATUS:CANCELLED', 'SUMMARY:Party'], 'Cancelled: Party'],
    [
      ['DTSTART:20251220T230000Z', 'DTEND:20251221T010000Z'],
      'Time: 2025-12-20 23:00 – 2025-12-21 01:00 (UTC)',
    ],
  ])('have %j as %s', async (lines, text) => {
    const source = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR'];
    expect((await parse(source.join('\r\n'), 'text/plain')).text).toBe(text);
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

import { describe, expect, it } from '@jest/globals';
import { slackEntries, slackMessage as message, slackTime } from '../test-files/exports.builder.js';
import { digestOf, documentsOf, opened, textOf } from './open-export.fixtures.js';

/** The text of the only day of `galley`. */
async function linesOf(messages: readonly object[]): Promise<string[]> {
  const text = await textOf(
    slackEntries({ days: { 'galley/2026-03-02': messages } }),
    'galley/2026-03-02.json',
  );
  return text?.split('\n\n') ?? [];
}

describe('an export of Slack', () => {
  it('has a document for each channel and day, with messages by time', async () => {
    const entries = slackEntries({
      days: {
        'galley/2026-03-02': [message('UBOB', 9, 'Second.'), message('UADA', 8, 'First.')],
        'galley/2026-03-03': [message('UADA', 32, 'Next day.')],
        'deck/2026-03-02': [message('UADA', 8, 'On deck.')],
      },
    });
    expect(await documentsOf(entries)).toEqual({
      'galley/2026-03-02.json': ['#galley', '#galley 2026-03-02', []],
      'galley/2026-03-03.json': ['#galley', '#galley 2026-03-03', []],
      'deck/2026-03-02.json': ['#deck', '#deck 2026-03-02', []],
    });
    expect(await textOf(entries, 'galley/2026-03-02.json')).toBe(
      '[2026-03-02 at 08:00 UTC] Ada Lovelace (Countess): First.\n\n[2026-03-02 at 09:00 UTC] Bob Stone: Second.',
    );
    expect((await opened(entries))?.documents[0]?.properties).toEqual({
      channel: 'galley',
      day: '2026-03-02',
    });
  });

  it('knows a channel whose folder is written in another form of Unicode', async () => {
    const folder = 'küche'.normalize('NFD');
    const entries = {
      ...slackEntries({ days: { [`${folder}/2026-03-02`]: [message('UADA', 8, 'Soup.')] } }),
      'channels.json': JSON.stringify([{ id: 'C1', name: 'küche'.normalize('NFC') }]),
      [`${folder}/menu.txt`]: 'Soup',
    };
    const { documents, note } = (await opened(entries)) ?? {};
    expect([documents?.map(({ name }) => name), note]).toEqual([['#küche 2026-03-02', 'menu.txt'], null]);
  });

  it('reads replies after their message, also those of later days, each once', async () => {
    const thread = { thread_ts: slackTime(8) };
    const entries = slackEntries({
      days: {
        'galley/2026-03-02': [
          message('UADA', 8, 'Who cooks?', thread),
          message('UBOB', 9, 'Another matter.'),
          message('UBOB', 10, 'I do.', thread),
        ],
        'galley/2026-03-03': [
          message('UADA', 33, 'Thanks, Bob.', { ...thread, subtype: 'thread_broadcast' }),
          message('UBOB', 34, 'New day.'),
          message('UADA', 35, 'Answer to nothing here.', { thread_ts: slackTime(1) }),
        ],
      },
    });
    const lines = (await textOf(entries, 'galley/2026-03-02.json'))?.split('\n\n');
    expect(lines).toEqual([
      '[2026-03-02 at 08:00 UTC] Ada Lovelace (Countess): Who cooks?',
      '[2026-03-02 at 10:00 UTC] Bob Stone (reply to Ada Lovelace (Countess)): I do.',
      '[2026-03-03 at 09:00 UTC] Ada Lovelace (Countess) (reply to Ada Lovelace (Countess)): Thanks, Bob.',
      '[2026-03-02 at 09:00 UTC] Bob Stone: Another matter.',
    ]);
    expect((await textOf(entries, 'galley/2026-03-03.json'))?.split('\n\n')).toEqual([
      '[2026-03-03 at 10:00 UTC] Bob Stone: New day.',
      '[2026-03-03 at 11:00 UTC] Ada Lovelace (Countess) (reply in a thread): Answer to nothing here.',
    ]);
  });

  it('names people, channels, links and files', async () => {
    const text =
      'Ask <@UBOB>, <@UNKNOWN> or <#CDECK|old-deck> &amp; see <https://example.org/m|the menu>, <https://example.org>, ' +
      '<mailto:a@example.org|a@example.org> <!here> <!subteam^S1|@cooks> 1 &lt; 2';
    const lines = await linesOf([
      message('UADA', 8, text, { files: [{ id: 'F1', name: 'menu.pdf' }], edited: {} }),
    ]);
    expect(lines).toEqual([
      '[2026-03-02 at 08:00 UTC] Ada Lovelace (Countess): Ask @Bob Stone, @UNKNOWN or #deck & see ' +
        'the menu (https://example.org/m), https://example.org, a@example.org @here @cooks 1 < 2\n[File: menu.pdf] (edited)',
    ]);
  });

  it('names authors that are no users, and keeps the id of those without a name', async () => {
    const lines = await linesOf([
      message('UGUEST', 1, 'a', { user_profile: { real_name: 'Guest of another company' } }),
      message('UGONE', 2, 'b'),
      {
        type: 'message',
        subtype: 'bot_message',
        bot_id: 'B1',
        username: 'Weather',
        text: 'c',
        ts: slackTime(3),
      },
      { type: 'message', bot_id: 'B2', bot_profile: { name: 'Tides' }, text: 'd', ts: slackTime(4) },
    ]);
    expect(lines.map((line) => line.slice('[2026-03-02 at 01:00 UTC] '.length))).toEqual([
      'Guest of another company: a',
      'UGONE: b',
      'Weather: c',
      'Tides: d',
    ]);
  });

  it('reads blocks and attachments where they say more than the text', async () => {
    const section = (text: string): object => ({ type: 'section', text: { type: 'mrkdwn', text } });
    const rich = {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [
            { type: 'text', text: 'Two eggs for ' },
            { type: 'user', user_id: 'UBOB' },
          ],
        },
        {
          type: 'rich_text_list',
          elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'salt & pepper' }] }],
        },
      ],
    };
    const lines = await linesOf([
      message('UADA', 1, '', { blocks: [rich] }),
      message('UADA', 2, 'Two eggs for <@UBOB>\n• salt &amp; pepper', { blocks: [rich] }),
      message('UADA', 3, 'Alert', { blocks: [section('*Alert*'), section('Water in the hold')] }),
      message('UADA', 4, '', {
        attachments: [
          { fallback: 'x', title: 'Engine', text: 'Too hot', fields: [{ title: 'Degrees', value: '110' }] },
        ],
      }),
      message('UADA', 5, '', { attachments: [{ fallback: 'Only this' }] }),
    ]);
    expect(lines.map((line) => line.slice(line.indexOf(': ') + 2))).toEqual([
      'Two eggs for @Bob Stone\nsalt & pepper',
      'Two eggs for @Bob Stone\n• salt & pepper',
      'Alert\nWater in the hold',
      'Engine\nToo hot\nDegrees: 110',
      'Only this',
    ]);
  });

  it.each([
    ['a word in another word', 'Read the book', 'OK', false],
    ['a number in another number', '15 boats', '5', false],
    ['a number with a sign', '5 boats', '-5%', false],
    ['a name with signs', 'We use C', 'C++', false],
    ['text without blanks', '今日は本を読みます', '本', false],
    ['the same text without blanks in another style', '今日は*本*を読みます', '今日は本を読みます', true],
    ['a vowel sign', 'आज की नाव', 'क', false],
    ['an emoji of several', '👍👍', '👍', false],
    ['an emoji', 'Thanks 👍', '👍', true],
    ['a word with punctuation', 'Alert: *water* in the hold!', 'Water in the hold', true],
    ['words in another order', 'in the hold water', 'Water in the hold', false],
    ['punctuation', 'Really?', '?', false],
  ])('knows whether a block repeats %s', async (_what, text, block, isRepeated) => {
    const section = { type: 'section', text: { type: 'mrkdwn', text: block } };
    const [line = ''] = await linesOf([message('UADA', 1, text, { blocks: [section] })]);
    expect(line.slice(line.indexOf(': ') + 2)).toBe(isRepeated ? text : `${text}\n${block}`);
  });

  it('leaves out a block only if the text says all of it, as often', async () => {
    const section = (...texts: string[]): object => {
      const fields = texts.map((text) => ({ type: 'mrkdwn', text }));
      return { type: 'section', fields };
    };
    const counts = section('*Errors*', '3', '*Warnings*', '3');
    const attachment = { title: 'Sum', fields: [{ value: '3' }, { value: '3' }] };
    const all = 'Errors 3\nWarnings: 3';
    for (const [text, blocks, shown] of [
      ['Report', [counts], 'Report\n*Errors*\n3\n*Warnings*\n3'],
      ['Errors: 3, warnings', [counts], 'Errors: 3, warnings\n*Errors*\n3\n*Warnings*\n3'],
      [all, [counts], all],
      [all, [counts, counts], `${all}\n*Errors*\n3\n*Warnings*\n3`],
      ['Warnings 3, errors 3', [counts], 'Warnings 3, errors 3\n*Errors*\n3\n*Warnings*\n3'],
      ['Anna: yes', [section('Anna: yes'), section('yes')], 'Anna: yes\nyes'],
      ['', [section('Anna: yes', 'yes'), section('yes')], 'Anna: yes\nyes\nyes'],
    ] as const) {
      const lines = await linesOf([message('UADA', 1, text, { blocks, attachments: [attachment] })]);
      expect(lines.join('\n\n').replace(/^.*? \(Countess\): /, '')).toBe(`${shown}\nSum\n3\n3`);
    }
  });

  it('knows the text of a message in its blocks', async () => {
    const elements = [
      { type: 'usergroup', usergroup_id: 'S1' },
      { type: 'text', text: ' see ' },
      { type: 'link', url: 'https://example.org/m', text: 'menu' },
      { type: 'emoji', name: '+1', skin_tone: 2 },
      { type: 'color', value: '#ff0000' },
    ];
    const blocks = [
      {
        type: 'rich_text',
        elements: [
          { type: 'rich_text_section', elements },
          { type: 'rich_text_quote', elements: [{ type: 'text', text: 'One\nTwo' }] },
        ],
      },
    ];
    const text = '<!subteam^S1> see <https://example.org/m|menu>:+1::skin-tone-2:#ff0000\n&gt; One\n&gt; Two';
    const [line] = await linesOf([message('UADA', 1, text, { blocks })]);
    expect(line).toMatch(
      /: @subteam\^S1 see menu \(https:\/\/example\.org\/m\):\+1::skin-tone-2:#ff0000\n> One\n> Two$/,
    );
  });

  it('leaves out who came and went, copies of edited messages, and days without messages', async () => {
    const join = message('UBOB', 1, '<@UBOB> has joined', { subtype: 'channel_join' });
    const entries = slackEntries({
      days: {
        'galley/2026-03-01': [join],
        'galley/2026-03-02': [
          join,
          message('UADA', 2, 'set the topic: Soup', { subtype: 'channel_topic' }),
          message('UADA', 3, 'x', { subtype: 'message_changed', hidden: true }),
          { type: 'message', user: 'UADA', text: 'No time.', ts: 'XX' },
          'not a message',
        ],
      },
    });
    expect(Object.keys(await documentsOf(entries))).toEqual(['galley/2026-03-02.json']);
    expect((await textOf(entries, 'galley/2026-03-02.json'))?.split('\n\n')).toEqual([
      '[2026-03-02 at 02:00 UTC] Ada Lovelace (Countess): set the topic: Soup',
      '[no time] Ada Lovelace (Countess): No time.',
    ]);
  });

  it('keeps private conversations and their files out, and says so', async () => {
    const file = { files: [{ id: 'FPUBLIC1', name: 'menu.txt' }] };
    const entries = {
      ...slackEntries({
        days: {
          'galley/2026-03-02': [message('UADA', 8, 'Menu', file)],
          'DADABOB/2026-03-02': [message('UADA', 8, 'Secret', { files: [{ id: 'FSECRET1' }] })],
          'captains/2026-03-02': [message('UADA', 8, 'Not in any list')],
        },
        dms: [{ id: 'DADABOB', members: ['UADA', 'UBOB'] }],
      }),
      '__uploads/FPUBLIC1/menu.txt': 'Soup',
      '__uploads/FSECRET1/secret.txt': 'Secret',
    };
    expect(await documentsOf(entries)).toEqual({
      'galley/2026-03-02.json': ['#galley', '#galley 2026-03-02', ['__uploads/FPUBLIC1/menu.txt']],
      '__uploads/FPUBLIC1/menu.txt': ['__uploads/FPUBLIC1', 'menu.txt', []],
    });
    expect((await opened(entries))?.note).toBe(
      '2 private conversations of the Slack export were left out: only public channels are read. ' +
        '1 other file of the Slack export was left out: only messages and files of public channels are read.',
    );
  });

  it('says how many other files are left out', async () => {
    const entries = {
      ...slackEntries({
        days: {
          'galley/2026-03-02': [message('UADA', 8, 'Menu')],
          'DADABOB/2026-03-02': [message('UADA', 8, 'Secret')],
        },
      }),
      'galley/menu.txt': 'Soup',
      'DADABOB/secret.txt': 'Secret',
    };
    const others = {
      'canvases.json': '[{}]',
      'canvas.html': '<p>Plan</p>',
      'FC1/plan.html': '<p>Plan</p>',
      'galley/canvas.json': '[]',
    };
    const noteOf = async (more: object): Promise<string | undefined | null> =>
      (await opened({ ...entries, ...more }))?.note?.replace(
        /^1 private .*? public channels are read\. ?/,
        '',
      );
    expect(await noteOf({})).toBe('');
    expect(await noteOf({ 'canvases.json': '[{}]' })).toBe(
      '1 other file of the Slack export was left out: only messages and files of public channels are read.',
    );
    expect(await noteOf(others)).toMatch(/^4 other files of the Slack export were left out: only/);
    expect(Object.keys(await documentsOf({ ...entries, ...others }))).toEqual([
      'galley/2026-03-02.json',
      'galley/menu.txt',
    ]);
  });

  it('may be in a folder, have no list of users, and days that cannot be read', async () => {
    const { 'users.json': _, ...entries } = slackEntries({
      days: { 'galley/2026-03-02': [message('UADA', 8, 'Ahoy')] },
    });
    const inside = Object.entries({ ...entries, 'galley/2026-03-03.json': '{broken' });
    const wrapped = Object.fromEntries(inside.map(([path, text]) => [`Ship Slack export/${path}`, text]));
    expect(await documentsOf(wrapped)).toEqual({
      'galley/2026-03-02.json': ['#galley', '#galley 2026-03-02', []],
      'galley/2026-03-03.json': ['galley', '2026-03-03.json', []],
    });
    expect(await textOf(wrapped, 'galley/2026-03-02.json')).toBe('[2026-03-02 at 08:00 UTC] UADA: Ahoy');
  });

  it('may have long lists of people and channels, and files beside it that may be private', async () => {
    const {
      'users.json': users = '',
      'channels.json': channels = '',
      ...entries
    } = slackEntries({
      days: { 'galley/2026-03-02': [message('UADA', 8, 'Ahoy')], 'DX/2026-03-02': [message('UADA', 8, 'x')] },
      dms: [{ id: 'DX' }],
    });
    const others = Array.from({ length: 48_000 }, (_, n) => ({ id: `X${n}`, name: digestOf(n) }));
    const long = (list: string): string => JSON.stringify([...(JSON.parse(list) as object[]), ...others]);
    const wrapped = (lists: Record<string, string>): Record<string, string> =>
      Object.fromEntries(
        Object.entries({ ...entries, ...lists }).map(([path, text]) => [`slack/${path}`, text]),
      );
    const contents = await opened({
      ...wrapped({ 'users.json': long(users), 'channels.json': long(channels) }),
      'slack-notes/galley/menu.pdf': 'x',
      'DX/2026-03-02.json': '[{"ts": "1.0", "text": "Secret"}]',
    });
    expect(contents?.documents.map(({ id, name }) => [id, name])).toEqual([
      ['galley/2026-03-02.json', '#galley 2026-03-02'],
    ]);
    expect(contents?.note).toMatch(
      /2 files beside the Slack export were left out: upload other files in another archive\.$/,
    );
    expect(await contents?.documents[0]?.text?.read()).toMatch('Ada Lovelace');
  });

  it('has a day and the lists that can be read, or is an error', async () => {
    const days = { 'galley/2026-03-02': [message('UADA', 8, 'Ahoy')] };
    for (const list of ['channels.json', 'users.json'])
      await expect(opened({ ...slackEntries({ days }), [list]: '[{' })).rejects.toThrow(
        expect.objectContaining({ code: 'CORRUPT_FILE', sentence: expect.stringContaining(list) }),
      );
    const damagedDay = { ...slackEntries({ days }), 'galley/2026-03-01.json': '[{' };
    expect((await opened(damagedDay))?.documents.map(({ name }) => name)).toEqual([
      '#galley 2026-03-02',
      '2026-03-01.json',
    ]);
  });

  it('keeps private conversations out if a list or the first days say nothing', async () => {
    const { 'channels.json': _, ...withoutChannels } = slackEntries({
      days: { 'DX/2026-03-02': [message('UADA', 8, 'Secret')] },
    });
    const [list, empty] = [{ code: 'CORRUPT_FILE', sentence: expect.stringContaining('dms.json') }, '[]'];
    for (const channels of [
      {},
      { 'channels.json': empty },
      { 'channels.json': '[{"id": "CEMPTY", "name": "empty"}]' },
    ])
      for (const dms of ['[{', '{}', ''])
        await expect(opened({ ...withoutChannels, ...channels, 'dms.json': dms })).rejects.toThrow(
          expect.objectContaining(list),
        );
    for (const channels of ['', '[{'])
      await expect(opened({ ...withoutChannels, 'channels.json': channels })).rejects.toThrow(
        'channels.json',
      );
    const unlisted = await opened({ ...withoutChannels, 'channels.json': empty });
    expect([unlisted?.kind, unlisted?.documents]).toEqual(['slack', []]);
    const listed = { ...withoutChannels, 'dms.json': '[{"id": "DX"}]' };
    for (const [days, unread] of [
      [{ '__uploads/F0123456/2024-01-01.json': '[{"temp": 3}]' }, 1],
      [{ 'A/2024-01-01.json': '[{"temp": 3}]', '2024-01-01.json': '[]' }, 2],
      [{ 'A/2024-01-01.json': '{broken', 'DX/2026-03-02.json': '[{' }, 2],
    ] as const) {
      // In the order of the first, with the content of the last.
      const contents = await opened({ ...days, ...listed, ...days });
      expect(contents?.documents).toEqual([]);
      expect(contents?.note).toMatch(new RegExp(`^${unread} private`));
    }
  });

  it('is an error with another export or workspace in the archive', async () => {
    const one = slackEntries({ days: { 'galley/2026-03-02': [message('UADA', 8, 'Ahoy')] } });
    const two = slackEntries({ days: { 'DX/2026-03-02': [message('UADA', 8, 'x')] }, dms: [{ id: 'DX' }] });
    const below = (folder: string, entries: object): Record<string, string> =>
      Object.fromEntries(Object.entries(entries).map(([path, text]) => [`${folder}${path}`, String(text)]));
    for (const [first, second] of [
      ['one/', 'two/'],
      ['teams/a/', 'teams/b/'],
      ['', 'teams/a/'],
    ] as const)
      await expect(opened({ ...below(first, one), ...below(second, two) })).rejects.toThrow(
        expect.objectContaining({
          code: 'CORRUPT_FILE',
          sentence: expect.stringContaining('an archive of its own'),
        }),
      );
    const others = {
      'tv/channels.json': '[{"id": "1", "name": "news"}]',
      '__uploads/F0123456/dms.json': '[',
    };
    expect(Object.keys(await documentsOf({ ...below('slack/', one), ...others }))).toEqual([
      'galley/2026-03-02.json',
    ]);
  });

  it('tells two people with one name apart by their handles', async () => {
    const users = ['U1', 'U2'].map((id) => ({ id, name: `sam-${id}`, real_name: 'Sam Reed', profile: {} }));
    const days = { 'galley/2026-03-02': [message('U1', 8, 'One'), message('U2', 9, 'Two')] };
    const entries = { ...slackEntries({ days }), 'users.json': JSON.stringify(users) };
    expect(await textOf(entries, 'galley/2026-03-02.json')).toMatch(
      /Sam Reed \(sam-U1\): One[^]*Sam Reed \(sam-U2\): Two/,
    );
  });

  it('is not what only has files with these names', async () => {
    expect(
      await opened({ 'channels.json': '[{"id": "C1", "name": "tv"}]', 'tv/2026-03-02.json': '{"a": 1}' }),
    ).toBeNull();
    expect(await opened({ 'channels.json': '[]', 'tv/2026-03-02.json': '[{"ts": 3}]' })).toBeNull();
    expect(await opened({ 'channels.json': '{}', 'users.json': '[]', 'a.txt': 'a' })).toBeNull();
  });
});

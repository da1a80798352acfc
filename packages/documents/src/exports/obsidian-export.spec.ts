import { describe, expect, it } from '@jest/globals';
import { digestOf, documentsOf, opened, textOf } from './open-export.fixtures.js';

const SETTINGS = { '.obsidian/app.json': '{}' };

/** A note as it is read. */
async function shown(markdown: string): Promise<string | null> {
  return textOf({ ...SETTINGS, 'a.md': markdown }, 'a.md');
}

describe('a vault of Obsidian', () => {
  it('has notes without its settings and its trash, with links to notes and pictures', async () => {
    const entries = {
      'Vault/.obsidian/app.json': '{}',
      'Vault/.trash/old.md': 'old',
      'Vault/Home.md':
        'See [[Engine]], ![[pump.png|300]], [[Sails#Reefing|reefing]], [[Deep/Rope]] and [[Gone]].',
      'Vault/Ship/Engine.md': '[[home]] [[Home]] [oil](Oil%20change.md) [[Chief]]',
      'Vault/Ship/Oil change.md': '---\naliases: [Grease]\n---\n',
      'Vault/Sails.md': '[[Grease]]',
      'Vault/Ship/Deep/Rope.md': 'Rope',
      'Vault/Crew/Ada.md':
        '---\naliases:\n  - Chief\ntags: [crew, math]\nborn: 1815\nup: "[[Home]]"\n---\nAda',
      'Vault/files/pump.png': 'x',
    };
    expect(await documentsOf(entries)).toEqual({
      'Home.md': [
        '',
        'Home',
        ['Vault/Ship/Engine.md', 'Vault/files/pump.png', 'Vault/Sails.md', 'Vault/Ship/Deep/Rope.md'],
      ],
      'Ship/Engine.md': [
        'Ship',
        'Engine',
        ['Vault/Home.md', 'Vault/Crew/Ada.md', 'Vault/Ship/Oil change.md'],
      ],
      'Ship/Oil change.md': ['Ship', 'Oil change', []],
      'Sails.md': ['', 'Sails', ['Vault/Ship/Oil change.md']],
      'Ship/Deep/Rope.md': ['Ship/Deep', 'Rope', []],
      'Crew/Ada.md': ['Crew', 'Ada', ['Vault/Home.md']],
      'files/pump.png': ['files', 'pump.png', []],
    });
    const contents = await opened(entries);
    expect(contents?.documents.find(({ name }) => name === 'Ada')?.properties).toEqual({
      aliases: ['Chief'],
      tags: ['crew', 'math'],
      born: '1815',
      up: 'Home',
    });
  });

  it('shows the labels of links', async () => {
    for (const [markdown, text] of [
      ['See [[Engine room]].', 'See Engine room.'],
      ['See [[Engine room|the engine]].', 'See the engine.'],
      [
        'See [[Engine.md#Oil#Change]] and [[#Here]], [[Engine#^block1]].',
        'See Engine > Oil > Change and Here, Engine.',
      ],
      ['| [[Engine\\|hot]] | b |', '| hot | b |'],
      ['![[Note]] ![[pump.png|300x200]] ![[pump.png|the pump]]', 'Note pump.png the pump'],
      ['[[Sq]uare]] [[]] [[a\nb]]', 'Sq]uare [[]] [[a\nb]]'],
    ] as const)
      expect(await shown(markdown)).toBe(text);
  });

  it('leaves code as it is', async () => {
    for (const markdown of [
      'Run `[[ -f a ]]` now',
      'Run ``a ` [[ -f b ]]`` now',
      '```sh\n[[ -f a ]] && b\n```',
      '~~~\n```\n[[a]]\n~~~',
      '> ```\n> [[a]]\n> ```',
    ])
      expect(await shown(markdown)).toBe(markdown);
    expect(await shown('```\n[[a]]\n```\n[[a]] and ` [[b]]')).toBe('```\n[[a]]\n```\na and ` b');
  });

  it('takes time in proportion to the length of a line with back quotes', async () => {
    const once = Array.from({ length: 1_400 }, (_, n) => '`'.repeat(n + 2)).join('x');
    const letters = Array.from({ length: 22_000 }, (_, n) => digestOf(n)).join('');
    const note = `[[b]] ${once} ${letters.replaceAll(/./g, '`$&')}`;
    const startedAt = process.cpuUsage().user;
    expect(await shown(note)).toHaveLength(note.length - '[[]]'.length);
    await shown(`---\na: [${','.repeat(60_000)}]\n---\n`);
    expect((process.cpuUsage().user - startedAt) / 1_000).toBeLessThan(10_000);
  });

  it('needs no settings if its links name its notes', async () => {
    expect((await opened({ 'a.md': '[[b]]', 'b.md': 'b' }))?.kind).toBe('obsidian');
    expect(await opened({ 'a.md': '[[1, 2], [3, 4]] [[c]] [[d]]', 'b.md': '[[a]]' })).toBeNull();
    expect(await opened({ 'a.md': 'a', 'b.txt': 'b' })).toBeNull();
  });

  it('keeps notes that are not UTF-8 as they are', async () => {
    const latin = Uint8Array.from(Buffer.from('Caf\u00e9 [[b]]', 'latin1'));
    expect(await textOf({ ...SETTINGS, 'a.md': latin }, 'a.md')).toBeNull();
  });
});

describe('an archive of Google Takeout', () => {
  const MAIL =
    'From 1@xxx Mon Mar 02 08:00:00 +0000 2026\nX-GM-THRID: 1\nX-Gmail-Labels: Inbox\nSubject: Soup\n\nHot.\n';

  it('has its products without the index', async () => {
    const entries = {
      'Takeout/archive_browser.html': '<html></html>',
      'Takeout/Mail/All mail Including Spam and Trash.mbox': MAIL,
      'Takeout/Keep/Soup.html': '<p>Soup</p>',
    };
    expect(await documentsOf(entries)).toEqual({
      'Mail/All mail Including Spam and Trash.mbox': ['Mail', 'All mail Including Spam and Trash.mbox', []],
      'Keep/Soup.html': ['Keep', 'Soup.html', []],
    });
    expect((await opened({ 'Takeout/Correo/Todo.mbox': MAIL }))?.kind).toBe('takeout');
  });

  it('is not any folder with this name', async () => {
    expect(await opened({ 'Takeout/menu.txt': 'Soup' })).toBeNull();
    expect(await opened({ 'Takeout/archive_browser.html': '', 'other.txt': 'a' })).toBeNull();
  });
});

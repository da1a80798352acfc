import { describe, expect, it } from '@jest/globals';
import { notionId as id } from '../test-files/exports.builder.js';
import { documentsOf, opened, textOf } from './open-export.fixtures.js';

const link = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

describe('an export of Notion', () => {
  it('has pages by their titles, below the pages that contain them', async () => {
    const long = 'A title that is far longer than what the name of a file in an export may have';
    const entries = {
      [`Ship ${id(1)}.md`]: '# 🚢 Ship: all of it\n\nText',
      [`Ship ${id(1)}/Engine ${id(2)}.md`]: '# Engine',
      [`Ship ${id(1)}/Engine ${id(2)}/pump.png`]: 'x',
      [`Ship ${id(1)}/${long.slice(0, 50)} ${id(3)}.md`]: `# ${long}`,
      [`Ship ${id(1)}/Untitled ${id(4)}.md`]: 'Only text',
    };
    expect(await documentsOf(entries)).toEqual({
      [`Ship ${id(1)}.md`]: ['', '🚢 Ship: all of it', []],
      [`Ship ${id(1)}/Engine ${id(2)}.md`]: ['🚢 Ship: all of it', 'Engine', []],
      [`Ship ${id(1)}/Engine ${id(2)}/pump.png`]: ['🚢 Ship: all of it/Engine', 'pump.png', []],
      [`Ship ${id(1)}/${long.slice(0, 50)} ${id(3)}.md`]: ['🚢 Ship: all of it', long, []],
      [`Ship ${id(1)}/Untitled ${id(4)}.md`]: ['🚢 Ship: all of it', 'Untitled', []],
    });
    expect((await opened(entries))?.kind).toBe('notion');
  });

  it('may have folders without ids, teams, and a folder around it that changes each time', async () => {
    const around = 'Export-01234567-89ab-cdef-0123-456789abcdef';
    expect(
      await documentsOf({
        [`${around}/Crew/Ship ${id(1)}.md`]: '# Ship',
        [`${around}/Crew/Ship/Engine ${id(2)}.md`]: '# Engine',
      }),
    ).toEqual({
      [`Crew/Ship ${id(1)}.md`]: ['Crew', 'Ship', []],
      [`Crew/Ship/Engine ${id(2)}.md`]: ['Crew/Ship', 'Engine', []],
    });
  });

  it('may have paths of Windows', async () => {
    const entries = { [`Ship ${id(1)}.md`]: '# Ship', [`Ship ${id(1)}\\Engine ${id(2)}.md`]: '# Engine' };
    expect(Object.values(await documentsOf(entries))).toEqual([
      ['', 'Ship', []],
      ['Ship', 'Engine', []],
    ]);
  });

  it('keeps the links between pages: by their ids, by addresses, and to files', async () => {
    const [ship, engine, oil] = [
      `Ship ${id(1)}.md`,
      `Ship ${id(1)}/Engine (v1.2) ${id(2)}.md`,
      `Oil ${id(3)}.md`,
    ];
    const pump = `Ship ${id(1)}/pump 2.png`;
    const text = [
      `# Ship\n\n[Engine](${link(engine)}) and [again](${link(engine)}#part), ![pump](${link(pump)}),`,
      `[oil](https://www.notion.so/Oil-${id(3)}?pvs=4), [out](https://example.org/${id(9)}), [gone](gone.md), [self](${link(ship)})`,
    ].join(' ');
    const documents = await documentsOf({
      [ship]: text,
      [engine]: '# Engine (v1.2)\n\n[up](../Ship%20' + id(1) + '.md)',
      [oil]: '# Oil',
      [pump]: 'x',
    });
    expect(documents[ship]?.[2]).toEqual([engine, pump, oil]);
    expect(documents[engine]?.[2]).toEqual([ship]);
  });

  it('has each database once: all its rows, and the pages that say more than their row', async () => {
    const rows = `Name,Place\n"Oil, ""fine""",Hold\nRope (long),Deck (Deck%20${id(6)}.md)\nSoup,Sum (${id(9)})\n`;
    const entries = {
      [`Stores ${id(1)}.csv`]: 'Name,Place\nSoup,Galley\n',
      [`Stores ${id(1)}_all.csv`]: rows,
      [`Deck ${id(6)}.md`]: '# Deck',
      [`Stores ${id(1)}/Oil ${id(2)}.md`]: '# Oil, "fine"\n\nPlace: Hold\n',
      [`Stores ${id(1)}/Soup ${id(3)}.md`]: '# Soup\n\nPlace: Galley\n\nBoil it: slowly.\n',
      [`Stores ${id(1)}/Unlisted ${id(4)}.md`]: '# Unlisted\n\nPlace: Hold\n',
      [`Stores ${id(1)}/Note ${id(5)}.md`]: `# Note\n\n[Oil](Oil%20${id(2)}.md)`,
    };
    expect(await documentsOf(entries)).toEqual({
      [`Stores ${id(1)}_all.csv`]: ['', 'Stores.csv', [`Deck ${id(6)}.md`]],
      [`Deck ${id(6)}.md`]: ['', 'Deck', []],
      [`Stores ${id(1)}/Soup ${id(3)}.md`]: ['Stores', 'Soup', []],
      [`Stores ${id(1)}/Unlisted ${id(4)}.md`]: ['Stores', 'Unlisted', []],
      [`Stores ${id(1)}/Note ${id(5)}.md`]: ['Stores', 'Note', [`Stores ${id(1)}_all.csv`]],
    });
    expect(await textOf(entries, `Stores ${id(1)}_all.csv`)).toBe(
      'Name,Place\n"Oil, ""fine""",Hold\nRope (long),Deck\nSoup,Sum (' + id(9) + ')\n',
    );
  });

  it('keeps the text of rows of a database that has a column without a name', async () => {
    const entries = {
      [`Stores ${id(1)}_all.csv`]: 'Name,"",Place\nOil,,Hold\n',
      [`Stores ${id(1)}/Oil ${id(2)}.md`]: '# Oil\n\nPlace: Hold\n\nNine litres are left.\n',
    };
    expect(Object.keys(await documentsOf(entries))).toEqual(Object.keys(entries));
  });

  it('reads pages a few times only, however many databases have their name', async () => {
    const numbers = Array.from({ length: 300 }, (_, n) => n);
    const tables = numbers.map((n) => [`T ${id(n + 0x10000)}.csv`, 'Name\nx\n'] as const);
    const pages = numbers.map((n) => [`T/P ${id(n + 0x20000)}.md`, '# P\n\ntext'] as const);
    const startedAt = process.cpuUsage().user;
    expect((await opened(Object.fromEntries([...tables, ...pages])))?.documents).toHaveLength(600);
    expect((process.cpuUsage().user - startedAt) / 1_000).toBeLessThan(10_000);
  });

  it('may be a database alone, and HTML', async () => {
    const table = {
      [`Stores ${id(1)}.csv`]: 'Name\nOil\n',
      [`Stores ${id(1)}_all.csv`]: 'Name\nOil\nRope\n',
    };
    expect(Object.values(await documentsOf(table))).toEqual([['', 'Stores.csv', []]]);
    const dashed = id(1).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const page = `<html><body><article id="${dashed}" class="page sans"><a href="Ship%20${id(2)}.html">Ship</a></article></body></html>`;
    expect(
      await documentsOf({
        [`Home ${id(1)}.html`]: page,
        [`Ship ${id(2)}.html`]: page.replace(/id="[^"]*"/, ''),
      }),
    ).toMatchObject({ [`Home ${id(1)}.html`]: ['', 'Home', [`Ship ${id(2)}.html`]] });
  });

  it('may have pages that cannot be read, but not only these', async () => {
    const unread = Array.from(
      { length: 21 },
      (_, n) => [`Old ${id(n + 0x100)}.md`, new Uint8Array([0xff, 0xfe, 0xff])] as const,
    );
    const contents = await opened({ ...Object.fromEntries(unread), [`Ship ${id(1)}.md`]: '# Ship' });
    expect([contents?.kind, contents?.documents.length]).toEqual(['notion', 22]);
    expect(await opened(Object.fromEntries(unread))).toBeNull();
    expect(
      await opened({ ...Object.fromEntries(unread), [`build ${id(1)}.md`]: '# Something else' }),
    ).toBeNull();
  });

  it('is not what only has names that end in a checksum', async () => {
    expect(await opened({ [`build ${id(1)}.md`]: '# Something else', 'a.txt': 'a' })).toBeNull();
    expect(await opened({ [`table ${id(1)}.csv`]: 'a,b\n1,2\n' })).toBeNull();
  });
});

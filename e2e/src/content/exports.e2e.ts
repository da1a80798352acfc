import { type Datasource, datasourceSchema } from '@citewell/contracts/schemas';
import {
  buildZip,
  confluencePage,
  notionId,
  slackEntries,
  slackMessage,
} from '@citewell/documents/test-files';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { z } from 'zod';
import { Tenant, until } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { describeDeployment } from '../deployments/describe-deployment.js';

type Entries = Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>;

const AHOY = slackMessage('UADA', 8, 'The regatta begins on <#CDECK>, <@UBOB>.');

const [SHIP, ENGINE] = [`Ship ${notionId(1)}.md`, `Ship ${notionId(1)}/Engine ${notionId(2)}.md`];
const NOTION = buildZip({
  'Export-Part-1.zip': buildZip({
    [SHIP]: `# Ship\n\nThe yacht has an [engine](Ship%20${notionId(1)}/Engine%20${notionId(2)}.md).`,
  }),
  'Export-Part-2.zip': buildZip({ [ENGINE]: '# Engine\n\nThe engine takes nine litres.' }),
});

describeDeployment('exports of other programs', (start) => {
  let deployment: Deployment;
  let tenant: Tenant;
  let datastoreId: string;
  beforeAll(async () => {
    deployment = await start({ EMBEDDING_MODEL: 'none' });
    tenant = await Tenant.create(deployment);
    datastoreId = (await tenant.datastore()).id;
  });
  afterAll(() => deployment.stop());

  /** Uploads an archive in place of the one before with this custom id. */
  async function upload(customId: string, content: Uint8Array<ArrayBuffer>): Promise<Datasource> {
    const answer = await tenant.api.upload([
      ['datastoreId', datastoreId],
      ['custom_id', customId],
      ['upsert', 'true'],
      ['file', new Blob([content]), `${customId}.zip`],
    ]);
    return tenant.waitUntilFinished(answer.as(datasourceSchema).id);
  }

  async function filesOf(id: string): Promise<Datasource[]> {
    const answer = await tenant.api.get(`/datasources?groupId=${id}`);
    const files = answer.as(z.array(datasourceSchema.strict()));
    return files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  it('of Slack: a search finds who said what when, and a newer export keeps the days that are as before', async () => {
    const days = { 'galley/2026-03-02': [AHOY, slackMessage('UBOB', 9, 'I bring the soup.')] };
    const export1 = await upload('slack', buildZip(slackEntries({ days })));
    expect([export1.exportOf, export1.status, export1.error]).toEqual(['slack', 'synched', null]);
    const [hit] = await tenant.search(datastoreId, 'who brings the soup?');
    expect(hit?.text).toMatch('[2026-03-02 at 09:00 UTC] Bob Stone: I bring the soup.');
    expect(hit?.text).toMatch('Ada Lovelace (Countess): The regatta begins on #deck, @Bob Stone.');
    expect(hit).toMatchObject({ datasource_name: '#galley 2026-03-02', metadata: { channel: 'galley' } });
    const filters = { metadata: { channel: 'deck' } };
    expect(await tenant.search(datastoreId, 'soup', { filters })).toEqual([]);

    const later = { ...days, 'galley/2026-03-03': [slackMessage('UADA', 32, 'The soup was cold.')] };
    const before = await filesOf(export1.id);
    const export2 = await upload('slack', buildZip(slackEntries({ days: later, dms: [] })));
    const after = await filesOf(export2.id);
    expect(after.map(({ id, name, revision }) => [id === before[0]?.id, name, revision])).toEqual([
      [true, '#galley 2026-03-02', 1],
      [false, '#galley 2026-03-03', 1],
    ]);
  });

  it('of Notion, in parts: pages have their names, places and links', async () => {
    const { id, exportOf, status } = await upload('notion', NOTION);
    expect([exportOf, status]).toEqual(['notion', 'synched']);
    const [engine, ship] = await filesOf(id);
    expect([engine?.name, engine?.customId, engine?.metadata]).toEqual([
      'Engine',
      ENGINE,
      { path: 'Ship/Engine' },
    ]);
    expect([ship?.name, ship?.metadata]).toEqual([
      'Ship',
      { path: 'Ship', links: [{ datasourceId: engine?.id, name: 'Engine' }] },
    ]);
    const original = await tenant.api.get(`/datasources/${engine?.id}/file`);
    expect(original.header('content-disposition')).toMatch(/'Engine\.md$/);
    const [hit] = await tenant.search(datastoreId, 'yacht');
    expect(hit).toMatchObject({ datasource_name: 'Ship', metadata: ship?.metadata });
  });

  it('of Confluence, whose attachment has another name: it is found by the new one', async () => {
    const exportWith = (name: string) =>
      buildZip({
        'index.html': '<a href="12.html">Tides</a>',
        '12.html': confluencePage('Tides', `<p><a href="attachments/12/1.txt">${name}</a></p>`),
        'attachments/12/1.txt': 'High at noon.',
      });
    const { id } = await upload('attachments', exportWith('Buoy list.txt'));
    const best = async (query: string) => (await tenant.search(datastoreId, query))[0]?.datasource_name;
    const [before] = await filesOf(id);
    expect([before?.name, await best('buoy')]).toEqual(['Buoy list.txt', 'Buoy list.txt']);
    await upload('attachments', exportWith('Lighthouse list.txt'));
    await until(async () => (await best('lighthouse')) === 'Lighthouse list.txt', 'the new name to be found');
    const after = (await filesOf(id)).find((file) => file.id === before?.id);
    expect([after?.name, after?.revision]).toEqual(['Lighthouse list.txt', 1]);
    expect(await best('buoy')).toBeUndefined();
  });

  it('of Confluence and Obsidian, which a plain archive replaces', async () => {
    const confluence: Entries = {
      'index.html': '<a href="12.html">Tides</a>',
      '12.html': confluencePage('Tides', '<p>High at noon.</p>'),
    };
    const vault: Entries = {
      '.obsidian/app.json': '{}',
      'Reef.md': '---\ntags: [sea]\n---\nNear [[Tides|the tides]].',
    };
    const wiki = await upload('wiki', buildZip(confluence));
    expect([wiki.exportOf, (await filesOf(wiki.id)).map(({ name }) => name)]).toEqual([
      'confluence',
      ['Tides'],
    ]);
    const notes = await upload('wiki', buildZip(vault));
    expect([notes.id, notes.exportOf]).toEqual([wiki.id, 'obsidian']);
    expect((await filesOf(notes.id)).map(({ metadata }) => metadata)).toEqual([
      { path: 'Reef', tags: ['sea'] },
    ]);
    expect(
      (await tenant.search(datastoreId, 'reef', { filters: { metadata: { tags: 'sea' } } })).length,
    ).toBe(1);
    const plain = await upload('wiki', buildZip({ 'Reef.md': 'Near the tides.' }));
    expect('exportOf' in plain).toBe(false);
    expect((await filesOf(plain.id)).map(({ name, metadata }) => [name, metadata])).toEqual([
      ['Reef.md', undefined],
    ]);
  });
});

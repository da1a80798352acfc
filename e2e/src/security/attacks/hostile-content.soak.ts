import { type Datasource, datasourceSchema } from '@citewell/contracts/schemas';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Tenant } from '../../client/tenant.js';
import { startEmbedded } from '../../deployments/embedded.deployment.js';
import { type DeploymentWithModel, startWithModel } from '../../deployments/model.deployment.js';
import { report } from '../../report.js';
import { AttackRun } from './attack-run.js';
import type { Attacker } from './attacker.js';
import { HOSTILE_ARCHIVES } from './hostile-archives.js';
import { type HostileFile, type HostileSite, MEGABYTE } from './hostile-content.js';
import { HOSTILE_OFFICE_FILES } from './hostile-office-files.js';
import { HOSTILE_PAGES } from './hostile-pages.js';
import { HOSTILE_PDFS } from './hostile-pdfs.js';
import { HOSTILE_HOPS, HOSTILE_RESPONSES, SLOW_RESPONSES } from './hostile-responses.js';
import { HostileServer } from './hostile-server.js';
import { HOSTILE_SITEMAPS } from './hostile-sitemaps.js';
import { HOSTILE_TEXT_FILES } from './hostile-text-files.js';

/** No content may take longer, with the others of its attack at the same time. */
const LONGEST_MS = 300_000;
const OK = 200;
/** Sites or files that attack at the same time. */
const CONCURRENT = 8;
/** Queries that many hostile texts match. */
const QUERIES = ['What does the page of a hostile site tell of?', 'x', 'a'];

const SITES: Readonly<Record<string, readonly HostileSite[]>> = {
  'responses, redirects and compression bombs': [...HOSTILE_RESPONSES, ...HOSTILE_HOPS],
  'slow responses': SLOW_RESPONSES,
  'robots.txt and sitemaps': HOSTILE_SITEMAPS,
  'HTML pages': HOSTILE_PAGES,
};
const FILES: Readonly<Record<string, readonly HostileFile[]>> = {
  'PDF files': HOSTILE_PDFS,
  'Office files and books': HOSTILE_OFFICE_FILES,
  'texts, tables and e-mail': HOSTILE_TEXT_FILES,
  'ZIP archives': HOSTILE_ARCHIVES,
};

/** Attacks with what is ingested. `npm run soak -- hostile-content` prints the rows of docs/security.md. */
describe('hostile content', () => {
  let running: DeploymentWithModel;
  let tenant: Tenant;
  let run: AttackRun;
  let agentId: string;
  let healthyId: string;

  beforeAll(async () => {
    running = await startWithModel(startEmbedded, {
      CHAT_MODEL: 'scripted',
      RATE_LIMIT_PER_MINUTE: '0',
      ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32',
      CRAWL_DELAY_MS: '0',
      // Two parsers have to fit into the limit of memory, and a browser would not.
      PARSER_MEMORY_BYTES: String(256 * MEGABYTE),
      CHROMIUM_PATH: 'chromium-is-not-installed',
    });
    tenant = await Tenant.create(running.deployment);
    ({ id: healthyId } = await tenant.datastore());
    ({ id: agentId } = await tenant.agent({ datastoreIds: [healthyId] }));
    run = new AttackRun(running.deployment, tenant.api);
  });
  afterAll(async () => {
    await running.stop();
    await run.finish();
  });

  /** Waits until a datasource is finished. Its error must be a sentence without internal details. */
  async function outcomeOf(
    name: string,
    created: { readonly status: number; readonly text: string },
  ): Promise<string> {
    if (created.status !== OK) return `refused ${created.status}`;
    const started = performance.now();
    const { id } = datasourceSchema.parse(JSON.parse(created.text));
    const { status, error }: Datasource = await tenant.waitUntilFinished(id, LONGEST_MS);
    report(
      `${name}: ${status} ${error?.code ?? ''} after ${((performance.now() - started) / 1000).toFixed(0)} s`,
    );
    if (error === null) return status;
    expect([name, error.message]).toEqual([name, expect.stringMatching(/^[A-Z0-9].*\w+ \w+.*\.$/s)]);
    expect([name, error.message]).not.toEqual([
      name,
      expect.stringMatching(/node_modules|Error:|\bat \w+ \(/),
    ]);
    return `${status} ${error.code}`;
  }

  /** Queries the hostile texts, then ingests a harmless one, which has to be found and to be cited. */
  async function expectHealth(attacker: Attacker, datastoreId: string): Promise<void> {
    for (const query of QUERIES)
      await attacker.send('POST', `/datastores/${datastoreId}/query`, { query, topK: 100 });
    await attacker.send('GET', `/datasources?datastoreId=${datastoreId}&limit=100`);
    const year = 1_000 + attacker.attempts;
    const { id } = await tenant.text(healthyId, `The harbour of Bergen was built in ${year}.`);
    running.model.next({ kind: 'chat', deltas: [`In ${year} [1].`] });
    const { sources } = await tenant.ask(agentId, 'When was the harbour of Bergen built?');
    expect(sources.map(({ datasource_id: source }) => source)).toContain(id);
  }

  for (const [name, sites] of Object.entries(SITES))
    it(name, () =>
      run.attack(name, async (attacker) => {
        const { id: datastoreId } = await tenant.datastore();
        const outcomes = await mapConcurrently(sites, async (site) => {
          const server = await HostileServer.start(site.routes);
          try {
            const config = { source_url: `${server.origin}/`, maxPages: 20 };
            const body = { type: 'web_site', datastoreId, config };
            return [site.name, await outcomeOf(site.name, await attacker.send('POST', '/datasources', body))];
          } finally {
            server.stop();
          }
        });
        expect(outcomes).toEqual(sites.map(expected));
        await expectHealth(attacker, datastoreId);
      }),
    );

  for (const [name, files] of Object.entries(FILES))
    it(name, () =>
      run.attack(name, async (attacker) => {
        const { id: datastoreId } = await tenant.datastore();
        const outcomes = await mapConcurrently(files, async (file) => {
          const body = new FormData();
          body.append('datastoreId', datastoreId);
          body.append('file', new Blob([file.content]), file.name);
          const created = await attacker.send('POST', '/datasources', undefined, { body });
          return [file.name, await outcomeOf(file.name, created)];
        });
        expect(outcomes).toEqual(files.map(expected));
        await expectHealth(attacker, datastoreId);
      }),
    );
});

function expected({ name, outcome }: HostileFile | HostileSite): [string, unknown] {
  return [name, expect.stringMatching(new RegExp(`^(${outcome})$`))];
}

async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await map(item);
  };
  await Promise.all(Array.from({ length: CONCURRENT }, work));
  return results;
}

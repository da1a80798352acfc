import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import assert from 'node:assert/strict';
import { SeededRandom } from '../operations/resilience/seeded-random.js';
import { laterSite, type RandomSite, randomSite, serve, START } from './web-sites/random-site.js';
import { SiteClient } from './web-sites/site-client.js';
import { SiteFixture } from './web-sites/site-fixture.js';
import { NEW_SITE, type Prediction, SiteOracle, type SiteState } from './web-sites/site-oracle.js';
import { TestSite } from './web-sites/test-site.js';

/** `FIRST_SEED=17 SITES=1 npm run soak -- random` repeats the site of one seed. */
const FIRST_SEED = Number(process.env['FIRST_SEED'] ?? 1);
const SITES = Number(process.env['SITES'] ?? 100);

describe('random web sites that change from sync to sync', () => {
  let fixture: SiteFixture | undefined;
  beforeAll(async () => {
    fixture = await SiteFixture.start();
  });
  afterAll(() => fixture?.stop());

  for (let seed = FIRST_SEED; seed < FIRST_SEED + SITES; seed += 1)
    it(`end as the oracle predicts: seed ${seed}`, async () => {
      assert.ok(fixture);
      const server = await TestSite.start();
      const client = await SiteClient.add(fixture.tenant, {
        source_url: server.url(START),
        exclude: ['/**'],
      });
      await client.finished();
      try {
        await compareSyncs(new SeededRandom(seed), server, client);
      } finally {
        await server.stop();
      }
    });
});

async function compareSyncs(random: SeededRandom, server: TestSite, client: SiteClient): Promise<void> {
  let state: SiteState = NEW_SITE;
  let site = randomSite(random);
  for (let left = random.between(2, 4); left >= 0; left -= 1) {
    let prediction = SiteOracle.predict(site, state);
    // Only in the last sync may the order of requests decide anything: later ones would depend on it.
    while (prediction.unsure !== null || (left > 0 && prediction.alternatives.length > 0)) {
      site = state === NEW_SITE ? randomSite(random) : laterSite(site, random);
      prediction = SiteOracle.predict(site, state);
    }
    serve(site, server, random);
    server.forgetRequests();
    const exclude = site.isPrivateExcluded ? ['/private/**'] : null;
    await client.configure({ source_url: server.url(START), render: 'never', exclude });
    await client.sync({ removeMissing: site.removeMissing });
    const problems = [...(await differences(prediction, client)), ...repeatedRequests(server)];
    expect([describeSync(site, state), problems]).toEqual([describeSync(site, state), []]);
    state = prediction;
    site = laterSite(site, random);
  }
}

async function differences({ pages, alternatives }: Prediction, client: SiteClient): Promise<string[]> {
  const states = await client.states();
  const articles = await client.articles();
  const stateAt = (path: string): string => `${states[path] ?? 'absent'}, ${articles[path]}`;
  const synched = (text: string): string => `synched, ${text.split(' ')[1]}`;
  const undecided = new Set(alternatives.flatMap(({ paths }) => paths));
  const paths = new Set([...Object.keys(states), ...Object.keys(articles), ...pages.keys()]);
  const problems = [...paths].flatMap((path) => {
    if (undecided.has(path)) return [];
    const { state = 'absent', text = null } = pages.get(path) ?? {};
    const expected = `${state}, ${text?.split(' ')[1]}`;
    return stateAt(path) === expected ? [] : `${path} is ${stateAt(path)}, not ${expected}`;
  });
  for (const { text, paths: candidates } of alternatives) {
    const [page, ...others] = candidates.filter((path) => path in states || path in articles);
    if (page === undefined || others.length > 0 || stateAt(page) !== synched(text))
      problems.push(`${text} is not at one of ${candidates.join()}`);
  }
  return problems;
}

/** A URL is requested once; only failed requests are repeated, three times. */
function repeatedRequests({ pageRequests }: TestSite): string[] {
  return [...Map.groupBy(pageRequests, ({ path }) => path)].flatMap(([path, requests]) => {
    const answered = requests.filter(({ status }) => status < 500);
    return requests.length > 4 || answered.length > 1 ? `${path} is requested again` : [];
  });
}

function describeSync(site: RandomSite, before: SiteState): string {
  const entries = (_key: string, value: unknown): unknown => (value instanceof Map ? [...value] : value);
  return JSON.stringify({ site, before }, entries).replaceAll('],[', '],\n[');
}

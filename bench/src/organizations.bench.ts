// Simulates 10,000 organizations with heavy-tailed uploads of small texts against the dispatcher's own statements. Time is
// compressed: a slot of a worker is taken for a time that is computed, and no worker runs. The same arrivals are simulated
// twice: with and without the backlog of the largest organization. Prints waiting times by size of organization, and the
// times of the statements.
//
//   npm run bench -- organizations [--organizations 10000] [--slots 40] [--load 0.7] [--backlog 50000] [--at-once]
import { parseArgs } from 'node:util';
import { createDataSource, migrate, RunDispatchRepository } from '@citewell/database';
import { seededRandom } from '@citewell/retrieval';
import { startPostgres } from '@citewell/testing';

const { values } = parseArgs({
  options: {
    organizations: { type: 'string', default: '10000' },
    slots: { type: 'string', default: '40' },
    load: { type: 'string', default: '0.7' },
    backlog: { type: 'string', default: '50000' },
    /** All uploads arrive at the same moment, as after an outage. */
    'at-once': { type: 'boolean', default: false },
  },
});
const ORGANIZATIONS = Number(values.organizations);
const SLOTS = Number(values.slots);
/** Share of the slots that the organizations take without the largest one. */
const LOAD = Number(values.load);
const BACKLOG = Number(values.backlog);

/** Virtual seconds in which a worker indexes a batch, and each of its texts: from `many-documents`, with one slot alone. */
const SECONDS_PER_BATCH = 0.06;
const SECONDS_PER_TEXT = 0.012;
/** Virtual seconds between two looks of the dispatcher. */
const TICK = 0.02;
/** Texts of a batch while organizations wait. */
const SHORT_BATCH = 8;
const STAGE = { stage: 'indexing', queue: 'index' } as const;

interface Upload {
  readonly organization: number;
  readonly texts: number;
  readonly at: number;
}

interface Waits {
  readonly texts: number;
  /** Virtual seconds from the upload to its last text. */
  readonly seconds: number;
}

/** Sizes follow a power law (Zipf, exponent 1.1): half of the organizations upload one or two texts, a few thousands. */
function arrivals(): Upload[] {
  const random = seededRandom(20_26);
  const sizes = Array.from({ length: ORGANIZATIONS }, (_, rank) =>
    Math.max(1, Math.round((0.4 * ORGANIZATIONS) / (rank + 1) ** 1.1)),
  );
  const work = sizes.reduce(
    (sum, texts) => sum + Math.ceil(texts / SHORT_BATCH) * SECONDS_PER_BATCH + texts * SECONDS_PER_TEXT,
    0,
  );
  const period = values['at-once'] ? 0 : work / (SLOTS * LOAD);
  return sizes
    .map((texts, organization) => ({ organization: organization + 1, texts, at: random() * period }))
    .toSorted((a, b) => a.at - b.at);
}

interface Simulated {
  readonly waits: readonly Waits[];
  /** Milliseconds of each statement of the dispatcher. */
  readonly statements: Readonly<Record<'backlog' | 'claim', number[]>>;
}

async function simulate(uploads: readonly Upload[], backlog: number): Promise<Simulated> {
  const server = await startPostgres();
  const dataSource = await createDataSource({
    url: server.url,
    poolSize: 2,
    applicationName: 'simulation',
  }).initialize();
  try {
    await migrate(dataSource);
    await dataSource.query(
      `INSERT INTO organizations (id, name) SELECT gen_random_uuid(), n FROM generate_series(0, $1::int) n`,
      [ORGANIZATIONS],
    );
    await dataSource.query(
      `INSERT INTO datastores (id, organization_id, name) SELECT gen_random_uuid(), id, 'library' FROM organizations`,
    );
    const dispatch = new RunDispatchRepository(dataSource);
    const statements: Simulated['statements'] = { backlog: [], claim: [] };
    const timed = async <Value>(
      name: keyof typeof statements,
      work: () => Promise<Value>,
    ): Promise<Value> => {
      const started = performance.now();
      const value = await work();
      statements[name].push(performance.now() - started);
      return value;
    };

    /** The datasources and runs of an upload, in the stage in which all small texts are delivered together. */
    const upload = async (organization: number, texts: number): Promise<void> => {
      await dataSource.query(
        `WITH added AS (
           INSERT INTO datasources (id, organization_id, datastore_id, type, name)
           SELECT gen_random_uuid(), s.organization_id, s.id, 'text', 'text'
             FROM organizations o JOIN datastores s ON s.organization_id = o.id CROSS JOIN generate_series(1, $2::int)
            WHERE o.name = $1::text
           RETURNING id, organization_id)
         INSERT INTO runs (id, organization_id, datasource_id, trigger, stage, characters)
         SELECT gen_random_uuid(), organization_id, id, 'create', 'indexing', 2000 FROM added`,
        [String(organization), texts],
      );
    };
    const setState = (ids: readonly string[], state: string) =>
      dataSource.query('UPDATE runs SET state = $2 WHERE id = ANY($1::uuid[])', [ids, state]);

    await upload(0, backlog);
    await dataSource.query('ANALYZE');
    const ids = await dataSource.query<{ id: string; name: string }[]>('SELECT id, name FROM organizations');
    const numberOf = new Map(ids.map(({ id, name }) => [id, Number(name)]));

    const waiting: { priority: number; runs: string[]; organization: number }[] = [];
    let active: { until: number; runs: string[]; organization: number }[] = [];
    const left = new Map<number, number>();
    const waits: Waits[] = [];
    const coming = [...uploads];
    const uploadOf = new Map(uploads.map((one) => [one.organization, one]));
    for (let now = 0; coming.length > 0 || left.size > 0; now += TICK) {
      for (let next = coming[0]; next !== undefined && next.at <= now; next = coming[0]) {
        coming.shift();
        left.set(next.organization, next.texts);
        await upload(next.organization, next.texts);
      }
      const ended = active.filter(({ until }) => until <= now);
      active = active.filter(({ until }) => until > now);
      if (ended.length > 0)
        await setState(
          ended.flatMap(({ runs }) => runs),
          'succeeded',
        );
      for (const { organization, runs } of ended) {
        const rest = (left.get(organization) ?? 0) - runs.length;
        if (rest > 0) left.set(organization, rest);
        else if (left.delete(organization)) {
          const of = uploadOf.get(organization);
          if (of) waits.push({ texts: of.texts, seconds: now - of.at });
        }
      }
      const work = await timed('backlog', () => dispatch.backlog([STAGE], SLOTS));
      const capacity = work.capacity.get(STAGE.stage);
      if (capacity) {
        const rule = { contentTypes: [], perOrganization: capacity.slots };
        const batches = await timed('claim', () => dispatch.claim(STAGE.stage, capacity.free, rule));
        for (const { organizationId, priority, deliveries } of batches) {
          const organization = numberOf.get(organizationId) ?? NaN;
          waiting.push({ priority, organization, runs: deliveries.map(({ runId }) => runId) });
        }
      }
      // The queue gives out the lowest priority first, and the oldest of those.
      waiting.sort((a, b) => a.priority - b.priority);
      const taken = waiting.splice(0, SLOTS - active.length);
      if (taken.length > 0)
        await setState(
          taken.flatMap(({ runs }) => runs),
          'active',
        );
      for (const { runs, organization } of taken) {
        const until = now + SECONDS_PER_BATCH + runs.length * SECONDS_PER_TEXT;
        active.push({ until, runs, organization });
      }
    }
    return { waits, statements };
  } finally {
    await dataSource.destroy();
    await server.stop();
  }
}

/** In seconds or milliseconds, such as `.12 / .30 / .81`. */
function quantiles(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return [0.5, 0.9, 0.99].map((share) => quantile(sorted, share).toFixed(2)).join(' / ');
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

const uploads = arrivals();
const alone = await simulate(uploads, 0);
const beside = await simulate(uploads, BACKLOG);
console.log(
  `${ORGANIZATIONS} organizations, ${uploads.reduce((sum, { texts }) => sum + texts, 0)} texts, ${SLOTS} slots, ` +
    `${values['at-once'] ? 'all at once' : `load ${LOAD}`}; the largest one has ${BACKLOG} texts more. ` +
    'Median / p90 / p99 of the seconds from an upload to its last text, alone and beside the largest one:',
);
for (const [name, from, to] of [
  ['small', 1, 9],
  ['middle', 10, 99],
  ['large', 100, Infinity],
] as const) {
  const [before, after] = [alone, beside].map(({ waits }) =>
    waits.filter(({ texts }) => texts >= from && texts <= to).map(({ seconds }) => seconds),
  );
  if (before === undefined || after === undefined) continue;
  const medians = [after, before].map((seconds) =>
    quantile(
      seconds.toSorted((a, b) => a - b),
      0.5,
    ),
  );
  console.log(
    `${name}, ${from} to ${to} texts: ${before.length} organizations   alone ${quantiles(before)}   ` +
      `beside ${quantiles(after)}   ratio ${((medians[0] ?? NaN) / (medians[1] ?? NaN)).toFixed(2)}`,
  );
}
for (const [name, { statements }] of Object.entries({ alone, beside }))
  for (const [statement, milliseconds] of Object.entries(statements))
    console.log(`${name}: ${statement}, ${milliseconds.length} times, ms: ${quantiles(milliseconds)}`);

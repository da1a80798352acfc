// Measures what it costs to decide which libraries a person may read: 10,000 people, 1,000 groups and 10,000 libraries. Each
// call of a repository is made for a random person and for an API key, which reads everything, in turn.
//
//   npm run bench -- readers [--calls 500] [--everyone 20] [--database postgres://...]
//
// --everyone is the percentage of libraries that are for everyone of the organization. A library that is not has three groups and
// five people as readers; a person is in ten groups, and one person in a hundred is in a hundred. The database is the embedded one, or an empty one of
// another server.
import { parseArgs } from 'node:util';
import {
  AgentRepository,
  createDataSource,
  DatasourceRepository,
  DatastoreRepository,
  migrate,
  newId,
  PassageRepository,
  TenantScope,
} from '@citewell/database';
import { startPostgres } from '@citewell/testing';
import { round, Timings } from './product/timings.js';

const PEOPLE = 10_000;
const GROUPS = 1_000;
const LIBRARIES = 10_000;
const DOCUMENTS_EACH = 2;
const SMALL_AGENT = 10;
const LARGE_AGENT = 1_000;
const HITS = SMALL_AGENT * DOCUMENTS_EACH;
const PAGE = 100;
const WARM_UP = 30;
/** The least time of so many equal calls counts: what other programs of the machine take is not of the filter. */
const REPETITIONS = 5;

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '500' },
    everyone: { type: 'string', default: '20' },
    database: { type: 'string' },
  },
});
const calls = Number(values.calls);

const postgres = values.database === undefined ? await startPostgres() : null;
const dataSource = createDataSource({
  url: values.database ?? (await postgres?.createDatabase()) ?? '',
  poolSize: 2,
  applicationName: 'bench',
});
await dataSource.initialize();
await migrate(dataSource);
const organizationId = newId();
await fill();

const [{ version }] = await dataSource.query<[{ version: string }]>(
  `SELECT current_setting('server_version') AS version`,
);
const people = await idsOf('SELECT id FROM people WHERE organization_id = $1 ORDER BY id');
const libraries = await idsOf('SELECT id FROM datastores WHERE organization_id = $1 ORDER BY id');
const agents = new AgentRepository(dataSource);
const whole = new TenantScope(organizationId);
const { agent: small } = await agents.create(whole, { name: 'small' }, sample(libraries, SMALL_AGENT));
const { agent: large } = await agents.create(whole, { name: 'large' }, sample(libraries, LARGE_AGENT));
await dataSource.query('ANALYZE');

const datastores = new DatastoreRepository(dataSource);
const datasources = new DatasourceRepository(dataSource);
const passages = new PassageRepository(dataSource);
const searched = (await datastores.ofAgent(whole, small.id)).map(({ id }) => id);
const found = await idsOf(
  `SELECT id FROM datasources WHERE organization_id = $1 AND datastore_id = ANY($2) LIMIT ${HITS}`,
  searched,
);

const CALLS: Readonly<Record<string, (scope: TenantScope) => Promise<unknown>>> = {
  'one library by its id': (scope) => datastores.find(scope, one(libraries)),
  [`a page of ${PAGE} libraries`]: (scope) => datastores.list(scope, { limit: PAGE }),
  [`libraries of an agent, ${SMALL_AGENT}`]: (scope) => datastores.ofAgent(scope, small.id),
  [`libraries of an agent, ${LARGE_AGENT}`]: (scope) => datastores.ofAgent(scope, large.id),
  [`which of ${HITS} hits are visible`]: (scope) => passages.visible(scope, searched, found),
  'one document by its id': (scope) => datasources.find(scope, one(found)),
  'documents of a library': (scope) =>
    datasources.list(scope, { datastoreId: one(libraries) }, { limit: PAGE }),
  'the newest documents of all libraries': (scope) => datasources.list(scope, {}, { limit: PAGE }),
};

const rows: Record<string, Record<string, number>> = {};
for (const [name, call] of Object.entries(CALLS)) {
  const timings = { key: new Timings(), person: new Timings() };
  const added: number[] = [];
  for (let n = -WARM_UP; n < calls; n += 1) {
    const personId =
      people[n % 10 === 0 ? (n + WARM_UP) * 10 + 99 : Math.floor(Math.random() * PEOPLE)] ?? one(people);
    const scopes = { key: whole, person: new TenantScope(organizationId, { personId, role: 'member' }) };
    const least = { key: Infinity, person: Infinity };
    for (let time = 0; time < REPETITIONS; time += 1)
      for (const who of (n + time) % 2 === 0 ? (['key', 'person'] as const) : (['person', 'key'] as const)) {
        const started = performance.now();
        await call(scopes[who]);
        least[who] = Math.min(least[who], performance.now() - started);
      }
    if (n < 0) continue;
    for (const who of ['key', 'person'] as const) timings[who].add(least[who]);
    added.push(least.person - least.key);
  }
  const [key, person] = [timings.key, timings.person];
  rows[name] = {
    'key p50': round(key.percentile(0.5)),
    'person p50': round(person.percentile(0.5)),
    'key p99': round(key.percentile(0.99)),
    'person p99': round(person.percentile(0.99)),
    'added p50': percentileOf(added, 0.5),
    'added p99': percentileOf(added, 0.99),
  };
}
console.log(`Postgres ${version}, ${values.everyone} % of the libraries are for everyone, milliseconds:`);
console.table(rows);
await dataSource.destroy();
await postgres?.stop();

/** Inserts rows as a migration would: without triggers and foreign keys, which take minutes. */
async function fill(): Promise<void> {
  const runner = dataSource.createQueryRunner();
  const insert = (text: string, ...parameters: unknown[]) =>
    runner.query(text, text.includes('$1') ? [organizationId, ...parameters] : []);
  // Ids that sort by their number, as those of the product sort by time.
  await runner.query(`CREATE FUNCTION pg_temp.id(kind int, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT (lpad(to_hex(kind), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid $$`);
  await runner.query('SET session_replication_role = replica');
  await insert(`INSERT INTO organizations (id, name) VALUES ($1, 'bench')`);
  await insert(
    `INSERT INTO people (id, organization_id, role, email)
     SELECT pg_temp.id(1, n), $1, 'member', 'person' || n || '@example.com' FROM generate_series(1, ${PEOPLE}) n`,
  );
  await insert(
    `INSERT INTO groups (id, organization_id, name, name_key)
     SELECT pg_temp.id(2, n), $1, 'Group ' || n, 'group ' || n FROM generate_series(1, ${GROUPS}) n`,
  );
  await insert(
    `INSERT INTO group_members (organization_id, group_id, person_id)
     SELECT $1, pg_temp.id(2, 1 + (n * 31 + k * 101) % ${GROUPS}), pg_temp.id(1, n)
       FROM generate_series(1, ${PEOPLE}) n,
            generate_series(1, CASE WHEN n % 100 = 0 THEN 100 ELSE 10 END) k ON CONFLICT DO NOTHING`,
  );
  await insert(
    `INSERT INTO datastores (id, organization_id, name, readers, spaces)
     SELECT pg_temp.id(3, n), $1, 'Library ' || n,
            CASE WHEN n * 7919 % 100 < $2::int THEN 'everyone' ELSE 'chosen' END, '{l1_lexical}'
       FROM generate_series(1, ${LIBRARIES}) n`,
    Number(values.everyone),
  );
  await insert(
    `INSERT INTO datastore_readers (id, organization_id, datastore_id, group_id)
     SELECT gen_random_uuid(), $1, s.id, pg_temp.id(2, 1 + (row_number() OVER (ORDER BY s.id) * 17 + k * 331) % ${GROUPS})
       FROM datastores s, generate_series(1, 3) k
      WHERE s.organization_id = $1 AND s.readers = 'chosen' ON CONFLICT DO NOTHING`,
  );
  await insert(
    `INSERT INTO datastore_readers (id, organization_id, datastore_id, person_id)
     SELECT gen_random_uuid(), $1, s.id, pg_temp.id(1, 1 + (row_number() OVER (ORDER BY s.id) * 19 + k * 1999) % ${PEOPLE})
       FROM datastores s, generate_series(1, 5) k
      WHERE s.organization_id = $1 AND s.readers = 'chosen' ON CONFLICT DO NOTHING`,
  );
  await insert(
    `INSERT INTO datasources (id, organization_id, datastore_id, type, name, status, serving_run_id, last_synch)
     SELECT pg_temp.id(4, n * ${DOCUMENTS_EACH} + k), $1, pg_temp.id(3, n), 'text', 'Text', 'synched',
            pg_temp.id(5, n * ${DOCUMENTS_EACH} + k), now()
       FROM generate_series(1, ${LIBRARIES}) n, generate_series(1, ${DOCUMENTS_EACH}) k`,
  );
  await insert(
    `INSERT INTO runs (id, organization_id, datasource_id, trigger, state, stage, revision, space)
     SELECT serving_run_id, $1, id, 'create', 'succeeded', 'indexing', 1, 'l1_lexical' FROM datasources
      WHERE organization_id = $1`,
  );
  await runner.query('RESET session_replication_role');
  await runner.query('VACUUM ANALYZE');
  await runner.release();
}

async function idsOf(text: string, ids?: readonly string[]): Promise<string[]> {
  const parameters = ids === undefined ? [organizationId] : [organizationId, ids];
  return (await dataSource.query<{ id: string }[]>(text, parameters)).map(({ id }) => id);
}

function one(ids: readonly string[]): string {
  return ids[Math.floor(Math.random() * ids.length)] ?? '';
}

function sample(ids: readonly string[], count: number): string[] {
  const step = Math.floor(ids.length / count);
  return ids.filter((_, n) => n % step === 0).slice(0, count);
}

function percentileOf(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return round(sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? NaN);
}

// Writes points in a loop and prints the number of each acknowledged batch until the test kills it.
import { EmbeddedVectorStore } from '../embedded-vector-store.adapter.js';
import { makePoint } from '../../conformance/conformance.fixtures.js';

const [directory = '', spaceName = '', organizationId = '', datastoreId = '', runId = '', first = '0'] =
  process.argv.slice(2);
const store = new EmbeddedVectorStore({ directory });
const space = { name: spaceName, dense: { dimensions: 8 } };
await store.ensureSpace(space);
for (let batch = Number(first); ; batch++) {
  const points = Array.from({ length: 40 }, (_, i) =>
    makePoint({ organizationId, datastoreId }, `batch${batch} row${i}`, { runId, datasourceId: runId }),
  );
  await store.upsert(space, points);
  process.stdout.write(`${batch}\n`);
}

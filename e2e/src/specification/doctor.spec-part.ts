import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newId, runBlobKey } from '@citewell/database';
import { type Point, QdrantVectorStore, type Space } from '@citewell/vector-store';
import type { Tenant } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { query } from './leftovers.js';
import type { Part } from './play.js';

/** Comes last: it looks at what the other parts have left, and then breaks it. */
export const doctor: Part = (play) => {
  describe('citewell doctor', () => {
    it('finds nothing after all of this', async (context) => {
      if (isShared()) return context.skip('others have points in the Qdrant server, too');
      assert.deepEqual(await play().deployment.citewell('doctor'), {
        code: 0,
        output: '✔ schema and dependencies\n✔ blobs\n✔ points\n✔ rows\n',
      });
    });

    it('names what was lost and what was left over, each by its id', async (context) => {
      const { deployment, alice } = play();
      const { qdrantUrl, blobs } = deployment;
      if (qdrantUrl === null)
        return context.skip('one process at a time opens the embedded vectors to write');
      if (isShared()) return context.skip('others have points in the Qdrant server, too');
      const textless = await servedText(deployment, alice);
      const contentless = await servedText(deployment, alice);
      const pointless = await servedText(deployment, alice);
      const orphan = { key: `${alice.organizationId}/${newId()}/${newId()}/raw`, runId: newId() };

      const vectors = new QdrantVectorStore({ url: qdrantUrl });
      const [space] = await vectors.listSpaces();
      assert.ok(space, 'no space has been made');
      await vectors.deleteRun({ organizationId: alice.organizationId, runId: pointless.runId });
      await vectors.upsert(space, [strayPoint(space, alice.organizationId, orphan.runId)]);
      await vectors.close();
      await blobs.put(orphan.key, Buffer.from('nobody’s'));
      await blobs.delete([textless.textKey, contentless.contentKey]);

      const { code, output } = await deployment.citewell('doctor');
      assert.equal(code, 1);
      const found = output.split('\n').filter((line) => line.startsWith('✖'));
      assert.deepEqual(found, [
        `✖ blobs: 1 blobs are in no table: ${orphan.key}`,
        `✖ blobs: 1 serving runs lack their text, outline or list of chunks: ${textless.runId}`,
        `✖ blobs: 1 datasources have lost their original bytes: ${contentless.datasourceId}`,
        `✖ points: 1 runs have points that nothing refers to: ${orphan.runId}`,
        `✖ points: 1 serving runs have not the points that were counted: ${pointless.runId}`,
      ]);
    });
  });
};

/** A server that was given by its address may have other deployments' points in it, and they would be findings. */
function isShared(): boolean {
  return process.env.QDRANT_URL !== undefined;
}

async function servedText(deployment: Deployment, tenant: Tenant) {
  const { organizationId } = tenant;
  const { id: datastoreId } = await tenant.datastore();
  const { id: datasourceId } = await tenant.text(datastoreId, 'The hull is caulked with oakum.');
  const [row] = await query(
    deployment,
    `SELECT r.id AS run_id, d.content_key FROM datasources d JOIN runs r ON r.id = d.serving_run_id WHERE d.id = $1`,
    [datasourceId],
  );
  const runId = String(row?.['run_id']);
  return {
    datasourceId,
    runId,
    contentKey: String(row?.['content_key']),
    textKey: runBlobKey({ organizationId, datasourceId, id: runId }, 'text'),
  };
}

function strayPoint(space: Space, organizationId: string, runId: string): Point {
  return {
    id: newId(),
    organizationId,
    datastoreId: newId(),
    datasourceId: newId(),
    groupId: null,
    runId,
    ordinal: 0,
    text: 'stray',
    header: '',
    page: null,
    headingPath: [],
    anchor: null,
    start: 0,
    end: 5,
    contentHash: 'ab',
    lexical: { indices: [1], values: [1] },
    dense: space.dense && new Float32Array(space.dense.dimensions).fill(1),
  };
}

import assert from 'node:assert/strict';
import { newId, runBlobKey } from '@citewell/database';
import type { Point, Space } from '@citewell/vector-store';
import { QdrantVectorStore } from '@citewell/vector-store/qdrant';
import { describe, expect, it } from '@jest/globals';
import type { Tenant } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { query } from './leftovers.js';
import type { SpecificationPart } from './describe-specification.js';

/** A Qdrant given by `QDRANT_URL` may hold points of other deployments, which the doctor would report. */
const itAlone = process.env.QDRANT_URL === undefined ? it : it.skip;

/** Must be the last part: it inspects the data of the other parts, and then damages some. */
export const doctor: SpecificationPart = (fixture) => {
  describe('citewell doctor', () => {
    itAlone('finds no problem after all other parts', async () => {
      expect(await fixture().deployment.citewell('doctor')).toEqual({
        code: 0,
        output: '✔ schema and dependencies\n✔ blobs\n✔ points\n✔ rows\n',
      });
    });

    itAlone('names missing and orphaned data by id', async () => {
      const { deployment, alice } = fixture();
      const { qdrantUrl, largeBlobs } = deployment;
      // Only one process at a time can write to the embedded vector store.
      if (qdrantUrl === null) return;
      const withoutText = await createServedText(deployment, alice);
      const withoutContent = await createServedText(deployment, alice);
      const withoutPoints = await createServedText(deployment, alice);
      const orphan = { key: `${alice.organizationId}/${newId()}/${newId()}/raw`, runId: newId() };

      const vectors = new QdrantVectorStore({ urls: [qdrantUrl] });
      const [space] = await vectors.listSpaces();
      assert.ok(space, 'no space has been made');
      await vectors.deleteRun({ organizationId: alice.organizationId, runId: withoutPoints.runId });
      await vectors.upsert(space, [orphanedPoint(space, alice.organizationId, orphan.runId)]);
      await vectors.close();
      await largeBlobs.put(orphan.key, Buffer.from('orphaned'));
      await query(deployment, 'DELETE FROM small_blobs WHERE key = ANY($1)', [
        [withoutText.textKey, withoutContent.contentKey],
      ]);

      const { code, output } = await deployment.citewell('doctor');
      expect(code).toBe(1);
      const found = output.split('\n').filter((line) => line.startsWith('✖'));
      expect(found).toEqual([
        `✖ blobs: blobs without a database row (1): ${orphan.key}`,
        `✖ blobs: serving runs whose text, outline or list of chunks is missing or damaged (1): ${withoutText.runId}`,
        `✖ blobs: datasources whose original content is missing or damaged (1): ${withoutContent.datasourceId}`,
        `✖ points: runs with orphaned points (1): ${orphan.runId}`,
        `✖ points: serving runs with a wrong number of points (1): ${withoutPoints.runId}`,
      ]);
    });
  });
};

async function createServedText(deployment: Deployment, tenant: Tenant) {
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

function orphanedPoint(space: Space, organizationId: string, runId: string): Point {
  return {
    id: newId(),
    organizationId,
    datastoreId: newId(),
    datasourceId: newId(),
    groupId: null,
    runId,
    ordinal: 0,
    text: 'point',
    header: '',
    page: null,
    confidence: null,
    headingPath: [],
    anchor: null,
    start: 0,
    end: 5,
    contentHash: 'ab',
    lexical: { indices: [1], values: [1] },
    dense: space.dense ? [new Float32Array(space.dense.dimensions).fill(1)] : [],
  };
}

import type { DatasourceEntity, RunEntity } from '@citewell/database';
import type { Point } from '@citewell/vector-store';
import { v5 } from 'uuid';
import type { WeightedChunk } from '../chunking/chunk-thread.protocol.js';

/**
 * The point of a chunk. Its id is derived from datasource, run and ordinal, so that writing is idempotent.
 */
export function toPoint(
  chunk: WeightedChunk,
  dense: readonly Float32Array[],
  run: RunEntity,
  datasource: DatasourceEntity,
): Point {
  return {
    // UUIDv5, RFC 9562 section 5.5. The namespace is the datasource.
    id: v5(`${run.id}/${chunk.ordinal}`, datasource.id),
    organizationId: datasource.organizationId,
    datastoreId: datasource.datastoreId,
    datasourceId: datasource.id,
    groupId: datasource.groupId,
    runId: run.id,
    ordinal: chunk.ordinal,
    text: chunk.text,
    header: chunk.header,
    page: chunk.page ?? null,
    headingPath: chunk.headingPath,
    anchor: chunk.anchor ?? null,
    start: chunk.start,
    end: chunk.end,
    contentHash: chunk.contentHash,
    lexical: chunk.lexical,
    dense,
  };
}

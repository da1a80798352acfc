import type { DatasourceEntity, RunEntity } from '@citewell/database';
import type { Point } from '@citewell/vector-store';
import { v5 } from 'uuid';
import type { WeightedChunk } from '../chunking/chunk-thread.protocol.js';

/** The point of a chunk. Its id follows from datasource, run and ordinal: writing twice is writing once. */
export function toPoint(
  chunk: WeightedChunk,
  dense: Float32Array | null,
  run: RunEntity,
  datasource: DatasourceEntity,
): Point {
  return {
    // RFC 9562 section 5.5: a name inside a namespace, which here is the datasource.
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

import type { Passage } from './passage.js';

/** Builds a passage for tests. `end` is derived from the text. */
export function aPassage(parts: Partial<Passage> & { text: string }): Passage {
  const start = parts.start ?? 0;
  return {
    chunkId: `chunk-${start}`,
    datasourceId: 'source',
    datasourceName: 'handbook.pdf',
    runId: 'run',
    revision: 1,
    start,
    end: start + parts.text.length,
    header: '',
    headingPath: [],
    page: null,
    score: 0.5,
    ...parts,
  };
}

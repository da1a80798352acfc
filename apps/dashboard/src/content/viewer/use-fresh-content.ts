import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

/** The first parts of the keys of queries for the content of a document. */
const CONTENT = ['text', 'pdf', 'chunks', 'quote', 'quote-page'];

/** Reads the content of a document again when it has a new revision: after a sync, or with a new file. */
export function useFreshContent(datasourceId: string, revision: number | undefined): void {
  const queryClient = useQueryClient();
  const shown = useRef(revision);
  useEffect(() => {
    const isNew = shown.current !== undefined && shown.current !== revision;
    shown.current = revision;
    if (!isNew) return;
    for (const kind of CONTENT) void queryClient.invalidateQueries({ queryKey: [kind, datasourceId] });
  }, [queryClient, datasourceId, revision]);
}

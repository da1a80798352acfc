import { useNavigate, useRouterState } from '@tanstack/react-router';
import { createContext, type MouseEvent, use, useCallback } from 'react';
import { bare, type Citation } from '../../content/viewer/citations.js';

const NONE: readonly Citation[] = [];

/** Whether citations open beside the answer. Elsewhere they are links to the page of the document. */
export const OpensBeside = createContext(false);

export interface OpenCitation {
  /** The one that is open; null if none is. */
  readonly citation: Citation | null;
  /** All citations of its answer. */
  readonly citations: readonly Citation[];
  readonly open: (citation: Citation, citations: readonly Citation[]) => void;
  readonly close: () => void;
}

/** The citation that is open beside the answer. It is an entry of the browser's history: Back closes it. */
export function useOpenCitation(): OpenCitation {
  const navigate = useNavigate();
  const citation = useRouterState({ select: ({ location }) => location.state.open ?? null });
  const citations = useRouterState({ select: ({ location }) => location.state.citations ?? NONE });
  const show = useCallback(
    (state: { open?: Citation; citations?: readonly Citation[] }, replace: boolean): void =>
      void navigate({ to: '.', search: true, state, replace, resetScroll: false }),
    [navigate],
  );
  const isOpen = citation !== null;
  return {
    citation,
    citations,
    open: (next, all) => show({ open: bare(next), citations: all.map(bare) }, isOpen),
    close: () => {
      if (isOpen) show({}, true);
    },
  };
}

/** Opens a citation beside the answer when its link is clicked; with a key for a new tab, the link is followed. */
export function useCitationClick(
  citation: Citation,
  citations: readonly Citation[],
): { onClick?: (event: MouseEvent) => void } {
  const { open } = useOpenCitation();
  if (!use(OpensBeside)) return {};
  return {
    onClick: (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      open(citation, citations);
    },
  };
}

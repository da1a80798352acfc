import { useCallback, useState } from 'react';
import { useSession } from '../../identity/sign-in/use-session.js';

/** The question that is being written. */
export interface Draft {
  /** The text of the field. */
  readonly text: string;
  readonly change: (text: string) => void;
  /** Empties the field. The question is kept until {@link release}. */
  readonly send: () => void;
  /** Keeps a question that the server does not have yet. */
  readonly keep: (question: string) => void;
  /** Forgets a question that the server has. */
  readonly release: (question: string) => void;
}

/** The draft of a question to an agent. It outlives a reload of the page and the end of the session, in this tab. */
export function useDraft(agentId: string): Draft {
  // Nobody who signs in to another organization finds it.
  const name = `citewell-draft ${useSession().organization.id} ${agentId}`;
  const [text, setText] = useState(() => sessionStorage.getItem(name) ?? '');
  const keep = useCallback((question: string) => sessionStorage.setItem(name, question), [name]);
  const release = useCallback(
    (question: string) => {
      // Another question may have been begun.
      if (sessionStorage.getItem(name) === question) sessionStorage.removeItem(name);
    },
    [name],
  );
  const change = useCallback(
    (draft: string) => {
      setText(draft);
      keep(draft);
    },
    [keep],
  );
  const send = useCallback(() => setText(''), []);
  return { text, change, send, keep, release };
}

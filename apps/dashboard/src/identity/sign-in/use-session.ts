import { CitewellError, type Session } from '@citewell/sdk';
import { queryOptions } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { client } from '../../client.js';

/** Who is signed in; null if nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      return await client.session.get();
    } catch (error) {
      if (error instanceof CitewellError && error.code === 'UNAUTHORIZED') return null;
      throw error;
    }
  },
  staleTime: Infinity,
  // Another person may have changed the role.
  refetchOnWindowFocus: 'always',
});

export const SessionContext = createContext<Session | null>(null);

/** The session of the signed-in user. @throws Error outside of a `SessionGate` */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === null) throw new Error('useSession needs a SessionGate');
  return session;
}

import type { Language } from '@citewell/contracts/messages';
import { CitewellError, type Scope, type Session, type SignInOptions } from '@citewell/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect } from 'react';
import { client, request } from '../../client.js';
import { useTranslator } from '../../messages/messages.js';
import { BASE_PATH } from '../../address.js';

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

/** Opens the first page as a new document, so that nothing of another session stays in memory. */
export function openStart(): void {
  sessionStorage.clear();
  location.replace(`${BASE_PATH}/`);
}

/** Chooses the language of the pages, and keeps it in the profile of the person, if there is one. */
export function useChooseLanguage(): (language: Language) => void {
  const { setLanguage } = useTranslator();
  const person = use(SessionContext)?.person;
  const queryClient = useQueryClient();
  const keep = useMutation({
    mutationFn: (language: Language) => client.session.changeProfile({ language }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  return (language) => {
    setLanguage(language);
    if (person) keep.mutate(language);
  };
}

/** Shows the pages in the language of the person's profile, also in another browser. */
export function useLanguageOfProfile(language: Language | null): void {
  const { setLanguage } = useTranslator();
  useEffect(() => {
    if (language !== null) setLanguage(language);
    // Only another profile, or a change of it, counts.
  }, [language]);
}

/** Shows what only keys with a scope can do. */
export function Permitted({ scope = 'write', children }: { scope?: Scope; children: ReactNode }): ReactNode {
  return useSession().scopes.includes(scope) ? children : null;
}

/** What the server offers to people who are not signed in. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: () => request<SignInOptions>('GET', '/sign-in-options'),
  staleTime: Infinity,
});

import type { Language } from '@citewell/contracts/messages';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { use, useEffect } from 'react';
import { client } from '../../client.js';
import { useTranslator } from '../../messages/messages.js';
import { SessionContext, sessionQuery } from './use-session.js';

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

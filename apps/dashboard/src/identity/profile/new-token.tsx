import type { TokenWithSecret } from '@citewell/sdk';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslator } from '../../messages/messages.js';
import { request } from '../../request.js';
import { useSession } from '../sign-in/use-session.js';
import { type KeyFields, KeyForm } from '../keys/key-form.js';
import { SCOPES } from '../keys/keys.js';

/** Days after which a token expires. The first is the default. */
const LIFETIMES = [90, 30, 7, 365] as const;

/** Creates a token, with scopes of the person's role. */
export function NewToken({ onCreated }: { onCreated: (token: TokenWithSecret) => Promise<void> }): ReactNode {
  const { text } = useTranslator();
  const session = useSession();
  const create = useMutation({
    mutationFn: ({ days, ...fields }: KeyFields) =>
      request<TokenWithSecret>('POST', '/tokens', { ...fields, expiresInDays: days }),
    onSuccess: onCreated,
  });
  return (
    <KeyForm
      scopes={SCOPES.filter((scope) => session.scopes.includes(scope))}
      lifetimes={LIFETIMES}
      action={text('own.createToken')}
      creation={create}
      onSubmit={create.mutate}
    />
  );
}

import { Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { Scope } from '@citewell/sdk';
import { type ReactNode, useState } from 'react';
import { Form, SubmitButton } from '../../components/form.js';
import { useTranslator } from '../../messages/messages.js';

/** What a key or a token is to be. */
export interface KeyFields {
  name: string;
  scopes: Scope[];
  /** 0: it does not expire. */
  days: number;
}

/** Asks for the name, the scopes and the lifetime of a key or a token. */
export function KeyForm({
  scopes: offered,
  lifetimes,
  action,
  creation,
  onSubmit,
}: {
  scopes: readonly Scope[];
  /** In days. The first is the default; 0 is never. */
  lifetimes: readonly [number, ...number[]];
  /** The text of the button. */
  action: string;
  creation: { error: Error | null; isPending: boolean };
  onSubmit: (fields: KeyFields) => void;
}): ReactNode {
  const { text, counted } = useTranslator();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<string[]>(['agents:query', 'datastores:query', 'read']);
  const [days, setDays] = useState(lifetimes[0]);
  return (
    <Form onSubmit={() => onSubmit({ name: name.trim(), scopes: scopes as Scope[], days })}>
      <TextInput
        label={text('settings.keyName')}
        required
        maxLength={255}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <Checkbox.Group label={text('settings.keyRights')} value={scopes} onChange={setScopes}>
        <Stack gap="xs" mt="xs">
          {offered.map((scope) => (
            <Checkbox key={scope} value={scope} label={text(`scope.${scope}`)} description={scope} />
          ))}
        </Stack>
      </Checkbox.Group>
      <NativeSelect
        label={text('settings.keyLifetime')}
        value={days}
        onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
        data={lifetimes.map((value) => ({
          value: String(value),
          label: value === 0 ? text('settings.keyNoEnd') : counted('settings.keyDays', value),
        }))}
      />
      <SubmitButton of={creation} disabled={name.trim() === '' || scopes.length === 0}>
        {action}
      </SubmitButton>
    </Form>
  );
}

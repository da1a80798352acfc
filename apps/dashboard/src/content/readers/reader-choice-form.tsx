import { NativeSelect, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslator } from '../../messages/messages.js';
import { useSession } from '../../identity/sign-in/session.js';
import { ReaderList, ReaderSearch } from './reader-list.js';
import type { ChosenReader, ReaderChoice } from './readers.js';

/** Everyone, only oneself, or chosen people and groups. */
export function ReaderChoiceForm({
  label,
  value,
  onChange,
}: {
  label: string;
  value: ReaderChoice;
  onChange: (value: ReaderChoice) => void;
}): ReactNode {
  const { text } = useTranslator();
  const { person } = useSession();
  const { everyone, chosen } = value;
  // Owners read it anyway. Others would lock themselves out.
  const own: ChosenReader[] =
    person && person.role !== 'owner'
      ? [
          {
            kind: 'person',
            id: person.id,
            name: person.name ?? person.email,
            email: person.name === null ? null : person.email,
          },
        ]
      : [];
  const isOnlyMe = !everyone && chosen.length === own.length && chosen.every(({ id }) => id === own[0]?.id);
  const [isChoosing, setIsChoosing] = useState(!everyone && !isOnlyMe);
  const kind = everyone ? 'everyone' : isOnlyMe && !isChoosing ? 'me' : 'chosen';
  const choose = (wanted: string): void => {
    setIsChoosing(wanted === 'chosen');
    if (wanted === 'chosen') onChange({ everyone: false, chosen: chosen.length > 0 ? chosen : own });
    else onChange({ everyone: wanted === 'everyone', chosen: wanted === 'everyone' ? chosen : own });
  };
  return (
    <Stack>
      <NativeSelect
        label={label}
        value={kind}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[
          { value: 'everyone', label: text('readers.everyone') },
          ...(person ? [{ value: 'me', label: text('readers.onlyMe') }] : []),
          { value: 'chosen', label: text('readers.chosen') },
        ]}
      />
      {kind === 'chosen' && (
        <>
          {chosen.length === 0 ? (
            <Text size="sm" c="dimmed">
              {text('readers.none')}
            </Text>
          ) : (
            <ReaderList
              readers={chosen}
              action="remove"
              onAction={({ id }) => onChange({ everyone, chosen: chosen.filter((one) => one.id !== id) })}
            />
          )}
          <ReaderSearch
            label={text('readers.search')}
            kinds={['group', 'person']}
            added={chosen}
            onAdd={(reader) => onChange({ everyone, chosen: [...chosen, reader] })}
          />
        </>
      )}
    </Stack>
  );
}

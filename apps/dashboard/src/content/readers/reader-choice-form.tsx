import { NativeSelect, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslator } from '../../messages/messages.js';
import { useSession } from '../../identity/sign-in/session.js';
import { ReaderList, ReaderSearch } from './reader-list.js';
import type { ChosenReader, ReaderChoice } from './readers.js';

/** Everyone, or chosen people and groups. */
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
  const choose = (isEveryone: boolean): void => {
    // Owners read it anyway. Others would lock themselves out.
    const own: ChosenReader[] =
      person && person.role !== 'owner' && chosen.length === 0
        ? [
            {
              kind: 'person',
              id: person.id,
              name: person.name ?? person.email,
              email: person.name === null ? null : person.email,
            },
          ]
        : [];
    onChange({ everyone: isEveryone, chosen: [...chosen, ...own] });
  };
  return (
    <Stack>
      <NativeSelect
        label={label}
        value={everyone ? 'everyone' : 'chosen'}
        onChange={({ currentTarget }) => choose(currentTarget.value === 'everyone')}
        data={[
          { value: 'everyone', label: text('readers.everyone') },
          { value: 'chosen', label: text('readers.chosen') },
        ]}
      />
      {!everyone && (
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

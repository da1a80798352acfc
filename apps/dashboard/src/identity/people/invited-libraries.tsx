import { Checkbox, ScrollArea, Stack, Text } from '@mantine/core';
import type { ListedDatastore, Person, Readers, Role } from '@citewell/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { request } from '../../client.js';
import { datastoresQuery } from '../../content/datasources/content-queries.js';
import { isRestricted } from '../../content/readers/readers.js';
import { useTranslator } from '../../messages/messages.js';

/** What was chosen for libraries, by their ids. Others keep their readers. */
export type LibraryChoice = ReadonlyMap<string, boolean>;

/** The libraries that an invited person will read, with a choice for each. */
export function InvitedLibraries({
  role,
  choice,
  onChange,
}: {
  role: Role;
  choice: LibraryChoice;
  onChange: (choice: LibraryChoice) => void;
}): ReactNode {
  const { text } = useTranslator();
  const { data: datastores = [] } = useQuery(datastoresQuery);
  if (datastores.length === 0) return null;
  const read = datastores.filter((datastore) => role === 'owner' || willRead(datastore, choice));
  const closed = libraryChanges(datastores, role, choice).closed;
  return (
    <Checkbox.Group
      label={text('invite.libraries')}
      description={role === 'owner' ? text('invite.librariesOwner') : undefined}
      value={read.map(({ id }) => id)}
      onChange={(ids) => onChange(changedChoice(datastores, ids))}
    >
      <ScrollArea.Autosize mah={180} mt="xs">
        <Stack gap="xs">
          {datastores.map((datastore) => (
            <Checkbox
              key={datastore.id}
              value={datastore.id}
              label={datastore.name}
              disabled={role === 'owner'}
            />
          ))}
        </Stack>
      </ScrollArea.Autosize>
      {closed.length > 0 && (
        <Text size="xs" c="dimmed" mt="xs" role="status">
          {text('invite.closes', { names: closed.map(({ name }) => name).join(', ') })}
        </Text>
      )}
    </Checkbox.Group>
  );
}

function willRead(datastore: ListedDatastore, choice: LibraryChoice): boolean {
  return choice.get(datastore.id) ?? !isRestricted(datastore);
}

/** Only what was changed: the others follow the readers that they have at the end. */
function changedChoice(datastores: readonly ListedDatastore[], ids: readonly string[]): LibraryChoice {
  const changed = datastores.filter((datastore) => ids.includes(datastore.id) === isRestricted(datastore));
  return new Map(changed.map(({ id }) => [id, ids.includes(id)]));
}

/** The libraries whose readers change: those that get the person as a reader, and those that are no longer for everyone. */
export function libraryChanges(
  datastores: readonly ListedDatastore[],
  role: Role,
  choice: LibraryChoice,
): { opened: ListedDatastore[]; closed: ListedDatastore[] } {
  if (role === 'owner') return { opened: [], closed: [] };
  return {
    opened: datastores.filter((datastore) => isRestricted(datastore) && willRead(datastore, choice)),
    closed: datastores.filter((datastore) => !isRestricted(datastore) && !willRead(datastore, choice)),
  };
}

/** Makes libraries of everyone to libraries of the people of today. Call it before the invitation. */
export async function closeLibraries(
  closed: readonly ListedDatastore[],
  people: readonly Person[],
): Promise<void> {
  const readers = { everyone: false, people: people.map(({ id }) => id), groups: [] };
  for (const { id } of closed) await request('PUT', `/datastores/${id}/readers`, readers);
}

/** Adds the invited person to the readers of libraries. */
export async function openLibraries(opened: readonly ListedDatastore[], { id }: Person): Promise<void> {
  for (const datastore of opened) {
    const path = `/datastores/${datastore.id}/readers`;
    const { people, groups } = await request<Readers>('GET', path);
    const idsOf = (readers: readonly { id: string }[]): string[] => readers.map((reader) => reader.id);
    await request('PUT', path, { everyone: false, people: [...idsOf(people), id], groups: idsOf(groups) });
  }
}

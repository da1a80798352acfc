import { ActionIcon, Box, Group, Stack, Text, TextInput, type TextProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Datastore } from '@citewell/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { useTranslator } from '../../messages/messages.js';
import { useSession } from '../../identity/sign-in/session.js';
import { chosenOf, type ChosenReader, isRestricted, possibleReadersQuery } from './readers.js';

const DEBOUNCE_MS = 200;

/** People and groups, each with a button that adds or removes it. */
export function ReaderList({
  readers,
  action,
  onAction,
}: {
  readers: readonly ChosenReader[];
  action: 'add' | 'remove';
  onAction: (reader: ChosenReader) => void;
}): ReactNode {
  const { text } = useTranslator();
  return (
    <Stack gap={4} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {readers.map((reader) => (
        <Group key={reader.id} component="li" justify="space-between" wrap="nowrap" gap="xs">
          <ReaderName reader={reader} />
          <ActionIcon
            variant="subtle"
            {...(action === 'remove' && { color: 'gray' })}
            aria-label={text(`readers.${action}`, { name: reader.name ?? text('people.unnamed') })}
            onClick={() => onAction(reader)}
          >
            <Icon name={action === 'add' ? 'plus' : 'trash'} size={16} />
          </ActionIcon>
        </Group>
      ))}
    </Stack>
  );
}

/** Finds people and, if wanted, groups by a part of their names, and adds one. */
export function ReaderSearch({
  label,
  kinds,
  added,
  onAdd,
}: {
  label: string;
  kinds: readonly ChosenReader['kind'][];
  /** Those that are not offered again. */
  added: readonly ChosenReader[];
  onAdd: (reader: ChosenReader) => void;
}): ReactNode {
  const { text } = useTranslator();
  const [search, setSearch] = useState('');
  const [debounced] = useDebouncedValue(search.trim(), DEBOUNCE_MS);
  const found = useQuery({ ...possibleReadersQuery(debounced), placeholderData: keepPreviousData });
  const ids = new Set(added.map(({ id }) => id));
  const offered = found.data
    ? chosenOf(found.data).filter(({ id, kind }) => kinds.includes(kind) && !ids.has(id))
    : [];
  return (
    <Stack gap="xs">
      <TextInput
        label={label}
        leftSection={<Icon name="search" size={16} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        maxLength={255}
      />
      {found.isError && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && offered.length === 0 && (
        <Text size="sm" c="dimmed">
          {text('readers.notFound')}
        </Text>
      )}
      <ReaderList readers={offered} action="add" onAction={onAdd} />
    </Stack>
  );
}

function ReaderName({ reader: { kind, id, name, email } }: { reader: ChosenReader }): ReactNode {
  const { text } = useTranslator();
  const own = useSession().person?.id;
  const details = [kind === 'group' ? text('readers.group') : email, id === own ? text('readers.you') : null];
  return (
    <Group gap="xs" wrap="nowrap" miw={0}>
      <Icon name={kind === 'group' ? 'group' : 'account'} size={16} />
      <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
        {name ?? text('people.unnamed')}{' '}
        <Text span size="xs" c="dimmed">
          {details.filter(Boolean).join(' · ')}
        </Text>
      </Text>
    </Group>
  );
}

/** A lock beside the name of a library that is for chosen people and groups only. */
export function RestrictedMark(): ReactNode {
  const { text } = useTranslator();
  const label = text('readers.restricted');
  return (
    <Box component="span" role="img" aria-label={label} title={label} c="dimmed" display="inline-flex">
      <Icon name="lock" size={16} />
    </Box>
  );
}

/** Who will read what is added to a library. */
export function ReadersOfAdded({ readers }: Pick<Datastore, 'readers'>): ReactNode {
  const { text } = useTranslator();
  return (
    <Text size="xs" c="dimmed">
      {text(isRestricted({ readers }) ? 'readers.addedChosen' : 'readers.addedEveryone')}
    </Text>
  );
}

/** Tells people that owners read their conversations, if the organization says so. */
export function ToldAboutReaders(props: TextProps): ReactNode {
  const { text, time } = useTranslator();
  const { organization, person } = useSession();
  const { name, ownersReadConversationsSince: since } = organization;
  if (person === null || since === null) return null;
  return (
    <Text size="xs" c="dimmed" role="note" {...props}>
      {text('own.told', { organization: name, time: time(since) })}
    </Text>
  );
}

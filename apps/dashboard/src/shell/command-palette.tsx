import { Combobox, Group, Modal, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { agentsQuery } from '../answering/agents/agents.js';
import { agentOptions } from '../answering/agents/agent-options.js';
import { client } from '../client.js';
import { Icon, type IconName } from '../components/icon.js';
import { datastoresQuery } from '../content/datasources/content-queries.js';
import { displayName, isGroup } from '../content/datasources/datasource-display.js';
import { useSession } from '../identity/sign-in/session.js';
import { useTranslator } from '../messages/messages.js';
import { isOpenTo, SETTINGS_TABS } from '../settings/settings-tabs.js';
import { ENTRIES } from './entries.js';

interface Target {
  /** Unique among all targets. */
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  open(): void;
}

/** Finds pages, settings, libraries, agents, documents and conversations by a part of their names. */
export function CommandPalette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  const { text } = useTranslator();
  const [query, setQuery] = useState('');
  const combobox = useCombobox({ opened: true });
  const found = useFound(query.trim());
  const named = useTargets()
    .map(({ title, targets }) => ({
      title,
      targets: targets.filter(({ label }) => label.toLowerCase().includes(query.trim().toLowerCase())),
    }))
    .filter(({ targets }) => targets.length > 0);
  const groups = [...named, ...found.groups];
  const count = groups.flatMap(({ targets }) => targets).length;
  // Before the options are painted: Enter opens the first one as soon as a person sees it.
  useLayoutEffect(() => {
    combobox.selectFirstOption();
  }, [combobox, query, count]);
  const close = (): void => {
    setQuery('');
    onClose();
  };
  const open = (id: string): void => {
    groups
      .flatMap(({ targets }) => targets)
      .find((target) => target.id === id)
      ?.open();
    close();
  };
  return (
    <Modal.Root opened={isOpen} onClose={close} padding="xs">
      <Modal.Overlay />
      <Modal.Content aria-label={text('palette.search')}>
        <Modal.Body pt="xs">
          <Combobox store={combobox} onOptionSubmit={open}>
            <Combobox.EventsTarget>
              <TextInput
                data-autofocus
                size="md"
                aria-label={text('palette.search')}
                placeholder={text('palette.search')}
                leftSection={<Icon name="search" />}
                value={query}
                onChange={(event) => setQuery(event.currentTarget.value)}
              />
            </Combobox.EventsTarget>
            <Combobox.Options
              aria-label={text('palette.search')}
              mah={400}
              mt="xs"
              style={{ overflowY: 'auto' }}
            >
              {groups.map(({ title, targets }) => (
                <Combobox.Group key={title} label={title}>
                  {targets.map(({ id, label, icon }) => (
                    <Combobox.Option key={id} value={id}>
                      <Group gap="sm" wrap="nowrap">
                        <Icon name={icon} />
                        <Text size="sm" truncate dir="auto">
                          {label}
                        </Text>
                      </Group>
                    </Combobox.Option>
                  ))}
                </Combobox.Group>
              ))}
              {groups.length === 0 && !found.isPending && (
                <Combobox.Empty>{text('palette.none')}</Combobox.Empty>
              )}
            </Combobox.Options>
          </Combobox>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface TargetGroup {
  readonly title: string;
  readonly targets: Target[];
}

/** Of each kind. */
const MAX_FOUND = 6;

/** What the server finds: documents, and conversations of the person. */
function useFound(query: string): { groups: TargetGroup[]; isPending: boolean } {
  const { text } = useTranslator();
  const navigate = useNavigate();
  // The server is asked at the end of a word.
  const [settled] = useDebouncedValue(query, 200);
  const search = useQuery({
    queryKey: ['palette', settled],
    queryFn: async () => {
      const [documents, conversations] = await Promise.all([
        client.datasources.list({ name: settled.slice(0, 255), limit: MAX_FOUND }).first(),
        client.conversations.list({ own: true, search: settled.slice(0, 200), limit: MAX_FOUND }).first(),
      ]);
      return { documents: documents.items, conversations: conversations.items };
    },
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  });
  // Until the server has answered, what it found for the earlier words stays where it fits.
  const isPending = settled !== query || search.isPlaceholderData;
  const fits = ({ label }: Target): boolean =>
    !isPending || label.toLowerCase().includes(query.toLowerCase());
  if (query === '' || search.data === undefined)
    return { groups: [], isPending: query !== '' && !search.isError };
  const groups: TargetGroup[] = [
    {
      title: text('library.documents'),
      targets: search.data.documents.map((document) => ({
        id: `document ${document.id}`,
        label: displayName(document),
        icon: 'file',
        open: () =>
          void (isGroup(document)
            ? navigate({
                to: '/library/$datastoreId',
                params: { datastoreId: document.datastoreId },
                search: { group: document.id },
              })
            : navigate({ to: '/documents/$datasourceId', params: { datasourceId: document.id } })),
      })),
    },
    {
      title: text('conversations.title'),
      targets: search.data.conversations.map(({ id, agentId, title }) => ({
        id: `conversation ${agentId} ${id}`,
        label: title ?? id,
        icon: 'ask',
        open: () => void navigate({ to: '/ask', search: { agent: agentId, conversation: id } }),
      })),
    },
  ];
  return {
    groups: groups
      .map(({ title, targets }) => ({ title, targets: targets.filter(fits) }))
      .filter(({ targets }) => targets.length > 0),
    isPending,
  };
}

function useTargets(): TargetGroup[] {
  const translator = useTranslator();
  const { text } = translator;
  const navigate = useNavigate();
  const isAdministrator = useSession().scopes.includes('admin');
  const datastores = useQuery(datastoresQuery);
  const agents = useQuery(agentsQuery);
  return [
    {
      title: text('palette.pages'),
      targets: ENTRIES.map(({ to, label, icon }) => ({
        id: to,
        label: text(label),
        icon,
        open: () => void navigate({ to }),
      })),
    },
    {
      title: text('settings.title'),
      targets: SETTINGS_TABS.filter((tab) => isOpenTo(tab, isAdministrator)).map(({ name, label }) => ({
        id: `settings ${name}`,
        label: text(label),
        icon: 'settings',
        open: () => void navigate({ to: '/settings', search: { tab: name } }),
      })),
    },
    {
      title: text('library.title'),
      targets: (datastores.data ?? []).map(({ id, name }) => ({
        id: `library ${id}`,
        label: name,
        icon: 'library',
        open: () => void navigate({ to: '/library/$datastoreId', params: { datastoreId: id } }),
      })),
    },
    {
      title: text('palette.ask'),
      targets: agentOptions(agents.data ?? [], translator).map(({ value, label }) => ({
        id: `agent ${value}`,
        label,
        icon: 'ask',
        open: () => void navigate({ to: '/ask', search: { agent: value } }),
      })),
    },
  ];
}

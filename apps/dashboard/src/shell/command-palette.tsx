import { Combobox, Group, Modal, Text, TextInput, useCombobox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { agentsQuery } from '../answering/agents/agents.js';
import { agentOptions } from '../answering/agents/agent-options.js';
import { Icon, type IconName } from '../components/icon.js';
import { datastoresQuery } from '../content/datasources/content-queries.js';
import { useTranslator } from '../messages/messages.js';
import { ENTRIES } from './entries.js';

interface Target {
  /** Unique among all targets. */
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  open(): void;
}

/** Finds pages, libraries and agents by a part of their names. */
export function CommandPalette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  const { text } = useTranslator();
  const [query, setQuery] = useState('');
  const combobox = useCombobox({ opened: true });
  const groups = useTargets()
    .map(({ title, targets }) => ({
      title,
      targets: targets.filter(({ label }) => label.toLowerCase().includes(query.trim().toLowerCase())),
    }))
    .filter(({ targets }) => targets.length > 0);
  useEffect(() => {
    combobox.selectFirstOption();
  }, [combobox, query]);
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
                        <Text size="sm" truncate>
                          {label}
                        </Text>
                      </Group>
                    </Combobox.Option>
                  ))}
                </Combobox.Group>
              ))}
              {groups.length === 0 && <Combobox.Empty>{text('palette.none')}</Combobox.Empty>}
            </Combobox.Options>
          </Combobox>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function useTargets(): { title: string; targets: Target[] }[] {
  const translator = useTranslator();
  const { text } = translator;
  const navigate = useNavigate();
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

import {
  ActionIcon,
  CloseButton,
  Drawer,
  NavLink,
  ScrollArea,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import type { Conversation } from '@citewell/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { MoreButton } from '../../components/query.js';
import { useTranslator } from '../../messages/messages.js';
import classes from './ask.module.css';
import { ConversationMenu } from './conversation-menu.js';
import { dayOf } from './day-of.js';
import { ownConversationsQuery } from './own-conversations.js';

const TYPING_MS = 250;
const MAX_SEARCH_LENGTH = 200;
const DAYS = ['today', 'yesterday', 'earlier'] as const;

interface ConversationListProps {
  /** The conversation that is shown. */
  current: { id: string | undefined; agentId: string };
  onChosen?: () => void;
  /** The conversation that is shown was deleted. */
  onDeleted: () => void;
}

/** The conversations that the person began, with a search. */
export function ConversationList({ current, onChosen, onDeleted }: ConversationListProps): ReactNode {
  const { text } = useTranslator();
  const [search, setSearch] = useState('');
  const [typed] = useDebouncedValue(search.trim(), TYPING_MS);
  const list = useInfiniteQuery(ownConversationsQuery(typed));
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const isCurrent = ({ id, agentId }: Conversation): boolean =>
    id === current.id && agentId === current.agentId;
  return (
    <Stack gap={0} h="100%" component="nav" aria-label={text('own.list')}>
      <TextInput
        p="sm"
        aria-label={text('own.search')}
        placeholder={text('own.search')}
        leftSection={<Icon name="search" size={16} />}
        rightSection={
          search !== '' && (
            <CloseButton size="sm" aria-label={text('action.close')} onClick={() => setSearch('')} />
          )
        }
        maxLength={MAX_SEARCH_LENGTH}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ScrollArea flex={1} px="sm" pb="sm" type="hover">
        {list.isError && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        {list.isPending && [1, 2, 3].map((key) => <Skeleton key={key} h={32} mb="xs" />)}
        {list.isSuccess && rows.length === 0 && (
          <Text size="sm" c="dimmed" role="status">
            {text(typed === '' ? 'own.none' : 'own.notFound')}
          </Text>
        )}
        {DAYS.map((day) => (
          <Day
            key={day}
            name={text(`own.${day}`)}
            isEmpty={!rows.some((row) => dayOf(row.updatedAt) === day)}
          >
            {rows
              .filter((row) => dayOf(row.updatedAt) === day)
              .map((row) => (
                <Row
                  key={`${row.agentId} ${row.id}`}
                  conversation={row}
                  isCurrent={isCurrent(row)}
                  onChosen={onChosen}
                  onDeleted={isCurrent(row) ? onDeleted : undefined}
                />
              ))}
          </Day>
        ))}
        <MoreButton of={list} variant="subtle" size="xs" fullWidth />
      </ScrollArea>
    </Stack>
  );
}

function Day({
  name,
  isEmpty,
  children,
}: {
  name: string;
  isEmpty: boolean;
  children: ReactNode;
}): ReactNode {
  if (isEmpty) return null;
  return (
    <section aria-label={name}>
      <Text size="xs" fw={600} c="dimmed" mt="sm" mb={4}>
        {name}
      </Text>
      {children}
    </section>
  );
}

function Row({
  conversation,
  isCurrent,
  onChosen,
  onDeleted,
}: {
  conversation: Conversation;
  isCurrent: boolean;
  onChosen: (() => void) | undefined;
  onDeleted: (() => void) | undefined;
}): ReactNode {
  const { text } = useTranslator();
  const { id, agentId, title, share } = conversation;
  return (
    <div className={classes['row']}>
      <NavLink
        renderRoot={(props) => (
          <Link to="/ask" search={{ agent: agentId, conversation: id }} {...props} activeProps={{}} />
        )}
        label={title}
        title={title}
        noWrap
        dir="auto"
        active={isCurrent}
        aria-current={isCurrent ? 'page' : undefined}
        rightSection={share && <Icon name="external" size={14} />}
        {...(share && { description: text('own.sharedBadge') })}
        {...(onChosen && { onClick: onChosen })}
        classNames={{ root: classes['link'] ?? '' }}
      />
      <ConversationMenu conversation={conversation} onDeleted={onDeleted} />
    </div>
  );
}

/** The list of conversations beside the answers or, on a narrow screen, a button that opens it. */
export function ConversationPanel({
  isWide,
  ...list
}: Omit<ComponentProps<typeof ConversationList>, 'onChosen'> & { isWide: boolean }): ReactNode {
  const { text } = useTranslator();
  const [isOpen, { open, close }] = useDisclosure(false);
  if (isWide)
    return (
      <div className={classes['list']}>
        <ConversationList {...list} />
      </div>
    );
  return (
    <>
      <ActionIcon variant="default" size={36} aria-label={text('own.open')} onClick={open}>
        <Icon name="clock" />
      </ActionIcon>
      <Drawer
        opened={isOpen}
        onClose={close}
        title={text('own.list')}
        size="sm"
        closeButtonProps={{ 'aria-label': text('action.close') }}
      >
        <ConversationList {...list} onChosen={close} />
      </Drawer>
    </>
  );
}

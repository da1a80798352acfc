import { ActionIcon, Button, Code, Group, Menu, Stack, Text, TextInput } from '@mantine/core';
import type { Conversation } from '@citewell/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { CopyButton } from '../../components/copy-button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { Form } from '../../components/form.js';
import { Dialog } from '../../components/dialog.js';
import { useTranslator } from '../../messages/messages.js';
import { useSession } from '../../identity/sign-in/session.js';
import {
  deleteConversation,
  endShare,
  linkOf,
  refreshOwnConversations,
  renameConversation,
  shareConversation,
} from './own-conversations.js';

type Action = 'rename' | 'share' | 'delete';

/** What a person may do with an own conversation. Only people share: an API key has no colleagues. */
export function ConversationMenu({
  conversation,
  onDeleted,
}: {
  conversation: Conversation;
  onDeleted: (() => void) | undefined;
}): ReactNode {
  const { text } = useTranslator();
  const { person } = useSession();
  const [action, setAction] = useState<Action | null>(null);
  const close = (): void => setAction(null);
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={text('own.actions', { title: conversation.title })}
          >
            <Icon name="more" size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAction('rename')}>{text('own.rename')}</Menu.Item>
          {person && <Menu.Item onClick={() => setAction('share')}>{text('own.share')}</Menu.Item>}
          <Menu.Item color="red" onClick={() => setAction('delete')}>
            {text('own.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog
        opened={action !== null}
        onClose={close}
        title={text(action === 'delete' ? 'own.deleteTitle' : `own.${action ?? 'rename'}`)}
      >
        {action === 'rename' && <Rename conversation={conversation} onClose={close} />}
        {action === 'share' && <Sharing conversation={conversation} onClose={close} />}
        {action === 'delete' && (
          <Deletion conversation={conversation} onClose={close} onDeleted={onDeleted} />
        )}
      </Dialog>
    </>
  );
}

interface FormProps {
  conversation: Conversation;
  onClose: () => void;
}

function Rename({ conversation, onClose }: FormProps): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const [title, setTitle] = useState(conversation.title);
  const rename = useMutation({
    mutationFn: () => renameConversation(conversation, title),
    onSuccess: async () => {
      await refreshOwnConversations(queryClient);
      onClose();
    },
  });
  return (
    <Form onSubmit={() => rename.mutate()}>
      <TextInput
        label={text('own.newName')}
        description={text('own.newNameHint')}
        value={title}
        maxLength={255}
        onChange={(event) => setTitle(event.currentTarget.value)}
        data-autofocus
      />
      {rename.isError && <ErrorNotice error={rename.error} />}
      <Group justify="flex-end">
        <Button type="submit" loading={rename.isPending}>
          {text('own.save')}
        </Button>
      </Group>
    </Form>
  );
}

/** Sharing again adds the questions since the last time, so the link is made when the person asks for it. */
function Sharing({ conversation, onClose }: FormProps): ReactNode {
  const { text, time } = useTranslator();
  const { organization } = useSession();
  const queryClient = useQueryClient();
  const [share, setShare] = useState(conversation.share);
  const refresh = () => refreshOwnConversations(queryClient);
  const create = useMutation({
    mutationFn: () => shareConversation(conversation),
    onSuccess: async (created) => {
      setShare(created);
      await refresh();
    },
  });
  const end = useMutation({
    mutationFn: () => endShare(conversation),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
  });
  const failed = [create, end].find(({ isError }) => isError);
  return (
    <Stack>
      <Text size="sm">{text('own.shareText', { organization: organization.name })}</Text>
      <Text size="sm" c="dimmed">
        {text('own.shareLater')}
      </Text>
      {share && (
        <>
          <Code block data-testid="share-link" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {linkOf(share)}
          </Code>
          <Text size="xs" c="dimmed">
            {time(share.sharedAt)}
          </Text>
        </>
      )}
      {failed && <ErrorNotice error={failed.error} />}
      <Group justify="flex-end">
        {share && (
          <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
            {text('own.endShare')}
          </Button>
        )}
        {share && <CopyButton value={linkOf(share)} />}
        <Button loading={create.isPending} onClick={() => create.mutate()}>
          {text('own.share')}
        </Button>
      </Group>
    </Stack>
  );
}

function Deletion({
  conversation,
  onClose,
  onDeleted,
}: FormProps & { onDeleted: (() => void) | undefined }): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => deleteConversation(conversation),
    onSuccess: async () => {
      onDeleted?.();
      await refreshOwnConversations(queryClient);
      onClose();
    },
  });
  return (
    <Stack>
      <Text style={{ overflowWrap: 'anywhere' }}>
        {text('own.deleteText', { title: conversation.title })}
      </Text>
      {remove.isError && <ErrorNotice error={remove.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {text('action.cancel')}
        </Button>
        <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
          {text('own.delete')}
        </Button>
      </Group>
    </Stack>
  );
}

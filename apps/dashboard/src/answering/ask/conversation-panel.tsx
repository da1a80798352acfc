import { ActionIcon, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ComponentProps, type ReactNode } from 'react';
import { Icon } from '../../components/icon.js';
import { useTranslator } from '../../messages/messages.js';
import classes from './ask.module.css';
import { ConversationList } from './conversation-list.js';

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

import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslator } from '../messages/messages.js';

/** A panel with a form, at the side of the page. */
export function SidePanel({
  isOpen,
  title,
  onClose,
  children,
}: {
  isOpen: boolean;
  title: string;
  onClose: () => void;
  children: ReactNode;
}): ReactNode {
  const { text } = useTranslator();
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="lg"
      title={title}
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      {children}
    </Drawer>
  );
}

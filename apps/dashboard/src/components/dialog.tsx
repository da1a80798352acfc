import { Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslator } from '../messages/messages.js';

/** A form or a question in front of the page. */
export function Dialog(dialog: ModalProps): ReactNode {
  const { text } = useTranslator();
  return <Modal centered closeButtonProps={{ 'aria-label': text('action.close') }} {...dialog} />;
}

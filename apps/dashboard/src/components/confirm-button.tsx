import { Button, type ButtonProps, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslator } from '../messages/messages.js';
import { ErrorNotice } from './error-notice.js';
import { Dialog } from './dialog.js';

interface ConfirmButtonProps extends ButtonProps {
  /** The label of the button. */
  children: ReactNode;
  title: string;
  /** What will be lost. */
  question: string;
  /** The label of the button that does it. */
  confirm: string;
  action: () => Promise<unknown>;
}

/** A button for something that cannot be undone. It asks first. */
export function ConfirmButton({
  children,
  title,
  question,
  confirm,
  action,
  ...button
}: ConfirmButtonProps): ReactNode {
  const { text } = useTranslator();
  const [isOpen, { open, close }] = useDisclosure(false);
  const mutation = useMutation({ mutationFn: action, onSuccess: close });
  return (
    <>
      <Button variant="default" {...button} onClick={open}>
        {children}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={title}>
        <Stack>
          <Text>{question}</Text>
          {mutation.isError && <ErrorNotice error={mutation.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              {text('action.cancel')}
            </Button>
            <Button color="red" loading={mutation.isPending} onClick={() => mutation.mutate()}>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}

import { Button, CopyButton as MantineCopyButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslator } from '../messages/messages.js';
import { Icon } from './icon.js';

/** Copies a value, and says that it did. */
export function CopyButton({ value, label }: { value: string; label?: string }): ReactNode {
  const { text } = useTranslator();
  return (
    <MantineCopyButton value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
          onClick={copy}
          aria-live="polite"
        >
          {copied ? text('action.copied') : (label ?? text('action.copy'))}
        </Button>
      )}
    </MantineCopyButton>
  );
}

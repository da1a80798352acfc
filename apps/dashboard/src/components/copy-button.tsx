import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslator } from '../messages/messages.js';
import { copyText } from './copy-text.js';
import { Icon } from './icon.js';

const SHOWN_MS = 2_000;

/** Copies a value, and says that it did. */
export function CopyButton({ value, label }: { value: string; label?: string }): ReactNode {
  const { text } = useTranslator();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
      onClick={() => void copyText(value).then(setCopied)}
      aria-live="polite"
    >
      {copied ? text('action.copied') : (label ?? text('action.copy'))}
    </Button>
  );
}

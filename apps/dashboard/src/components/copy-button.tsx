import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslator } from '../messages/messages.js';
import { Icon } from './icon.js';

const SHOWN_MS = 2_000;

/** Copies a value, and says that it did. */
export function CopyButton({
  value,
  label,
  isPrimary = false,
}: {
  value: string;
  label?: string;
  isPrimary?: boolean;
}): ReactNode {
  const { text } = useTranslator();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <Button
      size={isPrimary ? 'sm' : 'xs'}
      variant={isPrimary ? 'filled' : 'default'}
      leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
      onClick={() => void copyText(value).then(setCopied)}
      aria-live="polite"
    >
      {copied ? text('action.copied') : (label ?? text('action.copy'))}
    </Button>
  );
}

/**
 * Copies a text to the clipboard. Browsers give pages of `http:` addresses other than localhost no `navigator.clipboard`.
 *
 * @returns whether the text was copied
 */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

function copySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.style.cssText = 'position: fixed; opacity: 0';
  document.body.append(area);
  area.select();
  // It is deprecated, but there is no other way without `navigator.clipboard`.
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}

import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../messages/messages.js';

/** Where e-mail and password of the person are. */
export function ProviderNotice({ name }: { name: string }): ReactNode {
  return <Alert color="blue">{useTexts('single-sign-on').text('profile', { name })}</Alert>;
}

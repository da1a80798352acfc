import { ActionIcon, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../../components/icon.js';
import { useTranslator } from '../../messages/messages.js';
import classes from './reader.module.css';

/** Goes from page to page. @param page from 1 */
export function PageSwitch({
  page,
  total,
  onPage,
}: {
  page: number;
  total: number;
  onPage: (page: number) => void;
}): ReactNode {
  const { text } = useTranslator();
  return (
    <Group gap="xs" className={classes['pages'] ?? ''}>
      <ActionIcon
        variant="default"
        aria-label={text('reader.previous')}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <Icon name="back" />
      </ActionIcon>
      <Text size="sm" aria-live="polite">
        {text('reader.page', { page, total })}
      </Text>
      <ActionIcon
        variant="default"
        aria-label={text('reader.next')}
        disabled={page >= total}
        onClick={() => onPage(page + 1)}
      >
        <Icon name="forward" />
      </ActionIcon>
    </Group>
  );
}

import { Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslator } from '../../messages/messages.js';
import { datastoreProgressQuery, inProgress } from '../datastores.js';
import { libraryProgressWords } from './progress-words.js';

const PERCENT = 100;

/** A slim bar with words while several documents of a library are in progress. One alone has a bar in its row. */
export function LibraryProgress({ datastoreId }: { datastoreId: string }): ReactNode {
  const translator = useTranslator();
  const { data: progress } = useQuery(datastoreProgressQuery(datastoreId));
  if (progress === undefined || inProgress(progress) < 2) return null;
  const words = libraryProgressWords(progress, translator);
  const done = progress.total - inProgress(progress);
  return (
    <Stack gap={4} mb="md">
      <Progress size="xs" value={(done / progress.total) * PERCENT} aria-label={words} />
      <Text size="xs" c="dimmed" role="status" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {words}
      </Text>
    </Stack>
  );
}

import { ActionIcon, Button, Group, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../components/icon.js';
import { useTranslator } from '../messages/messages.js';
import { type Upload, useUploads } from '../uploads/uploads.js';
import classes from './datasource-table.module.css';
import { sizeWords } from './progress-words.js';

/** A file that is being uploaded, or whose upload failed. */
export function UploadRow({ upload }: { upload: Upload }): ReactNode {
  const { text, language } = useTranslator();
  const { retry, dismiss } = useUploads();
  const { id, name, file, percent, failure } = upload;
  const words = percent === null ? text('progress.waiting') : text('progress.uploading', { percent });
  return (
    <div role="row" className={classes['row']}>
      <div role="cell" />
      <Group role="cell" gap="xs" wrap="nowrap" miw={0} title={name}>
        <Icon name="file" />
        <Text truncate dir="auto">
          {name}
        </Text>
      </Group>
      {failure === null ? (
        <Stack role="cell" gap={4}>
          <Progress size="sm" value={percent ?? 0} animated aria-label={words} />
          <Text size="xs" c="dimmed" truncate>
            {words}
          </Text>
        </Stack>
      ) : (
        <Group role="cell" gap={6} wrap="nowrap">
          <Text c="red" lh={0} span>
            <Icon name="warning" size={16} />
          </Text>
          <Text size="xs" lineClamp={2}>
            {failure}
          </Text>
          <Button size="compact-xs" variant="default" onClick={() => retry(upload)}>
            {text('action.retry')}
          </Button>
        </Group>
      )}
      <Text role="cell" size="sm" c="dimmed">
        {sizeWords(file.size, language)}
      </Text>
      <div role="cell" />
      <div role="cell">
        {failure !== null && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={text('action.close')}
            onClick={() => dismiss(id)}
          >
            <Icon name="trash" size={16} />
          </ActionIcon>
        )}
      </div>
    </div>
  );
}

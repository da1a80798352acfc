import { ActionIcon, Button, Group, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { describeError } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { useTranslator } from '../../messages/messages.js';
import { canRetry, duplicateOf } from '../uploads/upload-rules.js';
import { type Upload, useUploads } from '../uploads/uploads.js';
import classes from './datasource-table.module.css';
import { sizeWords } from '../../components/size-words.js';

/** A file that is being uploaded, whose upload failed, or that the library has already. */
export function UploadRow({ upload }: { upload: Upload }): ReactNode {
  const { text, language } = useTranslator();
  const { dismiss } = useUploads();
  const { id, name, file, percent, error } = upload;
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
      {error === null ? (
        <Stack role="cell" gap={4}>
          <Progress size="sm" value={percent ?? 0} animated aria-label={words} />
          <Text size="xs" c="dimmed" truncate>
            {words}
          </Text>
        </Stack>
      ) : (
        <div role="cell">
          <UploadProblem upload={upload} />
        </div>
      )}
      <Text role="cell" size="sm" c="dimmed">
        {sizeWords(file.size, language)}
      </Text>
      <div role="cell" />
      <div role="cell">
        {error !== null && (
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

/** Why a file was not added, and what can be done. */
function UploadProblem({ upload }: { upload: Upload }): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  const { retry, dismiss } = useUploads();
  const { error } = upload;
  const { sentence, detail } = describeError(error, translator);
  const duplicate = duplicateOf(error);
  const button = { size: 'compact-xs', variant: 'default' } as const;
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" role="status">
      <Text c={duplicate ? 'yellow' : 'red'} lh={0} span mt={2}>
        <Icon name="warning" size={16} />
      </Text>
      <Stack gap={4} align="flex-start" miw={0}>
        <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
          {sentence}
        </Text>
        {detail !== null && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {detail}
          </Text>
        )}
        {duplicate && (
          <Group gap={6}>
            <Button {...button} onClick={() => retry(upload, { replaces: duplicate.datasourceId })}>
              {text('upload.replace')}
            </Button>
            <Button {...button} onClick={() => retry(upload, { allowsDuplicate: true })}>
              {text('upload.keepBoth')}
            </Button>
            <Button {...button} onClick={() => dismiss(upload.id)}>
              {text('action.cancel')}
            </Button>
          </Group>
        )}
        {canRetry(error) && (
          <Button {...button} onClick={() => retry(upload)}>
            {text('action.retry')}
          </Button>
        )}
      </Stack>
    </Group>
  );
}

import { Group, Loader, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../components/icon.js';
import { useTranslator } from '../messages/messages.js';
import type { Upload } from '../uploads/uploads.js';
import classes from './datasource-table.module.css';
import { sizeWords } from './progress-words.js';

/** A file that is being uploaded, or whose upload failed. */
export function UploadRow({ upload }: { upload: Upload }): ReactNode {
  const { text, language } = useTranslator();
  const { name, bytes, failure } = upload;
  return (
    <div role="row" className={classes['row']}>
      <div role="cell" />
      <Group role="cell" gap="xs" wrap="nowrap" miw={0} title={name}>
        <Icon name="file" />
        <Text truncate>{name}</Text>
      </Group>
      <Group role="cell" gap={6} wrap="nowrap">
        {failure === null ? (
          <>
            <Loader size={14} />
            <Text size="xs" c="dimmed">
              {text('progress.uploading')}
            </Text>
          </>
        ) : (
          <>
            <Text c="red" lh={0} span>
              <Icon name="warning" size={16} />
            </Text>
            <Text size="xs" lineClamp={2}>
              {failure}
            </Text>
          </>
        )}
      </Group>
      <Text role="cell" size="sm" c="dimmed">
        {sizeWords(bytes, language)}
      </Text>
      <div role="cell" />
      <div role="cell" />
    </div>
  );
}

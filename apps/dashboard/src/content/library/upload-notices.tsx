import { Alert, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../../components/icon.js';
import { useTranslator } from '../../messages/messages.js';
import { duplicateOf } from '../uploads/upload-failure.js';
import { type Upload, useUploads } from '../uploads/uploads.js';

/** What concerns several uploads: files that the library has already, and files that were left out. */
export function UploadNotices({ uploads }: { uploads: readonly Upload[] }): ReactNode {
  const { text, counted } = useTranslator();
  const { leftOut, retry, dismiss, dismissLeftOut } = useUploads();
  const duplicates = uploads.flatMap((upload) => {
    const duplicate = duplicateOf(upload.error);
    return duplicate ? [{ upload, duplicate }] : [];
  });
  const button = { size: 'compact-sm', variant: 'default' } as const;
  return (
    <>
      {duplicates.length > 1 && (
        <Alert color="yellow" variant="light" icon={<Icon name="warning" />} role="status">
          <Group gap="xs">
            <Text size="sm">{counted('upload.duplicates', duplicates.length)}</Text>
            <Button
              {...button}
              onClick={() => {
                for (const { upload, duplicate } of duplicates)
                  retry(upload, { replaces: duplicate.datasourceId });
              }}
            >
              {text('upload.replaceAll')}
            </Button>
            <Button
              {...button}
              onClick={() => {
                for (const { upload } of duplicates) retry(upload, { allowsDuplicate: true });
              }}
            >
              {text('upload.keepAll')}
            </Button>
            <Button
              {...button}
              onClick={() => {
                for (const { upload } of duplicates) dismiss(upload.id);
              }}
            >
              {text('upload.cancelAll')}
            </Button>
          </Group>
        </Alert>
      )}
      {leftOut > 0 && (
        <Alert
          color="gray"
          variant="light"
          role="status"
          withCloseButton
          closeButtonLabel={text('action.close')}
          onClose={dismissLeftOut}
        >
          {counted('upload.leftOut', leftOut)}
        </Alert>
      )}
    </>
  );
}

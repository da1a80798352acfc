import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { useDropzone } from 'react-dropzone';
import { Icon } from '../../components/icon.js';
import { useTranslator } from '../../messages/messages.js';
import classes from './drop-zone.module.css';

/** An area for files and folders, and buttons that choose them. */
export function DropZone({
  onFiles,
  isPrimary = false,
}: {
  onFiles: (files: File[]) => void;
  isPrimary?: boolean;
}): ReactNode {
  const { text } = useTranslator();
  const folder = useRef<HTMLInputElement>(null);
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    onDropAccepted: onFiles,
    noClick: true,
    noKeyboard: true,
  });
  return (
    <Paper
      {...getRootProps()}
      className={classes['zone'] ?? ''}
      data-active={isDragActive || undefined}
      p="xl"
    >
      <input {...getInputProps()} aria-hidden />
      <input
        ref={folder}
        type="file"
        multiple
        hidden
        // The types of React do not have it.
        {...{ webkitdirectory: '' }}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      <Stack align="center" gap="xs" ta="center">
        <Icon name="upload" size={28} />
        <Text fw={600}>{text('welcome.drop')}</Text>
        <Text size="sm" c="dimmed" maw={460}>
          {text('welcome.types')}
        </Text>
        <Group mt="xs" justify="center">
          <Button variant={isPrimary ? 'filled' : 'default'} onClick={open}>
            {text('welcome.choose')}
          </Button>
          <Button variant="default" onClick={() => folder.current?.click()}>
            {text('welcome.chooseFolder')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

import { Button, type ButtonProps } from '@mantine/core';
import type { Datasource } from '@citewell/sdk';
import type { ReactNode } from 'react';
import { useTranslator } from '../../messages/messages.js';
import { useReplaceFile } from '../uploads/use-replace-file.js';

/** A button that gives a document a new file. */
export function ReplaceFileButton({
  datasource,
  ...button
}: ButtonProps & { datasource: Datasource }): ReactNode {
  const { text } = useTranslator();
  const { choose, input, isUploading } = useReplaceFile(datasource);
  return (
    <>
      <Button variant="default" {...button} loading={isUploading} onClick={choose}>
        {text('documents.replace')}
      </Button>
      {input}
    </>
  );
}

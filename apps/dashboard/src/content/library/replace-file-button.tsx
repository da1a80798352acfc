import { Button, type ButtonProps } from '@mantine/core';
import type { Datasource } from '@citewell/sdk';
import { type ReactNode, useRef } from 'react';
import { useTranslator } from '../../messages/messages.js';
import { useUploads } from '../uploads/uploads.js';

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

interface FileReplacement {
  /** Opens the dialog of the browser. */
  choose(): void;
  /** Belongs into the page, outside of what closes. */
  readonly input: ReactNode;
  readonly isUploading: boolean;
}

/** Gives a document a new file. The document keeps its id and its address. */
export function useReplaceFile(datasource: Pick<Datasource, 'id' | 'name' | 'datastoreId'>): FileReplacement {
  const { uploads, replace } = useUploads();
  const ref = useRef<HTMLInputElement>(null);
  return {
    choose: () => ref.current?.click(),
    isUploading: uploads.some(({ replaces, error }) => replaces === datasource.id && error === null),
    input: (
      <input
        ref={ref}
        type="file"
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) replace(datasource, file);
          // The same file can be chosen again, after it was corrected.
          currentTarget.value = '';
        }}
      />
    ),
  };
}

import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslator } from '../../messages/messages.js';

/** The way back from a document to the documents of its library. */
export function DocumentsLink({ datastoreId }: { datastoreId: string }): ReactNode {
  const { text } = useTranslator();
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link to="/library/$datastoreId" params={{ datastoreId }} search={{}} {...props} />
      )}
    >
      {text('library.documents')}
    </Anchor>
  );
}

import { Anchor, Button } from '@mantine/core';
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

/** Links from an unanswered question to the panel that adds documents to a library. */
export function AddDocumentsButton({ datastoreId }: { datastoreId: string }): ReactNode {
  const { text } = useTranslator();
  return (
    <Button
      size="xs"
      variant="default"
      renderRoot={(props) => (
        <Link to="/library/$datastoreId" params={{ datastoreId }} search={{ add: true }} {...props} />
      )}
    >
      {text('ask.addDocuments')}
    </Button>
  );
}

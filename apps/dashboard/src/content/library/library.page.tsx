import { Button, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ReaderChoiceForm } from '../readers/reader-choice-form.js';
import { isRestricted, type ReaderChoice, toSetReaders } from '../readers/readers.js';
import { RestrictedMark } from '../readers/reader-list.js';
import { client } from '../../client.js';
import { Card, Cards } from '../../components/cards.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { Page } from '../../components/page.js';
import { Form, SubmitButton } from '../../components/form.js';
import { useTranslator } from '../../messages/messages.js';
import { Permitted } from '../../identity/sign-in/session.js';
import { datastoresQuery } from '../datasources/content-queries.js';
import { Dialog } from '../../components/dialog.js';

/** The libraries of the organization. */
export function LibraryPage(): ReactNode {
  const { text, counted, ago } = useTranslator();
  const datastores = useQuery(datastoresQuery);
  const [isOpen, { open, close }] = useDisclosure(false);
  const create = (
    <Permitted>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
        {text('library.new')}
      </Button>
    </Permitted>
  );
  const isEmpty = datastores.data?.length === 0;
  return (
    <Page title={text('library.title')} text={text('library.text')} actions={isEmpty ? null : create}>
      {datastores.isError && (
        <ErrorNotice error={datastores.error} onRetry={() => void datastores.refetch()} />
      )}
      {isEmpty && (
        <EmptyState icon="library" title={text('library.empty')} action={create}>
          {text('library.emptyText')}
        </EmptyState>
      )}
      <Cards isLoading={datastores.isPending}>
        {datastores.data?.map(({ id, name, description, documents, timestamps, readers }) => (
          <Card
            key={id}
            name={name}
            mark={isRestricted({ readers }) && <RestrictedMark />}
            description={description}
            details={[
              counted('library.count', documents.total),
              ...(documents.failed > 0 ? [text('library.failed', { count: documents.failed })] : []),
              ago(timestamps.createdAt),
            ].join(' · ')}
            renderRoot={(props) => (
              <Link to="/library/$datastoreId" params={{ datastoreId: id }} {...props} />
            )}
          />
        ))}
      </Cards>
      <Dialog opened={isOpen} onClose={close} title={text('library.new')}>
        <NewLibrary />
      </Dialog>
    </Page>
  );
}

function NewLibrary(): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [readers, setReaders] = useState<ReaderChoice>({ everyone: true, chosen: [] });
  const create = useMutation({
    mutationFn: () =>
      client.datastores.create({
        name: name.trim(),
        description: description.trim(),
        readers: toSetReaders(readers),
      }),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: datastoresQuery.queryKey });
      await navigate({ to: '/library/$datastoreId', params: { datastoreId: id } });
    },
  });
  return (
    <Form onSubmit={() => create.mutate()}>
      <TextInput
        label={text('library.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        maxLength={255}
        data-autofocus
      />
      <Textarea
        label={text('library.description')}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        autosize
        minRows={2}
      />
      <ReaderChoiceForm label={text('readers.title')} value={readers} onChange={setReaders} />
      <SubmitButton of={create} disabled={name.trim() === ''}>
        {text('library.create')}
      </SubmitButton>
    </Form>
  );
}

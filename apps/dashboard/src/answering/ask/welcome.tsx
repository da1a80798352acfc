import { Button, Checkbox, Container, Divider, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import type { CreateDatasource } from '@citewell/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { agentsQuery } from '../agents/agents.js';
import { client } from '../../client.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { readAddresses } from '../../content/datasources/addresses.js';
import { datastoresQuery } from '../../content/datasources/content-queries.js';
import { useTranslator } from '../../messages/messages.js';
import { useSession } from '../../identity/sign-in/session.js';
import { declineLocalModels, useLocalModel } from '../../models/local-model-offer.js';
import { inMegabytes } from '../../models/switch-words.js';
import { DropZone } from '../../content/uploads/drop-zone.js';
import { useUploads } from '../../content/uploads/uploads.js';
import { SAMPLE_NAME, SAMPLE_TEXT } from './sample.js';

/** The first visit. Who may not add documents is told that there is nothing to ask yet. */
export function Welcome(): ReactNode {
  const { text } = useTranslator();
  if (useSession().scopes.includes('write')) return <FirstDocument />;
  return <EmptyState icon="library" title={text('welcome.empty')} />;
}

/** The first document makes a library, and the question field appears. Documents are prepared meanwhile. */
function FirstDocument(): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const uploads = useUploads();
  const [address, setAddress] = useState('');
  const { urls, invalid } = readAddresses(address);
  const localModel = useLocalModel();
  const [usesLocalModel, setUsesLocalModel] = useState(true);

  const begin = useMutation({
    mutationFn: async (addFirst: (datastoreId: string) => Promise<unknown>) => {
      const [existing] = await queryClient.fetchQuery(datastoresQuery);
      const datastore = existing ?? (await client.datastores.create({ name: text('welcome.library') }));
      await addFirst(datastore.id);
      if (localModel !== null && usesLocalModel) {
        // If it fails, the pages of the library offer the model again.
        await client.models.chooseEmbedding({ name: localModel.name }).catch(() => undefined);
        await queryClient.invalidateQueries({ queryKey: ['models'] });
      } else if (localModel !== null) declineLocalModels();
      // Without a library, the next page redirects to this one.
      await queryClient.fetchQuery({ ...agentsQuery, staleTime: 0 });
      await queryClient.invalidateQueries({ queryKey: datastoresQuery.queryKey });
      await navigate({ to: '/ask', replace: true });
    },
  });
  const addFiles = (files: File[]): void =>
    begin.mutate(async (datastoreId) => {
      // The question field appears while the files are uploaded.
      uploads.add(datastoreId, files);
    });
  const addOne = (datasource: (datastoreId: string) => CreateDatasource): void =>
    begin.mutate((datastoreId) => client.datasources.create(datasource(datastoreId)));
  const addAddress = (event: FormEvent): void => {
    event.preventDefault();
    const [url] = urls;
    if (url !== undefined)
      addOne((datastoreId) => ({ type: 'web_page', datastoreId, config: { source_url: url } }));
  };
  return (
    <Container size="sm" py={{ base: 'xl', sm: 72 }}>
      <Stack gap="xl">
        <Stack gap="xs" ta="center">
          <Title order={1} fz={{ base: '1.7rem', sm: '2.2rem' }}>
            {text('welcome.title')}
          </Title>
          <Text c="dimmed" size="lg">
            {text('welcome.text')}
          </Text>
        </Stack>
        {begin.isError && <ErrorNotice error={begin.error} />}
        <DropZone isPrimary onFiles={addFiles} />
        <Text size="xs" c="dimmed" ta="center">
          {text('welcome.readers')}
        </Text>
        {localModel !== null && (
          <Checkbox
            checked={usesLocalModel}
            label={text('welcome.localModel')}
            description={
              localModel.downloadBytes > 0 &&
              text('welcome.localModelCost', { mb: inMegabytes(localModel.downloadBytes) })
            }
            onChange={(event) => setUsesLocalModel(event.currentTarget.checked)}
          />
        )}
        <form onSubmit={addAddress}>
          <Group align="flex-end" gap="xs">
            <TextInput
              flex={1}
              miw={200}
              label={text('welcome.address')}
              placeholder="https://example.com/handbook"
              value={address}
              onChange={(event) => setAddress(event.currentTarget.value)}
            />
            <Button
              type="submit"
              variant="default"
              loading={begin.isPending}
              disabled={urls.length === 0 || invalid !== null}
            >
              {text('welcome.addAddress')}
            </Button>
          </Group>
        </form>
        <Divider label={text('welcome.or')} />
        <Button
          variant="subtle"
          mx="auto"
          onClick={() =>
            addOne((datastoreId) => ({ type: 'text', datastoreId, name: SAMPLE_NAME, text: SAMPLE_TEXT }))
          }
        >
          {text('welcome.sample')}
        </Button>
      </Stack>
    </Container>
  );
}

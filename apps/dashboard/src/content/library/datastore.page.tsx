import { Anchor, Box, Button, Progress, Stack, Tabs, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { isRestricted } from '../readers/readers.js';
import { ReadersButton } from '../readers/readers-button.js';
import { RestrictedMark } from '../readers/reader-list.js';
import { client } from '../../client.js';
import { ConfirmButton } from '../../components/confirm-button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { Page, SidePanel } from '../../components/page.js';
import { useTranslator } from '../../messages/messages.js';
import { LocalModelOffer } from '../../models/local-model-offer.js';
import { Permitted } from '../../identity/sign-in/session.js';
import {
  datasourceQuery,
  datastoreProgressQuery,
  datastoreQuery,
  datastoresQuery,
  inProgress,
} from '../datasources/content-queries.js';
import { isUnfinished } from '../datasources/datasource-display.js';
import { SearchPanel } from '../../answering/search/search-panel.js';
import { AddPanel } from './add-panel.js';
import { DatasourceTable } from './datasource-table.js';
import { DocumentsLink } from './document-links.js';
import { EditButton } from './edit-button.js';
import { libraryProgressWords } from './status-words.js';
import { SiteUrls } from './site-urls.js';
import { SkippedDocuments } from './skipped-documents.js';

import { Problem, StatusCell } from './status-cell.js';
import { SyncButton } from './sync-button.js';

const controls = () => import('../sources/group-controls.js');
const SyncTimes = lazy(async () => ({ default: (await controls()).SyncTimes }));
const PauseButton = lazy(async () => ({ default: (await controls()).PauseButton }));
const DisconnectButton = lazy(async () => ({ default: (await controls()).DisconnectButton }));

const PERCENT = 100;

const route = getRouteApi('/library/$datastoreId');

/** One library: its documents and its search. With `group`, the pages of one of its sites. */
export function DatastorePage(): ReactNode {
  const { text } = useTranslator();
  const { datastoreId } = route.useParams();
  const { group, query, add: isAdding = false } = route.useSearch();
  const navigate = route.useNavigate();
  const datastore = useQuery(datastoreQuery(datastoreId));
  const setAdding = (isOpen: boolean): void =>
    void navigate({ search: (search) => ({ ...search, add: isOpen || undefined }), replace: true });
  const openPanel = (): void => setAdding(true);
  const closePanel = (): void => setAdding(false);
  const [tab, setTab] = useState<string | null>(query === undefined ? 'documents' : 'search');
  const name = datastore.data?.name ?? '';

  if (datastore.isError)
    return <ErrorNotice error={datastore.error} onRetry={() => void datastore.refetch()} />;
  if (group !== undefined) return <GroupPage datastoreId={datastoreId} groupId={group} />;
  return (
    <Page
      title={name}
      mark={datastore.data && isRestricted(datastore.data) && <RestrictedMark />}
      {...(datastore.data?.description ? { text: datastore.data.description } : {})}
      above={
        <Anchor size="sm" renderRoot={(props) => <Link to="/library" {...props} />}>
          {text('library.title')}
        </Anchor>
      }
      actions={
        <>
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link to="/library/$datastoreId/changes" params={{ datastoreId }} search={{}} {...props} />
            )}
          >
            {text('library.changes')}
          </Button>
          <Permitted>
            <DeleteLibrary id={datastoreId} name={name} />
            {datastore.data && (
              <ReadersButton datastoreId={datastoreId} isRestricted={isRestricted(datastore.data)} />
            )}
            <Button leftSection={<Icon name="plus" size={16} />} onClick={openPanel}>
              {text('library.add')}
            </Button>
          </Permitted>
        </>
      }
    >
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="documents">{text('library.documents')}</Tabs.Tab>
          <Permitted scope="datastores:query">
            <Tabs.Tab value="search">{text('library.search')}</Tabs.Tab>
          </Permitted>
        </Tabs.List>
        <Tabs.Panel value="documents" pt="md">
          <LocalModelOffer />
          <LibraryProgress datastoreId={datastoreId} />
          <DatasourceTable filter={{ datastoreId }} onAdd={openPanel} />
        </Tabs.Panel>
        <Tabs.Panel value="search" pt="md">
          <SearchPanel datastoreId={datastoreId} initialQuery={query ?? ''} />
        </Tabs.Panel>
      </Tabs>
      <SidePanel isOpen={isAdding} onClose={closePanel} title={text('add.title')}>
        <AddPanel datastoreId={datastoreId} onAdded={closePanel} />
      </SidePanel>
    </Page>
  );
}

/** The pages of a site, the documents of a source, or the files of an archive. */
function GroupPage({ datastoreId, groupId }: { datastoreId: string; groupId: string }): ReactNode {
  const { text } = useTranslator();
  const group = useQuery(datasourceQuery(groupId));
  const queryClient = useQueryClient();
  const exportOf = group.data?.exportOf;
  const isSynching = group.data !== undefined && isUnfinished(group.data);
  // A sync has added and removed members, which the table does not know.
  useEffect(() => {
    if (!isSynching) void queryClient.invalidateQueries({ queryKey: ['datasources'] });
  }, [isSynching, queryClient]);
  return (
    <Page
      title={group.data?.name ?? ''}
      {...(exportOf === undefined ? {} : { text: text(`export.${exportOf}`) })}
      above={<DocumentsLink datastoreId={datastoreId} />}
      actions={
        group.data && (
          <Permitted>
            <Suspense>
              {group.data.type === 'source' && <DisconnectButton datasource={group.data} />}
              <PauseButton datasource={group.data} />
            </Suspense>
            <EditButton datasource={group.data} />
            <SyncButton datasource={group.data} />
          </Permitted>
        )
      }
    >
      {group.isError && <ErrorNotice error={group.error} />}
      {group.data && group.data.type !== 'file' && (
        <Suspense
          fallback={
            <Text size="sm" mb="md">
              {'\u00a0'}
            </Text>
          }
        >
          <SyncTimes datasource={group.data} />
        </Suspense>
      )}
      {group.data && isUnfinished(group.data) && (
        <Box maw={640}>
          <StatusCell datasource={group.data} />
        </Box>
      )}
      {group.data?.error && (
        <Box maw={640}>
          <Problem datasource={group.data} error={group.data.error} />
        </Box>
      )}
      {group.data?.type === 'web_site' ? (
        <Tabs defaultValue="pages" keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="pages">{text('urls.pages')}</Tabs.Tab>
            <Tabs.Tab value="urls">{text('urls.all')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="pages">
            <DatasourceTable filter={{ datastoreId, groupId }} />
          </Tabs.Panel>
          <Tabs.Panel value="urls">
            <SiteUrls siteId={groupId} />
          </Tabs.Panel>
        </Tabs>
      ) : group.data?.type === 'source' ? (
        <Tabs defaultValue="documents" keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="documents">{text('source.documents')}</Tabs.Tab>
            <Tabs.Tab value="skipped">{text('source.skipped')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="documents">
            <DatasourceTable filter={{ datastoreId, groupId }} />
          </Tabs.Panel>
          <Tabs.Panel value="skipped">
            <SkippedDocuments sourceId={groupId} />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <DatasourceTable filter={{ datastoreId, groupId }} />
      )}
    </Page>
  );
}

function DeleteLibrary({ id, name }: { id: string; name: string }): ReactNode {
  const { text } = useTranslator();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return (
    <ConfirmButton
      title={text('library.deleteTitle')}
      question={text('library.deleteText', { name })}
      confirm={text('library.deleteConfirm')}
      action={async () => {
        await client.datastores.delete(id);
        await queryClient.invalidateQueries({ queryKey: datastoresQuery.queryKey });
        await navigate({ to: '/library' });
      }}
    >
      {text('action.delete')}
    </ConfirmButton>
  );
}

/** A slim bar with words while several documents of a library are in progress. One alone has a bar in its row. */
function LibraryProgress({ datastoreId }: { datastoreId: string }): ReactNode {
  const translator = useTranslator();
  const { data: progress } = useQuery(datastoreProgressQuery(datastoreId));
  if (progress === undefined || inProgress(progress) < 2) return null;
  const words = libraryProgressWords(progress, translator);
  const done = progress.total - inProgress(progress);
  return (
    <Stack gap={4} mb="md">
      <Progress size="xs" value={(done / progress.total) * PERCENT} aria-label={words} />
      <Text size="xs" c="dimmed" role="status" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {words}
      </Text>
    </Stack>
  );
}

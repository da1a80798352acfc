import { Anchor, Box, Button, Group, Select, Skeleton, Stack, Text } from '@mantine/core';
import { type Datasource, type DatasourceStats, type LeftOutReason } from '@citewell/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { client, saveStream } from '../../client.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { Page } from '../../components/page.js';
import { datasourceQuery } from '../datasources/content-queries.js';
import {
  addressOf,
  displayName,
  folderOf,
  isUnfinished,
  linksOf,
} from '../datasources/datasource-display.js';
import { DocumentsLink } from '../library/document-links.js';
import { EditButton } from '../library/edit-button.js';
import { ReplaceFileButton } from '../library/replace-file-button.js';
import { Problem, StatusCell } from '../library/status-cell.js';
import { isReplaceable, whatHelps } from '../library/status-words.js';
import { useTranslator } from '../../messages/messages.js';
import { canRetry } from '../uploads/upload-rules.js';
import { useUploads } from '../uploads/uploads.js';
import { Permitted } from '../../identity/sign-in/session.js';
import { type Citation, placeOf } from './citations.js';
import { DocumentView } from './document-view.js';
import { encodingsFor } from './encodings.js';
import { PageContents } from './page-contents.js';

const NO_CITATIONS: readonly Citation[] = [];

const LEFT_OUT_REASONS: readonly LeftOutReason[] = ['running', 'navigation', 'hidden', 'deleted'];

/** The first parts of the keys of queries for the content of a document. */
const CONTENT_QUERY_KINDS = [
  'text',
  'pdf',
  'picture',
  'words',
  'chunks',
  'quote',
  'quote-page',
  'tables',
  'table-rows',
];

const route = getRouteApi('/documents/$datasourceId');

/** A document: the page of a PDF or the text, with the quote marked. */
export function ReaderPage(): ReactNode {
  const { text } = useTranslator();
  const { datasourceId } = route.useParams();
  const place = route.useSearch();
  const navigate = useNavigate();
  const citations = useRouterState({ select: ({ location }) => location.state.citations ?? NO_CITATIONS });
  const datasource = useQuery(datasourceQuery(datasourceId));
  useFreshContent(datasourceId, datasource.data?.revision);
  if (datasource.isError)
    return <ErrorNotice error={datasource.error} onRetry={() => void datasource.refetch()} />;
  if (datasource.isPending) return <Skeleton h={480} m="xl" />;
  const { datastoreId, error, revision } = datasource.data;
  const isFailed = error !== null && !isUnfinished(datasource.data);
  // Beside the error.
  const isOffered = isFailed && whatHelps(datasource.data).includes('replace');
  const title = displayName(datasource.data);
  const address = addressOf(datasource.data) ?? folderOf(datasource.data);
  return (
    <Page
      title={title}
      {...(address === null || address === title ? {} : { text: address })}
      above={<DocumentsLink datastoreId={datastoreId} />}
      actions={
        <>
          <Permitted>
            <EditButton datasource={datasource.data} />
            {isReplaceable(datasource.data) && !isOffered && (
              <ReplaceFileButton datasource={datasource.data} />
            )}
          </Permitted>
          <OriginalLink datasource={datasource.data} />
        </>
      }
    >
      <FailedReplacement datasourceId={datasourceId} />
      {isUnfinished(datasource.data) ? (
        <Box maw={640}>
          <StatusCell datasource={datasource.data} />
        </Box>
      ) : (
        error && (
          <Box maw={640}>
            <Problem datasource={datasource.data} error={error} />
          </Box>
        )
      )}
      <Permitted>
        <EncodingChoice datasource={datasource.data} />
      </Permitted>
      <PageContents datasource={datasource.data} />
      <LeftOut leftOut={datasource.data.stats.leftOut} />
      <Links datasource={datasource.data} />
      {revision > 0 && (
        <DocumentView
          key={datasource.data.mimeType}
          datasource={datasource.data}
          place={place}
          citations={citations}
          onCitation={(citation) => void navigate({ ...placeOf(citation, citations), replace: true })}
        />
      )}
      {revision === 0 && !isFailed && <EmptyState icon="clock" title={text('reader.notReady')} />}
    </Page>
  );
}

/** Why the document did not get the file that was chosen for it. */
function FailedReplacement({ datasourceId }: { datasourceId: string }): ReactNode {
  const { uploads, retry } = useUploads();
  const upload = uploads.findLast(({ replaces, error }) => replaces === datasourceId && error !== null);
  if (!upload) return null;
  const again = canRetry(upload.error) ? { onRetry: () => retry(upload) } : {};
  return <ErrorNotice error={upload.error} {...again} />;
}

/** The page on the web, or the file as it was uploaded. */
function OriginalLink({ datasource }: { datasource: Datasource }): ReactNode {
  const { text } = useTranslator();
  const { id, type, config } = datasource;
  const url = config['source_url'];
  if (type === 'web_page' && typeof url === 'string')
    return (
      <Button
        component="a"
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        variant="default"
        leftSection={<Icon name="external" size={16} />}
      >
        {text('reader.source')}
      </Button>
    );
  if (type !== 'file') return null;
  return <DownloadButton id={id} />;
}

function DownloadButton({ id }: { id: string }): ReactNode {
  const { text } = useTranslator();
  const [isLoading, setIsLoading] = useState(false);
  const download = async (): Promise<void> => {
    setIsLoading(true);
    try {
      const { stream, name } = await client.datasources.file(id);
      await saveStream(stream, name);
    } finally {
      setIsLoading(false);
    }
  };
  return (
    <Button
      variant="default"
      loading={isLoading}
      leftSection={<Icon name="download" size={16} />}
      onClick={() => void download()}
    >
      {text('reader.download')}
    </Button>
  );
}

/** Reads the content of a document again when it has a new revision: after a sync, or with a new file. */
function useFreshContent(datasourceId: string, revision: number | undefined): void {
  const queryClient = useQueryClient();
  const shown = useRef(revision);
  useEffect(() => {
    const isNew = shown.current !== undefined && shown.current !== revision;
    shown.current = revision;
    if (!isNew) return;
    for (const kind of CONTENT_QUERY_KINDS)
      void queryClient.invalidateQueries({ queryKey: [kind, datasourceId] });
  }, [queryClient, datasourceId, revision]);
}

/** What of the document is not part of its text, and how much. Nothing if it is all there. */
function LeftOut({ leftOut }: { leftOut: DatasourceStats['leftOut'] }): ReactNode {
  const { text } = useTranslator();
  const parts = LEFT_OUT_REASONS.flatMap((reason) => {
    const count = leftOut[reason] ?? 0;
    return count > 0 ? text(`reader.leftOut.${reason}`, { count }) : [];
  });
  if (parts.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" maw={640}>
      {text('reader.leftOut')} {parts.join(', ')}
    </Text>
  );
}

/** The documents of the same export that the document links to. */
function Links({ datasource }: { datasource: Datasource }): ReactNode {
  const { text } = useTranslator();
  const links = linksOf(datasource);
  if (links.length === 0) return null;
  return (
    <Group component="nav" gap="sm" maw={760} aria-label={text('reader.links')}>
      <Text size="sm" c="dimmed">
        {text('reader.links')}
      </Text>
      {links.map(({ datasourceId, name }) => (
        <Anchor
          key={datasourceId}
          size="sm"
          dir="auto"
          renderRoot={(props) => <Link to="/documents/$datasourceId" params={{ datasourceId }} {...props} />}
        >
          {name}
        </Anchor>
      ))}
    </Group>
  );
}

/** Chooses the encoding of a text whose detection is uncertain, or was chosen before. The file is read again. */
function EncodingChoice({ datasource }: { datasource: Datasource }): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const { id, config, error } = datasource;
  const chosen = typeof config['encoding'] === 'string' ? config['encoding'] : null;
  const choose = useMutation({
    mutationFn: (encoding: string | null) => {
      const config: Record<string, string | null> = { encoding };
      return client.datasources.update(id, { config });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['datasources'] }),
  });
  const isUncertain = error?.code === 'ENCODING_UNCERTAIN';
  if (!isUncertain && chosen === null) return null;
  const offered = encodingsFor(isUncertain ? error.message : '');
  return (
    <Stack gap="xs">
      <Box maw={320}>
        <Select
          label={text('reader.encoding')}
          description={text('reader.encodingHint')}
          placeholder={text('reader.encodingDetected')}
          data={chosen === null || offered.includes(chosen) ? offered : [chosen, ...offered]}
          value={chosen}
          onChange={(encoding) => choose.mutate(encoding)}
          disabled={choose.isPending}
          searchable
          clearable
        />
      </Box>
      {choose.isError && <ErrorNotice error={choose.error} />}
    </Stack>
  );
}

import { Anchor, CloseButton, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../../components/error-notice.js';
import { datasourceQuery } from '../../content/datasources/content-queries.js';
import { displayName } from '../../content/datasources/datasource-display.js';
import { type Citation, inDocument, placeOf } from '../../content/viewer/citations.js';
import { DocumentView } from '../../content/viewer/document-view.js';
import { useTranslator } from '../../messages/messages.js';
import classes from './ask.module.css';
import { useOpenCitation } from './open-citation.js';

/** The document of the open citation, at its quote: beside the answer or, on a narrow screen, as a sheet above it. */
export function CitedDocument({ isSheet }: { isSheet: boolean }): ReactNode {
  const { citation } = useOpenCitation();
  return citation && <Opened citation={citation} isSheet={isSheet} />;
}

function Opened({ citation, isSheet }: { citation: Citation; isSheet: boolean }): ReactNode {
  const { text } = useTranslator();
  const { citations, open, close } = useOpenCitation();
  const datasource = useQuery(datasourceQuery(citation.datasource_id));
  useHotkeys([['Escape', close]]);
  const title = (
    <Group component="span" gap="xs">
      <Text component="span" fw={600} dir="auto" style={{ overflowWrap: 'anywhere' }}>
        {datasource.data && displayName(datasource.data)}
      </Text>
      <Anchor size="sm" renderRoot={(props) => <Link {...placeOf(citation, citations)} {...props} />}>
        {text('ask.wholePage')}
      </Anchor>
    </Group>
  );
  const content = (
    <Stack gap="sm">
      {datasource.isError && (
        <ErrorNotice error={datasource.error} onRetry={() => void datasource.refetch()} />
      )}
      {datasource.isPending && <Skeleton h={480} />}
      {datasource.data?.revision === 0 && <Text c="dimmed">{text('reader.notReady')}</Text>}
      {datasource.data !== undefined && datasource.data.revision > 0 && (
        <DocumentView
          key={datasource.data.id}
          datasource={datasource.data}
          place={inDocument(citation)}
          citations={citations}
          onCitation={(next) => open(next, citations)}
          isBeside
        />
      )}
    </Stack>
  );
  if (isSheet)
    return (
      <Drawer
        opened
        onClose={close}
        position="bottom"
        size="90%"
        title={title}
        closeButtonProps={{ 'aria-label': text('action.close') }}
      >
        {content}
      </Drawer>
    );
  return (
    <aside className={classes['document']} aria-label={text('ask.document')}>
      <Group
        component="header"
        className={classes['documentBar'] ?? ''}
        justify="space-between"
        wrap="nowrap"
        align="flex-start"
      >
        {title}
        <CloseButton aria-label={text('action.close')} onClick={close} />
      </Group>
      {content}
    </aside>
  );
}

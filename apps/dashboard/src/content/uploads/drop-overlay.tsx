import { Box, Text } from '@mantine/core';
import type { ListedDatastore } from '@citewell/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useDropzone } from 'react-dropzone';
import { Icon } from '../../components/icon.js';
import { useTranslator } from '../../messages/messages.js';
import { datastoresQuery } from '../datasources/content-queries.js';
import { ReadersOfAdded } from '../readers/reader-list.js';
import classes from './drop-zone.module.css';
import { useUploads } from './uploads.js';

/**
 * Covers the window with the library of the page, or with all libraries. Nothing if there is none. It stays when it is not
 * shown, because dropped files are read after the drop.
 */
export function DropOverlay({ isShown }: { isShown: boolean }): ReactNode {
  const { text } = useTranslator();
  const { datastoreId } = useParams({ strict: false });
  const { data = [] } = useQuery(datastoresQuery);
  const shown = data.filter(({ id }) => datastoreId === undefined || id === datastoreId);
  if (shown.length === 0) return null;
  return (
    <Box className={classes['overlay'] ?? ''} display={isShown ? undefined : 'none'}>
      {shown.length > 1 && <Text fw={600}>{text('drop.choose')}</Text>}
      <div className={classes['targets']}>
        {shown.map((datastore) => (
          <Target key={datastore.id} datastore={datastore} />
        ))}
      </div>
    </Box>
  );
}

function Target({
  datastore: { id: datastoreId, name, readers },
}: {
  datastore: ListedDatastore;
}): ReactNode {
  const { text } = useTranslator();
  const { add } = useUploads();
  const navigate = useNavigate();
  const isAsking = useRouterState({ select: ({ location }) => location.pathname === '/ask' });
  const { getRootProps, isDragActive } = useDropzone({
    onDropAccepted: (files) => {
      add(datastoreId, files);
      // The page of questions tells itself how many documents are being prepared.
      if (!isAsking) void navigate({ to: '/library/$datastoreId', params: { datastoreId } });
    },
    noClick: true,
    noKeyboard: true,
  });
  return (
    <div {...getRootProps()} className={classes['zone']} data-active={isDragActive || undefined}>
      <Icon name="upload" size={28} />
      <Text fw={600} dir="auto">
        {text('drop.into', { name })}
      </Text>
      <ReadersOfAdded readers={readers} />
    </div>
  );
}

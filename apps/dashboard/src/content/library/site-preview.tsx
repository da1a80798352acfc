import { Alert, Button, List, Skeleton, Stack, Text } from '@mantine/core';
import type { PreviewSite, SitePreview as Preview } from '@citewell/sdk';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../../client.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { useTranslator } from '../../messages/messages.js';

/** The first pages that a crawl would fetch, before it starts. */
export function SitePreview({ config }: { config: PreviewSite['config'] | null }): ReactNode {
  const { text } = useTranslator();
  const preview = useMutation({
    mutationFn: (tried: PreviewSite['config']) => client.datasources.previewSite({ config: tried }),
  });
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="default"
        loading={preview.isPending}
        disabled={config === null}
        onClick={() => config && preview.mutate(config)}
      >
        {text('add.preview')}
      </Button>
      {preview.isPending && <Skeleton h={120} />}
      {preview.isError && <ErrorNotice error={preview.error} />}
      {preview.data && isSame(preview.variables, config) && <PreviewedPages preview={preview.data} />}
    </Stack>
  );
}

/** Whether the result is still that of the form. */
function isSame(tried: PreviewSite['config'], config: PreviewSite['config'] | null): boolean {
  return JSON.stringify(tried) === JSON.stringify(config);
}

function PreviewedPages({ preview: { pages, isComplete, error } }: { preview: Preview }): ReactNode {
  const { text } = useTranslator();
  return (
    <Stack gap="xs" w="100%" role="status">
      {error !== null && <Alert color="yellow">{error}</Alert>}
      {error === null && pages.length === 0 && <Text size="sm">{text('add.previewNone')}</Text>}
      <List size="sm" type="ordered" style={{ overflowWrap: 'anywhere' }}>
        {pages.map(({ url, leftOut }) => (
          <List.Item key={url}>
            <Text span size="sm" {...(leftOut === null ? {} : { c: 'dimmed', td: 'line-through' })}>
              {url}
            </Text>
            {leftOut !== null && (
              <Text span size="xs" c="dimmed">
                {' '}
                {text(`add.leftOut.${leftOut}`)}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
      {!isComplete && (
        <Text size="xs" c="dimmed">
          {text('add.previewIncomplete')}
        </Text>
      )}
    </Stack>
  );
}

import { Box, SegmentedControl, Skeleton, Tabs, Textarea, TextInput } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CreateDatasource } from '@citewell/sdk';
import { useTranslator } from '../../messages/messages.js';
import { DropZone } from '../uploads/drop-zone.js';
import { useUploads } from '../uploads/uploads.js';
import { client } from '../../client.js';
import { Form, SubmitButton } from '../../components/form.js';
import { readAddresses } from '../datasources/addresses.js';
import { datastoreQuery } from '../datasources/content-queries.js';
import { ReadersOfAdded } from '../readers/reader-list.js';
import { ScheduleField, SiteFields } from './web-fields.js';
import { settingsOf, siteConfigOf } from './web-settings.js';

const AddSource = lazy(async () => ({ default: (await import('../sources/source-form.js')).AddSource }));

/** Adds files, addresses, texts and sources to a library. */
export function AddPanel({ datastoreId, onAdded }: { datastoreId: string; onAdded: () => void }): ReactNode {
  const { text } = useTranslator();
  const { add } = useUploads();
  const { data: datastore } = useQuery(datastoreQuery(datastoreId));
  return (
    <Tabs defaultValue="files" keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="files">{text('add.files')}</Tabs.Tab>
        <Tabs.Tab value="web">{text('add.web')}</Tabs.Tab>
        <Tabs.Tab value="text">{text('add.text')}</Tabs.Tab>
        <Tabs.Tab value="source">{text('add.source')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="files">
        <DropZone
          isPrimary
          onFiles={(files) => {
            add(datastoreId, files);
            onAdded();
          }}
        />
      </Tabs.Panel>
      <Tabs.Panel value="web">
        <AddWeb datastoreId={datastoreId} onAdded={onAdded} />
      </Tabs.Panel>
      <Tabs.Panel value="text">
        <AddText datastoreId={datastoreId} onAdded={onAdded} />
      </Tabs.Panel>
      <Tabs.Panel value="source">
        <Suspense fallback={<Skeleton h={240} />}>
          <AddSource datastoreId={datastoreId} onAdded={onAdded} />
        </Suspense>
      </Tabs.Panel>
      <Box mt="md">{datastore && <ReadersOfAdded readers={datastore.readers} />}</Box>
    </Tabs>
  );
}

/** Adds a text that the user writes or pastes. */
function AddText({ datastoreId, onAdded }: { datastoreId: string; onAdded: () => void }): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [body, setBody] = useState('');
  const add = useMutation({
    mutationFn: () => client.datasources.create({ type: 'text', datastoreId, name: name.trim(), text: body }),
    onSuccess: onAdded,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['datasources'] }),
  });
  return (
    <Form onSubmit={() => add.mutate()}>
      <TextInput
        label={text('add.textName')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        maxLength={255}
        data-autofocus
      />
      <Textarea
        label={text('add.textBody')}
        value={body}
        onChange={(event) => setBody(event.currentTarget.value)}
        autosize
        minRows={8}
        maxRows={20}
        required
      />
      <SubmitButton of={add} disabled={name.trim() === '' || body.trim() === ''}>
        {text('add.submitText')}
      </SubmitButton>
    </Form>
  );
}

/** Adds single pages, or whole sites with their limits. */
function AddWeb({ datastoreId, onAdded }: { datastoreId: string; onAdded: () => void }): ReactNode {
  const { text, counted } = useTranslator();
  const queryClient = useQueryClient();
  const [kind, setKind] = useState<'page' | 'site'>('page');
  const [lines, setLines] = useState('');
  const [settings, setSettings] = useState(() => settingsOf({}));
  const { urls, invalid } = readAddresses(lines);

  const toDatasource = (url: string): CreateDatasource => {
    const common = { source_url: url, schedule: settings.schedule };
    return kind === 'page'
      ? { type: 'web_page', datastoreId, config: common }
      : { type: 'web_site', datastoreId, config: { ...common, ...siteConfigOf(settings) } };
  };
  const add = useMutation({
    mutationFn: async () => {
      const remaining = [...urls];
      for (const url of urls) {
        await client.datasources.create(toDatasource(url));
        // After a failure, the form has the addresses that were not added.
        remaining.shift();
        setLines(remaining.join('\n'));
      }
    },
    onSuccess: onAdded,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['datasources'] }),
  });
  return (
    <Form onSubmit={() => add.mutate()}>
      <Textarea
        label={text('add.addresses')}
        description={text('add.addressesHint')}
        value={lines}
        onChange={(event) => setLines(event.currentTarget.value)}
        autosize
        minRows={2}
        maxRows={12}
        data-autofocus
        error={
          invalid !== null &&
          add.isIdle &&
          lines.endsWith('\n') &&
          text('add.invalidAddress', { address: invalid })
        }
      />
      <SegmentedControl
        aria-label={text('add.kind')}
        value={kind}
        onChange={(value) => setKind(value as 'page' | 'site')}
        data={[
          { value: 'page', label: text('add.kind.page') },
          { value: 'site', label: text('add.kind.site') },
        ]}
      />
      {kind === 'site' && (
        <SiteFields
          settings={settings}
          onChange={setSettings}
          address={invalid === null ? (urls[0] ?? null) : null}
        />
      )}
      <ScheduleField settings={settings} onChange={setSettings} />
      <SubmitButton of={add} disabled={urls.length === 0 || invalid !== null}>
        {counted('add.submitWeb', Math.max(1, urls.length))}
      </SubmitButton>
    </Form>
  );
}

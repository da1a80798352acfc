import { Button, SegmentedControl, Stack, Textarea } from '@mantine/core';
import type { CreateDatasource } from '@citewell/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { client } from '../../client.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { useTranslator } from '../../messages/messages.js';
import { readAddresses } from '../datasources/addresses.js';
import { ScheduleField, SiteFields } from './web-fields.js';
import { settingsOf, siteConfigOf } from './web-settings.js';

/** Adds single pages, or whole sites with their limits. */
export function AddWeb({ datastoreId, onAdded }: { datastoreId: string; onAdded: () => void }): ReactNode {
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
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
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
        {add.isError && <ErrorNotice error={add.error} />}
        <Button type="submit" loading={add.isPending} disabled={urls.length === 0 || invalid !== null}>
          {counted('add.submitWeb', Math.max(1, urls.length))}
        </Button>
      </Stack>
    </form>
  );
}

import { Button, NumberInput, SegmentedControl, Select, Stack, Textarea, TextInput } from '@mantine/core';
import type { CreateDatasource } from '@citewell/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { client } from '../client.js';
import { ErrorNotice } from '../components/error-notice.js';
import { useTranslator } from '../messages/messages.js';
import { linesOf, readAddresses } from './addresses.js';
import { SitePreview } from './site-preview.js';

const DEFAULT_MAX_PAGES = 1_000;
const SCHEDULES = { never: null, daily: '@daily', weekly: '@weekly' } as const;

/** Adds single pages, or whole sites with their limits. */
export function AddWeb({ datastoreId, onAdded }: { datastoreId: string; onAdded: () => void }): ReactNode {
  const { text, counted } = useTranslator();
  const queryClient = useQueryClient();
  const [kind, setKind] = useState<'page' | 'site'>('page');
  const [lines, setLines] = useState('');
  const [schedule, setSchedule] = useState<keyof typeof SCHEDULES>('never');
  const [maxPages, setMaxPages] = useState<number | string>(DEFAULT_MAX_PAGES);
  const [sitemap, setSitemap] = useState('');
  const [include, setInclude] = useState('');
  const [exclude, setExclude] = useState('');
  const { urls, invalid } = readAddresses(lines);

  const siteConfig = {
    maxPages: Number(maxPages) || DEFAULT_MAX_PAGES,
    ...(sitemap.trim() === '' ? {} : { sitemap: sitemap.trim() }),
    include: linesOf(include),
    exclude: linesOf(exclude),
  };
  const toDatasource = (url: string): CreateDatasource => {
    const common = { source_url: url, schedule: SCHEDULES[schedule] };
    return kind === 'page'
      ? { type: 'web_page', datastoreId, config: common }
      : { type: 'web_site', datastoreId, config: { ...common, ...siteConfig } };
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
          <>
            <NumberInput
              label={text('add.maxPages')}
              min={1}
              max={100_000}
              allowDecimal={false}
              value={maxPages}
              onChange={setMaxPages}
            />
            <TextInput
              label={text('add.sitemap')}
              value={sitemap}
              onChange={(event) => setSitemap(event.currentTarget.value)}
            />
            <Textarea
              label={text('add.include')}
              description={text('add.patternHint')}
              value={include}
              onChange={(event) => setInclude(event.currentTarget.value)}
              autosize
            />
            <Textarea
              label={text('add.exclude')}
              value={exclude}
              onChange={(event) => setExclude(event.currentTarget.value)}
              autosize
            />
            <SitePreview
              config={
                urls[0] === undefined || invalid !== null ? null : { ...siteConfig, source_url: urls[0] }
              }
            />
          </>
        )}
        <Select
          label={text('add.schedule')}
          value={schedule}
          onChange={(value) => setSchedule((value ?? 'never') as keyof typeof SCHEDULES)}
          data={Object.keys(SCHEDULES).map((value) => ({
            value,
            label: text(`add.schedule.${value as keyof typeof SCHEDULES}`),
          }))}
          allowDeselect={false}
        />
        {add.isError && <ErrorNotice error={add.error} />}
        <Button type="submit" loading={add.isPending} disabled={urls.length === 0 || invalid !== null}>
          {counted('add.submitWeb', Math.max(1, urls.length))}
        </Button>
      </Stack>
    </form>
  );
}

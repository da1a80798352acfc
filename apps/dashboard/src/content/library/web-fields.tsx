import type { SitePreview } from '@citewell/sdk';
import { Alert, List, NumberInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { client } from '../../client.js';
import { Trial } from '../../components/trial.js';
import { useTranslator } from '../../messages/messages.js';
import { siteConfigOf, type WebSettings } from './web-settings.js';

const NEVER = 'never';

interface WebFieldsProps {
  settings: WebSettings;
  onChange: (settings: WebSettings) => void;
}

/** What is read of a site, with a preview. @param address null while it is not complete */
export function SiteFields({
  settings,
  onChange,
  address,
}: WebFieldsProps & { address: string | null }): ReactNode {
  const { text } = useTranslator();
  const { maxPages, sitemap, include, exclude } = settings;
  return (
    <>
      <NumberInput
        label={text('add.maxPages')}
        min={1}
        max={100_000}
        allowDecimal={false}
        value={maxPages}
        onChange={(value) => onChange({ ...settings, maxPages: value })}
      />
      <TextInput
        label={text('add.sitemap')}
        value={sitemap}
        onChange={(event) => onChange({ ...settings, sitemap: event.currentTarget.value })}
      />
      <Textarea
        label={text('add.include')}
        description={text('add.patternHint')}
        value={include}
        onChange={(event) => onChange({ ...settings, include: event.currentTarget.value })}
        autosize
      />
      <Textarea
        label={text('add.exclude')}
        value={exclude}
        onChange={(event) => onChange({ ...settings, exclude: event.currentTarget.value })}
        autosize
      />
      <Trial
        config={address === null ? null : { ...siteConfigOf(settings), source_url: address }}
        label={text('add.preview')}
        run={(config) => client.datasources.previewSite({ config })}
      >
        {(preview) => <PreviewedPages preview={preview} />}
      </Trial>
    </>
  );
}

/** How often a page or site is synced. A schedule that only the API can set is shown as it is. */
export function ScheduleField({ settings, onChange }: WebFieldsProps): ReactNode {
  const { text } = useTranslator();
  const { schedule } = settings;
  const choices = [
    { value: NEVER, label: text('add.schedule.never') },
    { value: '@daily', label: text('add.schedule.daily') },
    { value: '@weekly', label: text('add.schedule.weekly') },
  ];
  const value = schedule ?? NEVER;
  const isKnown = choices.some((choice) => choice.value === value);
  return (
    <Select
      label={text('add.schedule')}
      value={value}
      onChange={(chosen) => onChange({ ...settings, schedule: chosen === NEVER ? null : chosen })}
      data={isKnown ? choices : [...choices, { value, label: value }]}
      allowDeselect={false}
    />
  );
}

/** The first pages that a crawl would fetch, before it starts. */
function PreviewedPages({ preview: { pages, isComplete, error } }: { preview: SitePreview }): ReactNode {
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

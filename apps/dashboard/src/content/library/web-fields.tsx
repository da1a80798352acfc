import { NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslator } from '../../messages/messages.js';
import { SitePreview } from './site-preview.js';
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
      <SitePreview config={address === null ? null : { ...siteConfigOf(settings), source_url: address }} />
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

import { Select, SimpleGrid, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../messages/messages.js';
import { type AuditSearch, KINDS } from './audit-events.js';

/** Filters the entries by who, what, about what, outcome and days. */
export function AuditFilterForm({
  value,
  onChange,
}: {
  value: AuditSearch;
  onChange: (search: AuditSearch) => void;
}): ReactNode {
  const { text: record } = useTexts('audit-and-usage');
  const set = (fields: Partial<AuditSearch>): void => onChange({ ...value, ...fields });
  const input = (field: keyof AuditSearch) => ({
    size: 'xs' as const,
    value: value[field],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      set({ [field]: currentTarget.value }),
  });
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="xs">
      <TextInput label={record('audit.actor')} placeholder={record('audit.actorHint')} {...input('actor')} />
      <Select
        size="xs"
        label={record('audit.what')}
        placeholder={record('audit.everything')}
        clearable
        data={KINDS.map((kind) => ({ value: kind, label: record(`kind.${kind}`) }))}
        value={value.kind || null}
        onChange={(kind) => set({ kind: kind ?? '' })}
      />
      <TextInput
        label={record('audit.target')}
        placeholder={record('audit.targetHint')}
        {...input('target')}
      />
      <Select
        size="xs"
        label={record('audit.outcome')}
        placeholder={record('audit.all')}
        clearable
        data={[
          { value: 'ok', label: record('audit.ok') },
          { value: 'refused', label: record('audit.refused') },
        ]}
        value={value.outcome || null}
        onChange={(outcome) => set({ outcome: outcome ?? '' })}
      />
      <TextInput type="date" label={record('audit.from')} max={value.to || undefined} {...input('from')} />
      <TextInput type="date" label={record('audit.to')} min={value.from || undefined} {...input('to')} />
    </SimpleGrid>
  );
}

import { ActionIcon, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../../components/icon.js';
import { useTranslator } from '../../messages/messages.js';
import { type Condition, FIELDS, KINDS } from './search-conditions.js';

/** The API allows more; nobody types so many. */
const MAX_CONDITIONS = 10;
const NEW: Condition = { field: 'name', key: '', value: '' };

/** Conditions that the documents of a search must meet, a line each. */
export function SearchConditionsForm({
  value: conditions,
  onChange,
}: {
  value: readonly Condition[];
  onChange: (conditions: readonly Condition[]) => void;
}): ReactNode {
  const { text } = useTranslator();
  const change = (at: number, changed: Partial<Condition>): void =>
    onChange(conditions.map((one, n) => (n === at ? { ...one, ...changed } : one)));
  return (
    <Stack gap="xs" mt="xs" align="flex-start">
      {conditions.map((condition, at) => (
        // Lines have no other identity than their place.
        <Group
          key={at}
          gap="xs"
          align="flex-end"
          role="group"
          aria-label={text('search.condition', { number: at + 1 })}
        >
          <Select
            label={text('search.field')}
            w={200}
            allowDeselect={false}
            data={FIELDS.map((field) => ({ value: field, label: text(`search.field.${field}`) }))}
            value={condition.field}
            onChange={(field) =>
              change(at, { ...NEW, field: FIELDS.find((known) => known === field) ?? 'name' })
            }
          />
          {condition.field === 'metadata' && (
            <TextInput
              label={text('search.key')}
              w={160}
              value={condition.key}
              onChange={(event) => change(at, { key: event.currentTarget.value })}
            />
          )}
          <Value condition={condition} onChange={(value) => change(at, { value })} />
          <ActionIcon
            variant="subtle"
            size="lg"
            aria-label={text('search.removeCondition', { number: at + 1 })}
            onClick={() => onChange(conditions.filter((_, n) => n !== at))}
          >
            <Icon name="trash" />
          </ActionIcon>
        </Group>
      ))}
      {conditions.length < MAX_CONDITIONS && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => onChange([...conditions, NEW])}
        >
          {text('search.addCondition')}
        </Button>
      )}
    </Stack>
  );
}

function Value({
  condition: { field, value },
  onChange,
}: {
  condition: Condition;
  onChange: (value: string) => void;
}): ReactNode {
  const { text } = useTranslator();
  const label = text('search.value');
  if (field === 'type')
    return (
      <Select
        label={label}
        w={240}
        data={KINDS.map((kind) => ({ value: kind, label: text(`search.kind.${kind}`) }))}
        value={value === '' ? null : value}
        onChange={(kind) => onChange(kind ?? '')}
      />
    );
  return (
    <TextInput
      label={label}
      w={240}
      type={field === 'after' || field === 'before' ? 'date' : 'text'}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

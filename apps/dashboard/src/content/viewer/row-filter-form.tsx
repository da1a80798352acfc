import { Group, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import type { DocumentTable } from '@citewell/sdk';
import type { ReactNode } from 'react';
import { ConditionLines } from '../../components/condition-lines.js';
import { useTranslator } from '../../messages/messages.js';
import { newFilter, type RowFilter, type ShownRange, testsOf } from './row-filters.js';

type Column = DocumentTable['columns'][number];

const MAX_FILTERS = 20;

interface RowFilterFormProps {
  columns: readonly Column[];
  value: readonly RowFilter[];
  onChange: (filters: readonly RowFilter[]) => void;
}

/** The conditions that the rows of a table satisfy, a line each. */
export function RowFilterForm({ columns, value: filters, onChange }: RowFilterFormProps): ReactNode {
  const [first] = columns;
  return (
    <ConditionLines value={filters} onChange={onChange} added={first && newFilter(first)} max={MAX_FILTERS}>
      {(filter, change) => <FilterLine columns={columns} filter={filter} onChange={change} />}
    </ConditionLines>
  );
}

function FilterLine({
  columns,
  filter,
  onChange,
}: {
  columns: readonly Column[];
  filter: RowFilter;
  onChange: (filter: RowFilter) => void;
}): ReactNode {
  const { text } = useTranslator();
  const column = columns.find(({ name }) => name === filter.column);
  if (column === undefined) return null;
  const tests = testsOf(column);
  return (
    <>
      <Select
        label={text('table.column')}
        w={180}
        allowDeselect={false}
        searchable
        data={columns.map(({ name }) => name)}
        value={filter.column}
        onChange={(name) => {
          const chosen = columns.find((one) => one.name === name);
          if (chosen && chosen.name !== filter.column) onChange(newFilter(chosen));
        }}
      />
      {tests.length > 1 && (
        <Select
          label={text('table.test')}
          w={150}
          allowDeselect={false}
          data={tests.map((test) => ({ value: test, label: text(`table.test.${test}`) }))}
          value={filter.test}
          onChange={(chosen) =>
            onChange({ ...filter, test: tests.find((test) => test === chosen) ?? filter.test })
          }
        />
      )}
      <FilterValue column={column} filter={filter} onChange={onChange} />
    </>
  );
}

function FilterValue({
  column,
  filter,
  onChange,
}: {
  column: Column;
  filter: RowFilter;
  onChange: (filter: RowFilter) => void;
}): ReactNode {
  const { text } = useTranslator();
  const label = text('search.value');
  if (filter.test === 'contains')
    return (
      <TextInput
        label={label}
        w={240}
        value={filter.part}
        onChange={(event) => onChange({ ...filter, part: event.currentTarget.value })}
      />
    );
  if (filter.test !== 'range')
    return (
      <TagsInput
        label={label}
        w={280}
        splitChars={[]}
        acceptValueOnBlur
        data={[...(column.values ?? [])]}
        value={[...filter.values]}
        onChange={(values) => onChange({ ...filter, values })}
      />
    );
  const changeRange = (at: number, changed: Partial<ShownRange>): void =>
    onChange({
      ...filter,
      ranges: filter.ranges.map((range, n) => (n === at ? { ...range, ...changed } : range)),
    });
  const kind = column.type === 'date' ? { type: 'date' } : { inputMode: 'decimal' as const };
  return (
    <Stack gap={4}>
      {filter.ranges.map(({ from, to }, at) => (
        <Group key={at} gap="xs" align="flex-end">
          {at > 0 && <Text size="sm">{text('table.or')}</Text>}
          <TextInput
            {...kind}
            label={text('table.from')}
            w={150}
            value={from}
            onChange={(event) => changeRange(at, { from: event.currentTarget.value })}
          />
          <TextInput
            {...kind}
            label={text('table.to')}
            w={150}
            value={to}
            onChange={(event) => changeRange(at, { to: event.currentTarget.value })}
          />
        </Group>
      ))}
    </Stack>
  );
}

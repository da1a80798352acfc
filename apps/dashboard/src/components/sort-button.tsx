import { Group, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './icon.js';
import type { Sorting } from './sorting.js';

const ICONS = { none: 'sort', ascending: 'sortUp', descending: 'sortDown' } as const;

/** The `aria-sort` of the header of a column. */
export function ariaSort<Column extends string>(
  sorting: Sorting<Column> | null,
  column: Column,
): keyof typeof ICONS {
  if (sorting?.column !== column) return 'none';
  return sorting.isDescending ? 'descending' : 'ascending';
}

/** The content of the header of a column that can be sorted. */
export function SortButton<Column extends string>({
  label,
  column,
  sorting,
  onSort,
}: {
  label: string;
  column: Column;
  sorting: Sorting<Column> | null;
  onSort: (column: Column) => void;
}): ReactNode {
  return (
    <UnstyledButton fz="inherit" fw="inherit" c="inherit" maw="100%" onClick={() => onSort(column)}>
      <Group gap={4} wrap="nowrap">
        {label}
        <Icon name={ICONS[ariaSort(sorting, column)]} size={14} />
      </Group>
    </UnstyledButton>
  );
}

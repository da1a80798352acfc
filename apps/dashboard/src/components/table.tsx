import { Button, Group, Table, Text, VisuallyHidden, type ButtonProps } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { Icon } from './icon.js';

/** Keys scroll a table that is wider than the page. */
export const SCROLLED_BY_KEYS = { viewportProps: { tabIndex: 0 } };

/** What a list is, and the button that adds to it. */
export function ListHeader({
  children,
  add,
  onAdd,
  ...button
}: ButtonProps & { children: ReactNode; add: string; onAdd: () => void }): ReactNode {
  return (
    <Group justify="space-between" align="flex-start">
      <Text c="dimmed" maw={560}>
        {children}
      </Text>
      <Button leftSection={<Icon name="plus" size={16} />} {...button} onClick={onAdd}>
        {add}
      </Button>
    </Group>
  );
}

/** A table that scrolls sideways on a narrow screen. */
export function DataTable({
  minWidth,
  columns,
  actions,
  isDense = false,
  children,
}: {
  minWidth: number;
  /** The text of each header cell, or the cell. */
  columns: readonly ReactNode[];
  /** The label of the last column, which has buttons. */
  actions?: string;
  isDense?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <Table.ScrollContainer minWidth={minWidth} scrollAreaProps={SCROLLED_BY_KEYS}>
      <Table {...(!isDense && { verticalSpacing: 'sm' })}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column, index) =>
              typeof column === 'string' ? (
                <Table.Th key={index}>{column}</Table.Th>
              ) : (
                <Fragment key={index}>{column}</Fragment>
              ),
            )}
            {actions !== undefined && (
              <Table.Th>
                <VisuallyHidden>{actions}</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

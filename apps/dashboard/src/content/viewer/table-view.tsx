import {
  ActionIcon,
  Badge,
  Group,
  Select,
  Skeleton,
  Stack,
  Switch,
  Table,
  Text,
  VisuallyHidden,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { DocumentTable, TableCondition, TableRows } from '@citewell/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client } from '../../client.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { QueryState } from '../../components/query.js';
import { DataTable } from '../../components/table.js';
import { useTranslator } from '../../messages/messages.js';
import classes from './reader.module.css';
import { RowFilterForm } from './row-filter-form.js';
import { conditionsOf, filtersOf, type RowFilter } from './row-filters.js';

const PAGE = 50;
/** After the last key, in ms. */
const TYPING_MS = 400;
/** Width of a column that a narrow screen scrolls to, in pixels. */
const COLUMN_WIDTH = 110;

/** The tables of a document. */
export const documentTablesQuery = (datasourceId: string) =>
  queryOptions({
    queryKey: ['tables', datasourceId],
    queryFn: () => client.datasources.tables(datasourceId),
    staleTime: Infinity,
  });

interface TableViewProps {
  datasourceId: string;
  /** The table that is shown first, from 1. */
  first: number;
  /** For the rows of that table. */
  conditions: readonly TableCondition[];
}

/** A table of a document: the rows that satisfy conditions, which can be changed, their number and their figures. */
export function TableView({ datasourceId, first, conditions }: TableViewProps): ReactNode {
  const { text } = useTranslator();
  const tables = useQuery(documentTablesQuery(datasourceId));
  const [number, setNumber] = useState(first);
  const table = tables.data?.find((one) => one.number === number) ?? tables.data?.[0];
  if (!tables.isSuccess) return <QueryState of={tables} height={480} />;
  if (!table) return <Text c="dimmed">{text('table.none')}</Text>;
  return (
    <Stack>
      {tables.data.length > 1 && (
        <Select
          label={text('table.choice')}
          maw={320}
          allowDeselect={false}
          data={tables.data.map(({ number: value, name }) => ({
            value: String(value),
            label: `${value}. ${name}`,
          }))}
          value={String(table.number)}
          onChange={(value) => setNumber(Number(value))}
        />
      )}
      <FilteredRows
        key={table.number}
        datasourceId={datasourceId}
        table={table}
        conditions={table.number === first ? conditions : []}
      />
    </Stack>
  );
}

function FilteredRows({
  datasourceId,
  table,
  conditions,
}: Pick<TableViewProps, 'datasourceId' | 'conditions'> & { table: DocumentTable }): ReactNode {
  const { text, counted, number } = useTranslator();
  const [filters, setFilters] = useState<readonly RowFilter[]>(() => filtersOf(conditions, table.columns));
  const [isAll, setIsAll] = useState(false);
  const [page, setPage] = useState(0);
  const [settled] = useDebouncedValue(conditionsOf(filters, table.columns), TYPING_MS);
  const show = isAll ? 'all' : 'matching';
  const rows = useQuery({
    queryKey: ['table-rows', datasourceId, table.number, settled, show, page],
    queryFn: () =>
      client.datasources.tableRows(datasourceId, table.number, {
        conditions: [...settled],
        show,
        offset: page * PAGE,
        limit: PAGE,
      }),
    placeholderData: (previous) => previous,
    staleTime: Infinity,
  });
  const start = page * PAGE + 1;
  return (
    <Stack>
      <RowFilterForm
        columns={table.columns}
        value={filters}
        onChange={(changed) => {
          setFilters(changed);
          setPage(0);
        }}
      />
      <Switch
        label={text('table.others')}
        checked={isAll}
        onChange={(event) => {
          setIsAll(event.currentTarget.checked);
          setPage(0);
        }}
      />
      {rows.isError && <ErrorNotice error={rows.error} onRetry={() => void rows.refetch()} />}
      {rows.isPending && <Skeleton h={320} />}
      {rows.isSuccess && (
        <>
          <Text fw={600} aria-live="polite">
            {counted('table.rows', rows.data.count)}
          </Text>
          <Notes rows={rows.data} table={table} />
          <Figures figures={rows.data.figures} />
          <Rows rows={rows.data.rows} table={table} isAll={isAll} isFiltered={settled.length > 0} />
          {(page > 0 || rows.data.has_more) && (
            <Group gap="xs">
              <ActionIcon
                variant="default"
                aria-label={text('table.previous')}
                disabled={page === 0}
                onClick={() => setPage(page - 1)}
              >
                <Icon name="back" />
              </ActionIcon>
              <Text size="sm" aria-live="polite">
                {text('table.shown', {
                  from: number(start),
                  to: number(start + rows.data.rows.length - 1),
                })}
              </Text>
              <ActionIcon
                variant="default"
                aria-label={text('table.next')}
                disabled={!rows.data.has_more}
                onClick={() => setPage(page + 1)}
              >
                <Icon name="forward" />
              </ActionIcon>
            </Group>
          )}
        </>
      )}
    </Stack>
  );
}

/** What the number of the rows and the figures leave out. */
function Notes({ rows: { undated, figures }, table }: { rows: TableRows; table: DocumentTable }): ReactNode {
  const { text } = useTranslator();
  const notes = [
    ...(table.totals > 0 ? [text('table.totals')] : []),
    ...undated.map(({ column, count }) => text('table.undated', { column, count })),
    ...figures.flatMap(({ column, reason }) =>
      reason === undefined ? [] : [text(`table.reason.${reason}`, { column })],
    ),
  ];
  return notes.map((note) => (
    <Text key={note} size="sm" c="dimmed" maw={640}>
      {note}
    </Text>
  ));
}

const DECIMALS = 2;

function Figures({ figures }: { figures: TableRows['figures'] }): ReactNode {
  const { text, language } = useTranslator();
  const shown = figures.filter(({ reason }) => reason === undefined);
  if (shown.length === 0) return null;
  const written = (value: number | null, { currency, unit }: TableRows['figures'][number]): string => {
    if (value === null) return '–';
    const isCode = currency !== undefined && /^[A-Z]{3}$/.test(currency);
    const options: Intl.NumberFormatOptions = isCode
      ? { style: 'currency', currency }
      : { maximumFractionDigits: DECIMALS };
    const amount = new Intl.NumberFormat(language, options).format(Number(value.toPrecision(14)));
    const after = isCode ? undefined : (currency ?? unit);
    return after === undefined ? amount : `${amount} ${after}`;
  };
  const columns = [
    text('table.column'),
    text('table.sum'),
    text('table.average'),
    text('table.smallest'),
    text('table.largest'),
  ];
  return (
    <DataTable minWidth={480} columns={columns} isDense>
      {shown.map((one) => (
        <Table.Tr key={one.column}>
          <Table.Th scope="row" dir="auto">
            {one.column}
          </Table.Th>
          {[one.sum, one.average, one.smallest, one.largest].map((value, at) => (
            <Table.Td key={at}>{written(value, one)}</Table.Td>
          ))}
        </Table.Tr>
      ))}
    </DataTable>
  );
}

function Rows({
  rows,
  table: { columns },
  isAll,
  isFiltered,
}: {
  rows: TableRows['rows'];
  table: DocumentTable;
  isAll: boolean;
  isFiltered: boolean;
}): ReactNode {
  const { text } = useTranslator();
  if (rows.length === 0) return null;
  const names = [text('table.row'), ...columns.map(({ name }) => name)];
  return (
    <DataTable minWidth={names.length * COLUMN_WIDTH} columns={names} isDense>
      {rows.map(({ number: row, start, matches, is_total: isTotal, cells }) => (
        <Table.Tr
          key={start}
          data-matches={(isFiltered && matches) || undefined}
          className={classes['row'] ?? ''}
        >
          <Table.Th scope="row" c="dimmed" fw={400}>
            {isAll && isFiltered && matches ? (
              // Not by its colour alone.
              <Text span inherit fw={700} c="var(--mantine-color-text)">
                {row}
                <VisuallyHidden>. {text('table.matching')}</VisuallyHidden>
              </Text>
            ) : (
              row
            )}
            {isTotal && (
              <Badge size="xs" variant="default" ml={4}>
                {text('table.total')}
              </Badge>
            )}
          </Table.Th>
          {cells.map((cell, at) => (
            <Table.Td key={at} dir="auto">
              {cell}
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </DataTable>
  );
}

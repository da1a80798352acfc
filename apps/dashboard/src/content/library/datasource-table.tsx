import {
  Alert,
  Button,
  Checkbox,
  Group,
  Paper,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  TextInput,
  VisuallyHidden,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Datasource, DatasourceStatus } from '@citewell/sdk';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { ariaSort, SortButton } from '../../components/sort-button.js';
import { type SortValues, useSorting } from '../../components/sorting.js';
import { useTranslator } from '../../messages/messages.js';
import { type Upload, useUploads } from '../uploads/uploads.js';
import { Permitted, useSession } from '../../identity/sign-in/session.js';
import { type DatasourceFilter, datasourcesQuery } from '../datasources/content-queries.js';
import { displayName, urgencyOf } from '../datasources/datasource-display.js';
import { client } from '../../client.js';
import { ConfirmButton } from '../../components/confirm-button.js';
import { createLimit, duplicateOf } from '../uploads/upload-rules.js';
import { Icon } from '../../components/icon.js';
import { DatasourceRow } from './datasource-row.js';
import classes from './datasource-table.module.css';
import { UploadRow } from './upload-row.js';

const PARALLEL_REQUESTS = 4;

/** Of a row without an error, which needs more. */
const ROW_PX = 64;
/** Rows before and after the visible ones that are rendered, too. */
const OVERSCAN = 8;
/** Uploads that have a row. A folder can have thousands. */
const MAX_UPLOAD_ROWS = 50;
const STATUSES: readonly DatasourceStatus[] = ['synched', 'running', 'error'];

const COLUMNS = ['name', 'status', 'size', 'updated'] as const;
const SORT_VALUES: SortValues<Datasource, (typeof COLUMNS)[number]> = {
  name: displayName,
  status: urgencyOf,
  size: ({ stats }) => stats.bytes,
  updated: ({ timestamps }) => Date.parse(timestamps.lastSynch ?? timestamps.createdAt),
};

/** The documents of a library. Only visible rows are in the page; further ones are loaded when they are reached. */
export function DatasourceTable({
  filter,
  onAdd,
}: {
  filter: Omit<DatasourceFilter, 'status' | 'name'>;
  onAdd?: () => void;
}): ReactNode {
  const { text, counted, language } = useTranslator();
  const [status, setStatus] = useState<DatasourceStatus | 'all'>('all');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [namePart, setNamePart] = useState('');
  // The list waits for the end of a word.
  const [name] = useDebouncedValue(namePart.trim(), 300);
  const isFiltered = status !== 'all' || name !== '';
  const list = useInfiniteQuery(
    datasourcesQuery({
      ...filter,
      status: status === 'all' ? undefined : status,
      name: name === '' ? undefined : name,
    }),
  );
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? [];
  /** Without documents that the filter hides. */
  const chosen = rows.flatMap(({ id }) => (selected.has(id) ? [id] : []));
  const { sorted, sorting, sortBy } = useSorting(rows, SORT_VALUES, language);
  const isWhole = list.isSuccess && !list.hasNextPage;
  const { uploads } = useUploads();
  const pending = uploads.filter((upload) => upload.datastoreId === filter.datastoreId);

  const mayWrite = useSession().scopes.includes('write');

  const isEmpty = list.isSuccess && rows.length === 0 && pending.length === 0;
  if (isEmpty && !isFiltered)
    return (
      <EmptyState
        icon="file"
        title={text('documents.empty')}
        action={onAdd && mayWrite && <Button onClick={onAdd}>{text('library.add')}</Button>}
      >
        {onAdd && mayWrite && text('documents.emptyText')}
      </EmptyState>
    );
  return (
    <Stack gap="sm">
      <Group justify="space-between" mih={36}>
        <SegmentedControl
          size="xs"
          aria-label={text('documents.filter')}
          value={status}
          onChange={(value) => {
            setStatus(value as DatasourceStatus | 'all');
            setSelected(new Set());
          }}
          data={[
            { value: 'all', label: text('documents.filter.all') },
            ...STATUSES.map((value) => ({ value, label: text(`status.${value}`) })),
          ]}
        />
        {chosen.length > 0 && <BulkActions ids={chosen} onDone={() => setSelected(new Set())} />}
        <TextInput
          type="search"
          size="xs"
          w={{ base: '100%', xs: 240 }}
          aria-label={text('documents.find')}
          placeholder={text('documents.find')}
          leftSection={<Icon name="search" size={14} />}
          maxLength={255}
          value={namePart}
          onChange={(event) => setNamePart(event.currentTarget.value)}
        />
      </Group>
      <UploadNotices uploads={pending} />
      {list.isError && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      <Paper withBorder role="table" aria-label={text('library.documents')} aria-rowcount={-1}>
        <div role="row" className={`${classes['row']} ${classes['head']}`}>
          <div role="columnheader">
            <Permitted>
              <Checkbox
                size="xs"
                aria-label={text('documents.selectAll')}
                checked={rows.length > 0 && chosen.length === rows.length}
                indeterminate={chosen.length > 0 && chosen.length < rows.length}
                onChange={({ currentTarget }) =>
                  setSelected(new Set(currentTarget.checked ? rows.map(({ id }) => id) : []))
                }
              />
            </Permitted>
          </div>
          {COLUMNS.map((column) => {
            const label = text(`documents.${column}`);
            const sort = isWhole ? { 'aria-sort': ariaSort(sorting, column) } : {};
            return (
              <Text key={column} role="columnheader" size="xs" c="dimmed" fw={600} component="div" {...sort}>
                {isWhole ? (
                  <SortButton label={label} column={column} sorting={sorting} onSort={sortBy} />
                ) : (
                  label
                )}
              </Text>
            );
          })}
          <div role="columnheader">
            <VisuallyHidden>{text('action.more')}</VisuallyHidden>
          </div>
        </div>
        {shownUploads(pending).map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
        {pending.length > MAX_UPLOAD_ROWS && (
          <Text role="row" size="sm" c="dimmed" p="sm">
            <span role="cell">{counted('upload.more', pending.length - MAX_UPLOAD_ROWS)}</span>
          </Text>
        )}
        {list.isPending && [1, 2, 3].map((key) => <Skeleton key={key} h={ROW_PX - 16} m={8} />)}
        <VirtualRows
          rows={isWhole ? sorted : rows}
          selected={selected}
          onSelect={(id, isSelected) =>
            setSelected((current) => {
              const next = new Set(current);
              if (isSelected) next.add(id);
              else next.delete(id);
              return next;
            })
          }
          onEnd={() => {
            if (list.hasNextPage && !list.isFetching) void list.fetchNextPage();
          }}
        />
        {isEmpty && (
          <Text p="lg" c="dimmed" ta="center">
            {text('documents.emptyFilter')}
          </Text>
        )}
      </Paper>
    </Stack>
  );
}

/** The uploads that are shown: failed ones, then those under way, then those that wait. */
function shownUploads(uploads: readonly Upload[]): readonly Upload[] {
  const rank = ({ error, percent }: Upload): number => (error !== null ? 0 : percent !== null ? 1 : 2);
  return uploads.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_UPLOAD_ROWS);
}

function VirtualRows({
  rows,
  selected,
  onSelect,
  onEnd,
}: {
  rows: readonly Datasource[];
  selected: ReadonlySet<string>;
  onSelect: (id: string, isSelected: boolean) => void;
  /** The last loaded row is near. */
  onEnd: () => void;
}): ReactNode {
  const container = useRef<HTMLDivElement>(null);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN,
    scrollMargin: container.current?.offsetTop ?? 0,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - OVERSCAN) onEnd();
  });
  return (
    <div ref={container} role="rowgroup" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
      {items.map(({ index, start }) => {
        const row = rows[index];
        return (
          row && (
            <div
              key={row.id}
              ref={virtualizer.measureElement}
              data-index={index}
              className={classes['place']}
              style={{ transform: `translateY(${start - virtualizer.options.scrollMargin}px)` }}
            >
              <DatasourceRow
                row={row}
                isSelected={selected.has(row.id)}
                onSelect={(isSelected) => onSelect(row.id, isSelected)}
              />
            </div>
          )
        );
      })}
    </div>
  );
}

/** What can be done with the selected documents. */
function BulkActions({ ids, onDone }: { ids: readonly string[]; onDone: () => void }): ReactNode {
  const { text, counted } = useTranslator();
  const queryClient = useQueryClient();
  const forAll = async (action: (id: string) => Promise<unknown>): Promise<void> => {
    const inTurn = createLimit(PARALLEL_REQUESTS);
    try {
      await Promise.all(ids.map((id) => inTurn(() => action(id))));
      onDone();
    } finally {
      await queryClient.invalidateQueries({ queryKey: ['datasources'] });
    }
  };
  const sync = useMutation({ mutationFn: () => forAll((id) => client.datasources.sync(id)) });
  return (
    <Group gap="xs" role="toolbar">
      <Text size="sm" aria-live="polite">
        {counted('documents.selected', ids.length)}
      </Text>
      <Button size="xs" variant="default" loading={sync.isPending} onClick={() => sync.mutate()}>
        {text('documents.sync')}
      </Button>
      <ConfirmButton
        size="xs"
        title={counted('documents.deleteTitle', ids.length)}
        question={text('documents.deleteText')}
        confirm={text('action.delete')}
        action={() => forAll((id) => client.datasources.delete(id))}
      >
        {text('action.delete')}
      </ConfirmButton>
    </Group>
  );
}

/** What concerns several uploads: files that the library has already, and files that were left out. */
function UploadNotices({ uploads }: { uploads: readonly Upload[] }): ReactNode {
  const { text, counted } = useTranslator();
  const { leftOut, retry, dismiss, dismissLeftOut } = useUploads();
  const duplicates = uploads.flatMap((upload) => {
    const duplicate = duplicateOf(upload.error);
    return duplicate ? [{ upload, duplicate }] : [];
  });
  const button = { size: 'compact-sm', variant: 'default' } as const;
  return (
    <>
      {duplicates.length > 1 && (
        <Alert color="yellow" variant="light" icon={<Icon name="warning" />} role="status">
          <Group gap="xs">
            <Text size="sm">{counted('upload.duplicates', duplicates.length)}</Text>
            <Button
              {...button}
              onClick={() => {
                for (const { upload, duplicate } of duplicates)
                  retry(upload, { replaces: duplicate.datasourceId });
              }}
            >
              {text('upload.replaceAll')}
            </Button>
            <Button
              {...button}
              onClick={() => {
                for (const { upload } of duplicates) retry(upload, { allowsDuplicate: true });
              }}
            >
              {text('upload.keepAll')}
            </Button>
            <Button
              {...button}
              onClick={() => {
                for (const { upload } of duplicates) dismiss(upload.id);
              }}
            >
              {text('upload.cancelAll')}
            </Button>
          </Group>
        </Alert>
      )}
      {leftOut > 0 && (
        <Alert
          color="gray"
          variant="light"
          role="status"
          withCloseButton
          closeButtonLabel={text('action.close')}
          onClose={dismissLeftOut}
        >
          {counted('upload.leftOut', leftOut)}
        </Alert>
      )}
    </>
  );
}

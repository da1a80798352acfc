import {
  Badge,
  Button,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Table,
  Text,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { AuditEvent, AuditFilter, AuditRetention } from '@citewell/sdk';
import { queryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client, pagesQuery, request, saveStream } from '../../client.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { QueryState } from '../../components/query.js';
import { DataTable } from '../../components/table.js';
import { useTexts, useTranslator } from '../../messages/messages.js';

const EVENTS_PER_PAGE = 50;

/** Choices of the filter. */
const TARGET_KINDS = [
  'library',
  'document',
  'agent',
  'conversation',
  'visitor',
  'person',
  'group',
  'profile',
  'session',
  'key',
  'token',
  'passkey',
  'identity_provider',
  'model',
  'webhook',
  'evaluation',
  'usage',
  'organization',
  'audit',
  'request',
] as const;

const EMPTY_SEARCH: AuditSearch = { actor: '', kind: '', target: '', outcome: '', from: '', to: '' };

const auditQuery = (filter: AuditFilter) =>
  pagesQuery<AuditEvent>(['audit', filter], (cursor) =>
    client.session['transport']
      .list<AuditEvent>({ path: '/audit-events', query: { ...filter } }, { limit: EVENTS_PER_PAGE, cursor })
      .first(),
  );

const retentionQuery = queryOptions({
  queryKey: ['audit-retention'],
  queryFn: () => request<AuditRetention>('GET', '/audit-events/retention'),
});

const saveRetention = (retentionDays: number) =>
  request<AuditRetention>('PUT', '/audit-events/retention', { retentionDays });

/** Who did what: entries, newest first, with filters, an export and their retention. */
export function AuditPanel(): ReactNode {
  const { text: record } = useTexts('audit-and-usage');
  const [search, setSearch] = useState(EMPTY_SEARCH);
  // The filter waits for the end of a word.
  const [settled] = useDebouncedValue(search, 300);
  const filter = filterOf(settled);
  const list = useInfiniteQuery(auditQuery(filter));
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const save = useMutation({
    mutationFn: async () => saveStream(await openAuditExport(filter), 'audit-events.jsonl'),
  });
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <Text c="dimmed" maw={560}>
          {record('audit.text')}
        </Text>
        <Button
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          {record('audit.export')}
        </Button>
      </Group>
      {save.isError && <ErrorNotice error={save.error} />}
      <AuditFilterForm value={search} onChange={setSearch} />
      <QueryState of={list} height={200} />
      {list.isSuccess && rows.length === 0 && <Text c="dimmed">{record('audit.none')}</Text>}
      {rows.length > 0 && <Events rows={rows} />}
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetching} onClick={() => void list.fetchNextPage()}>
          {record('audit.more')}
        </Button>
      )}
      <Retention />
    </Stack>
  );
}

function Events({ rows }: { rows: readonly AuditEvent[] }): ReactNode {
  const { text: record } = useTexts('audit-and-usage');
  return (
    <DataTable
      minWidth={760}
      columns={[
        record('audit.time'),
        record('audit.actor'),
        record('audit.what'),
        record('audit.target'),
        record('audit.address'),
      ]}
    >
      {rows.map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </DataTable>
  );
}

function EventRow({ event }: { event: AuditEvent }): ReactNode {
  const { time, text } = useTranslator();
  const texts = useTexts('audit-and-usage');
  const { text: record, textOr: recordOr } = texts;
  const { actor, action, target, address, userAgent, outcome } = event;
  const label = recordOr(`action.${action}`, action);
  const details = detailLines(event, texts);
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <Text size="sm">{time(event.at)}</Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {actorName(actor, record, text('people.unnamed'))}
        </Text>
        {actor.kind === 'key' && actor.name !== null && (
          <Text size="xs" c="dimmed">
            {record('audit.key')}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Group gap={6}>
          <Text size="sm">{label}</Text>
          {outcome === 'refused' && (
            <Badge color="red" variant="light" size="sm">
              {record('audit.refused')}
            </Badge>
          )}
        </Group>
        {details.map((line) => (
          <Text key={line} size="xs" c="dimmed" dir="auto" style={{ overflowWrap: 'anywhere' }}>
            {line}
          </Text>
        ))}
      </Table.Td>
      <Table.Td>
        <Text
          size={target?.name ? 'sm' : 'xs'}
          dir="auto"
          style={{ overflowWrap: 'anywhere' }}
          {...(target?.id && { title: target.id })}
          {...(!target?.name && { c: 'dimmed' })}
        >
          {target?.name ?? target?.id ?? ''}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm" c="dimmed" {...(userAgent !== null && { title: userAgent })}>
          {address}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

function actorName(
  { kind, id, name }: AuditEvent['actor'],
  record: ReturnType<typeof useTexts<'audit-and-usage'>>['text'],
  unnamed: string,
): string {
  if (kind === 'operator') return record('audit.operator');
  if (kind === 'system') return record('audit.system');
  if (kind === 'person' && id !== null && name === null) return unnamed;
  return name ?? id ?? record('audit.unknown');
}

/** What has changed, and from what to what, one line for each value that is known. */
function detailLines(
  { action, target, details }: AuditEvent,
  { text, textOr }: ReturnType<typeof useTexts<'audit-and-usage'>>,
): string[] {
  const { fields, previous, names, ...values } = details;
  const changed = Array.isArray(fields) ? fields.map(String) : null;
  const before = objectOf(previous);
  const now = { ...values, ...('name' in before && { name: target?.name }) };
  const field = (name: string): string => textOr(`field.${name}`, name);
  const shown = (value: unknown): string => {
    if (typeof value === 'boolean') return text(value ? 'audit.yes' : 'audit.no');
    if (Array.isArray(value)) return value.map(shown).join(', ') || text('audit.empty');
    const name = objectOf(names)[String(value)];
    if (typeof name === 'string') return name;
    return typeof value === 'string' || typeof value === 'number' ? String(value) : text('audit.empty');
  };
  const others = (changed ?? []).filter((name) => !Object.hasOwn(now, name));
  return [
    ...Object.entries(now).map(([name, value]) =>
      Object.hasOwn(before, name)
        ? text('audit.fieldChange', { field: field(name), from: shown(before[name]), to: shown(value) })
        : text('audit.fieldValue', { field: field(name), value: shown(value) }),
    ),
    ...(others.length > 0 ? [text('audit.changedFields', { fields: others.map(field).join(', ') })] : []),
    ...(changed?.length === 0 && action.endsWith('.changed') ? [text('audit.changedNothing')] : []),
  ];
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function Retention(): ReactNode {
  const { text: record } = useTexts('audit-and-usage');
  const queryClient = useQueryClient();
  const stored = useQuery(retentionQuery);
  const [days, setDays] = useState<number | string | null>(null);
  const save = useMutation({
    mutationFn: saveRetention,
    onSuccess: async () => {
      setDays(null);
      await queryClient.invalidateQueries({ queryKey: retentionQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: ['audit'] });
    },
  });
  if (!stored.data) return null;
  const value = days ?? stored.data.retentionDays;
  return (
    <Stack gap="xs" mt="md">
      <Group align="flex-end">
        <NumberInput
          label={record('audit.retention')}
          description={record('audit.retentionText')}
          min={30}
          max={3_650}
          allowDecimal={false}
          value={value}
          onChange={setDays}
          maw={360}
        />
        <Button
          variant="default"
          disabled={days === null || typeof value !== 'number'}
          loading={save.isPending}
          onClick={() => typeof value === 'number' && save.mutate(value)}
        >
          {record('audit.save')}
        </Button>
      </Group>
      {save.isError && <ErrorNotice error={save.error} />}
    </Stack>
  );
}

/** Filters the entries by who, what, about what, outcome and days. */
function AuditFilterForm({
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
        data={TARGET_KINDS.map((kind) => ({ value: kind, label: record(`kind.${kind}`) }))}
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

/** What the filter shows. An empty text does not filter. */
interface AuditSearch {
  actor: string;
  kind: string;
  target: string;
  outcome: string;
  /** Days as `YYYY-MM-DD`, in the time zone of the browser; `to` is the last one. */
  from: string;
  to: string;
}

function filterOf({ actor, kind, target, outcome, from, to }: AuditSearch): AuditFilter {
  return {
    ...(actor.trim() && { actor: actor.trim() }),
    ...(kind && { action: kind }),
    ...(target.trim() && { target: target.trim() }),
    ...(outcome === 'ok' || outcome === 'refused' ? { outcome } : {}),
    ...(from && { from: startOfDay(from, 0) }),
    ...(to && { to: startOfDay(to, 1) }),
  };
}

function startOfDay(day: string, daysLater: number): string {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + daysLater);
  return date.toISOString();
}

async function openAuditExport(filter: AuditFilter): Promise<ReadableStream<Uint8Array>> {
  const { chunks, close } = await client.session['transport'].open({
    method: 'GET',
    path: '/exports/audit-events',
    query: { ...filter },
    accept: 'application/x-ndjson',
  });
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: close,
  });
}

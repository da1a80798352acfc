import type { AuditEvent, AuditFilter, AuditRetention } from '@citewell/sdk';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../../client.js';
import { pagesQuery } from '../../components/pages-query.js';
import { request } from '../../request.js';

const PAGE = 50;

/** Kinds of targets that can be chosen in the filter. */
export const KINDS = [
  'library',
  'document',
  'agent',
  'conversation',
  'person',
  'group',
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
] as const;

/** What the filter shows. An empty text does not filter. */
export interface AuditSearch {
  actor: string;
  kind: string;
  target: string;
  outcome: string;
  /** Days as `YYYY-MM-DD`, in the time zone of the browser; `to` is the last one. */
  from: string;
  to: string;
}

export const EVERYTHING: AuditSearch = { actor: '', kind: '', target: '', outcome: '', from: '', to: '' };

export function filterOf({ actor, kind, target, outcome, from, to }: AuditSearch): AuditFilter {
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

export const auditQuery = (filter: AuditFilter) =>
  pagesQuery<AuditEvent>(['audit', filter], (cursor) =>
    client.session['transport']
      .list<AuditEvent>({ path: '/audit-events', query: { ...filter } }, { limit: PAGE, cursor })
      .first(),
  );

export async function openAuditExport(filter: AuditFilter): Promise<ReadableStream<Uint8Array>> {
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

export const retentionQuery = queryOptions({
  queryKey: ['audit-retention'],
  queryFn: () => request<AuditRetention>('GET', '/audit-events/retention'),
});

export const saveRetention = (retentionDays: number) =>
  request<AuditRetention>('PUT', '/audit-events/retention', { retentionDays });

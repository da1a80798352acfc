import type { Schemas } from '@qdrant/js-client-rest';
import type { TenantScope } from '../vector-store.port.js';

type Filter = Schemas['Filter'];
type Condition = Schemas['FieldCondition'];

/** Points of the given datastores. */
export function tenantFilter({ organizationId, datastoreIds }: TenantScope): Filter {
  return { must: [equals('organization_id', organizationId), anyOf('datastore_id', datastoreIds)] };
}

/** Points of the given datastores, limited to datasources or groups if any are given. */
export function searchFilter(tenant: TenantScope, datasourceIds: readonly string[] = []): Filter {
  if (datasourceIds.length === 0) return tenantFilter(tenant);
  const should = [anyOf('datasource_id', datasourceIds), anyOf('group_id', datasourceIds)];
  return { ...tenantFilter(tenant), should };
}

export function runFilter(organizationId: string, runId: string): Filter {
  return { must: [equals('organization_id', organizationId), equals('run_id', runId)] };
}

export function contentFilter(
  organizationId: string,
  runId: string,
  contentHashes: readonly string[],
): Filter {
  const run = [equals('organization_id', organizationId), equals('run_id', runId)];
  return { must: [...run, anyOf('content_hash', contentHashes)] };
}

/** Points of a datasource, or of the pages of a group. */
export function datasourceFilter(organizationId: string, datasourceId: string): Filter {
  return {
    must: [equals('organization_id', organizationId)],
    should: [equals('datasource_id', datasourceId), equals('group_id', datasourceId)],
  };
}

function equals(key: string, value: string): Condition {
  return { key, match: { value } };
}

function anyOf(key: string, values: readonly string[]): Condition {
  return { key, match: { any: [...values] } };
}

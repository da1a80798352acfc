import {
  type CreateDatastore,
  type Datastore,
  type DatastoreProgress,
  type DatastoreQuery,
  type DatastoreQueryItem,
  datastoreTypeSchema,
  type DocumentChange,
  type ListChanges,
  type ListedDatastore,
  type PageQuery,
  type SearchExplanation,
  type UpdateDatastore,
  visibilitySchema,
} from '@citewell/contracts/schemas';
import {
  type DatasourceCounts,
  type DatastoreEntity,
  type DatastoreFields,
  DatastoreRepository,
  DocumentChangeRepository,
  type ProgressCounts,
  type TenantScope,
} from '@citewell/database';
import { analyzedQuestions } from '@citewell/retrieval';
import { Inject, Injectable } from '@nestjs/common';
import { found, onlyNamed, unwrap } from '../../http/api-error.js';
import { hashOf, IdempotencyService } from '../../http/idempotency.service.js';
import { toQueryItem } from '../../answering/search/passage.mapper.js';
import { Search } from '../../answering/search/search.service.js';
import { SearchExplainer } from '../../answering/search/search-explainer.service.js';
import { readersErrors } from './readers.service.js';

const SECONDS_PER_MINUTE = 60;

const DEFAULT_TOP_K = 5;

/** Creates, reads, changes, deletes and searches datastores. */
@Injectable()
export class DatastoresService {
  constructor(
    @Inject(DatastoreRepository) private readonly datastores: DatastoreRepository,
    @Inject(DocumentChangeRepository) private readonly documentChanges: DocumentChangeRepository,
    @Inject(Search) private readonly search: Search,
    @Inject(SearchExplainer) private readonly explainer: SearchExplainer,
    @Inject(IdempotencyService) private readonly idempotency: IdempotencyService,
  ) {}

  async create(tenant: TenantScope, body: CreateDatastore, idempotencyKey?: string): Promise<Datastore> {
    return this.idempotency.once(tenant, 'POST /datastores', idempotencyKey, async () => ({
      hash: () => hashOf(body),
      execute: async () => {
        const fields = { ...definedFields(body), name: body.name };
        return toDatastore(
          unwrap(await this.datastores.create(tenant, fields, body.readers), readersErrors('readers.')),
        );
      },
    }));
  }

  async list(tenant: TenantScope, page: PageQuery): Promise<Datastore[]> {
    return (await this.datastores.list(tenant, page)).map(toDatastore);
  }

  async get(tenant: TenantScope, id: string): Promise<Datastore> {
    return toDatastore(found(await this.datastores.find(tenant, id), 'datastore'));
  }

  /** @throws {@link ApiError} `NOT_FOUND`, or `CONFLICT` if several datastores have this name */
  async getByIdOrName(tenant: TenantScope, idOrName: string): Promise<Datastore> {
    const byId = await this.datastores.find(tenant, idOrName);
    return toDatastore(byId ?? onlyNamed(await this.datastores.findByName(tenant, idOrName, 2), 'datastore'));
  }

  async withCounts(tenant: TenantScope, datastores: readonly Datastore[]): Promise<ListedDatastore[]> {
    const counts = await this.datastores.countDatasources(
      tenant,
      datastores.map(({ id }) => id),
    );
    return datastores.map((datastore) => ({
      ...datastore,
      documents: toDocumentCounts(counts.get(datastore.id)),
    }));
  }

  async progress(tenant: TenantScope, id: string): Promise<DatastoreProgress> {
    const datastore = found(await this.datastores.find(tenant, id), 'datastore');
    return toProgress(await this.datastores.progress(tenant, datastore.id));
  }

  async changes(tenant: TenantScope, id: string, { since, ...page }: ListChanges): Promise<DocumentChange[]> {
    const datastore = found(await this.datastores.find(tenant, id), 'datastore');
    const rows = await this.documentChanges.list(tenant, datastore.id, {
      ...page,
      since: since === undefined ? undefined : new Date(since),
    });
    return rows.map(({ at, sentences, ...row }) => ({
      ...row,
      at: at.toISOString(),
      sentences: sentences && { ...sentences, added: [...sentences.added], removed: [...sentences.removed] },
    }));
  }

  async update(tenant: TenantScope, id: string, body: UpdateDatastore): Promise<Datastore> {
    return toDatastore(found(await this.datastores.update(tenant, id, definedFields(body)), 'datastore'));
  }

  async remove(tenant: TenantScope, id: string): Promise<Datastore> {
    return toDatastore(found(await this.datastores.markDeleted(tenant, id), 'datastore'));
  }

  async query(
    tenant: TenantScope,
    id: string,
    { query, topK, minScore, filters }: DatastoreQuery,
  ): Promise<DatastoreQueryItem[]> {
    const datastore = found(await this.datastores.find(tenant, id), 'datastore');
    const limit = topK ?? DEFAULT_TOP_K;
    const result = await this.search.find(tenant, [datastore], analyzedQuestions(query), { limit, filters });
    return result.passages
      .filter(({ score }) => score >= (minScore ?? 0))
      .slice(0, limit)
      .toSorted((a, b) => b.score - a.score)
      .map(toQueryItem);
  }

  /** The same search as {@link query}, with the ranking of each leg. */
  async explain(tenant: TenantScope, id: string, query: DatastoreQuery): Promise<SearchExplanation> {
    const datastore = found(await this.datastores.find(tenant, id), 'datastore');
    return this.explainer.explain(tenant, datastore, query, query.topK ?? DEFAULT_TOP_K);
  }
}

function toDatastore(datastore: DatastoreEntity): Datastore {
  return {
    id: datastore.id,
    name: datastore.name,
    description: datastore.description,
    type: datastoreTypeSchema.parse(datastore.type),
    visibility: visibilitySchema.parse(datastore.visibility),
    readers: datastore.readers,
    timestamps: {
      createdAt: datastore.createdAt.toISOString(),
      updatedAt: datastore.updatedAt.toISOString(),
    },
  };
}

function toDocumentCounts({
  unsynched = 0,
  running = 0,
  synched = 0,
  error = 0,
  usage_limit_reached = 0,
}: DatasourceCounts = {}): ListedDatastore['documents'] {
  const inProgress = unsynched + running;
  const failed = error + usage_limit_reached;
  return { total: inProgress + synched + failed, inProgress, failed };
}

/** The fields that are given. In an update, the others keep their value. */
function definedFields({ name, description, type, visibility }: UpdateDatastore): DatastoreFields {
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(type === undefined ? {} : { type }),
    ...(visibility === undefined ? {} : { visibility }),
  };
}

/** The progress of a datastore, and the remaining time at its speed of the last minutes. */
export function toProgress({ counts, recent, recentSeconds }: ProgressCounts): DatastoreProgress {
  const { unsynched = 0, running = 0, synched = 0, error = 0, usage_limit_reached = 0 } = counts;
  const left = unsynched + running;
  // The time since the first one is that of those after it.
  const perSecond = recent > 1 && recentSeconds > 0 ? (recent - 1) / recentSeconds : null;
  return {
    total: left + synched + error + usage_limit_reached,
    statuses: { unsynched, running, synched, error, usage_limit_reached },
    documentsPerMinute: perSecond === null ? null : Math.round(perSecond * SECONDS_PER_MINUTE * 10) / 10,
    etaSeconds: etaSeconds(left, perSecond),
  };
}

function etaSeconds(left: number, perSecond: number | null): number | null {
  if (left === 0) return 0;
  return perSecond === null ? null : Math.ceil(left / perSecond);
}

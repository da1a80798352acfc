import type { TenantScope } from '@citewell/database';
import type { RerankModel } from '@citewell/models';

/** What orders the passages for a question. */
export interface Reranker {
  /** The model for the questions of an organization. Null if passages keep the order of the search. */
  modelOf(tenant: TenantScope): Promise<RerankModel | null>;
  /** Frees what the model holds. */
  close?(): void;
}

/** One model for all organizations. */
export function sharedReranker(model: RerankModel): Reranker {
  return { modelOf: async () => model };
}

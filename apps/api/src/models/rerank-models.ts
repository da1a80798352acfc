import type { TenantScope } from '@citewell/database';
import type { RerankModel } from '@citewell/models';
import { Inject, Injectable } from '@nestjs/common';
import { RERANK_MODEL } from './open-rerank-model.js';
import { RerankSetting } from './rerank-setting.js';
import type { Reranker } from './reranker.js';

/** The rerank model of the environment or, without one, that of the settings. */
@Injectable()
export class RerankModels {
  constructor(
    @Inject(RERANK_MODEL) private readonly fixed: Reranker | null,
    @Inject(RerankSetting) private readonly setting: Pick<RerankSetting, 'current'>,
  ) {}

  /** The model for the questions of an organization. Null if passages keep the order of the search. */
  async of(tenant: TenantScope): Promise<RerankModel | null> {
    const reranker = this.fixed ?? this.setting.current?.opened;
    return reranker ? reranker.modelOf(tenant) : null;
  }
}

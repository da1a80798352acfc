import type { Config } from '@citewell/config';
import type { TenantScope } from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import type { RerankModel } from '@citewell/models';
import { Inject, Injectable } from '@nestjs/common';
import { RERANK_MODEL } from './open-rerank-model.js';
import type { Reranker } from './reranker.js';
import { RerankSetting } from './rerank-setting.js';

/** The rerank model of the environment or, without one, that of the settings. */
@Injectable()
export class RerankModels {
  constructor(
    @Inject(RERANK_MODEL) private readonly fixed: Reranker | null,
    @Inject(RerankSetting) private readonly setting: Pick<RerankSetting, 'current' | 'problem'>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'RERANK_MODEL'>,
  ) {}

  /** The name of the model, as in `RERANK_MODEL`. Null without a model. */
  get name(): string | null {
    const { current } = this.setting;
    return this.config.RERANK_MODEL ?? (current && (current.model || current.provider));
  }

  /** Why the model of the settings does not work. */
  get problem(): string | null {
    return this.setting.problem;
  }

  /** The model for the questions of an organization. Null if passages keep the order of the search. */
  async of(tenant: TenantScope): Promise<RerankModel | null> {
    const reranker = this.fixed ?? this.setting.current?.opened;
    return reranker ? reranker.modelOf(tenant) : null;
  }
}

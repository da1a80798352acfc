import type { RerankModel } from '@citewell/models';
import { Inject, Injectable } from '@nestjs/common';
import { RERANK_MODEL } from './open-rerank-model.js';
import { RerankSetting } from './rerank-setting.js';

/** The rerank model of the environment or, without one, that of the settings. */
@Injectable()
export class RerankModels {
  constructor(
    @Inject(RERANK_MODEL) private readonly fixed: RerankModel | null,
    @Inject(RerankSetting) private readonly setting: RerankSetting,
  ) {}

  /** Null if passages keep the order of the search. */
  get current(): RerankModel | null {
    return this.fixed ?? this.setting.current?.opened ?? null;
  }
}

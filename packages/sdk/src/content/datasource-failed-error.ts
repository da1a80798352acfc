import { CitewellError } from '../citewell-error.js';
import type { Datasource } from '@citewell/contracts';

/**
 * The run of a datasource ended, and its status is not `synched`. `code` and `message` are from its `error`.
 */
export class DatasourceFailedError extends CitewellError {
  constructor(readonly datasource: Datasource) {
    super(
      datasource.error?.code ?? datasource.status.toUpperCase(),
      datasource.error?.message ?? `The datasource is not synched. Its status is ${datasource.status}.`,
    );
    this.name = 'DatasourceFailedError';
  }
}

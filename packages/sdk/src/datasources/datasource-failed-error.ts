import { CitewellError } from '../citewell-error.js';
import type { Datasource } from '../wire.types.js';

/** A datasource that did not get `synched`; `code` and `message` are those of its `error`. */
export class DatasourceFailedError extends CitewellError {
  constructor(readonly datasource: Datasource) {
    super(
      datasource.error?.code ?? datasource.status.toUpperCase(),
      datasource.error?.message ?? `The datasource ended as ${datasource.status}.`,
    );
    this.name = 'DatasourceFailedError';
  }
}

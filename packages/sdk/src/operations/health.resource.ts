import type { RequestOptions, Transport } from '../http/transport.js';
import type { HealthReport } from '@citewell/contracts';

/** The health of the server. Requires a key with the scope `admin` and throws `CitewellError`. */
export class HealthReports {
  constructor(private readonly transport: Transport) {}

  /** The dependencies of the server, and contradictions in the data of the organization. */
  get(options?: RequestOptions): Promise<HealthReport> {
    return this.transport.json({ method: 'GET', path: '/health-report', options });
  }
}

import type { WebFetchError } from '@citewell/web';
import type { Fetch } from '@citewell/web/remote-fetch';
import { ModelError } from './model.error.js';

/** The networks that model servers may be in whose addresses are settings. Those of the environment are not limited. */
export class ModelNetworks {
  private guarded: Promise<Fetch> | undefined;

  /**
   * @param allowed private networks in CIDR notation; public addresses are always allowed
   * @param variable the variable that the operator allows networks with
   */
  constructor(
    private readonly allowed: readonly string[],
    private readonly variable: 'MODEL_NETWORKS' | 'ORGANIZATION_MODEL_NETWORKS' = 'MODEL_NETWORKS',
  ) {}

  /** Connects to the allowed addresses only. */
  readonly fetch: Fetch = async (input, init) => {
    this.guarded ??= import('@citewell/web').then(({ guardedFetch }) => guardedFetch(this.allowed));
    return (await this.guarded)(input, init);
  };

  /** @throws ModelError (`permanent`) with a sentence for the person who entered the address */
  async requirePermitted(address: string): Promise<void> {
    const { requirePermittedAddress, WebFetchError } = await import('@citewell/web');
    try {
      await requirePermittedAddress(address, this.allowed);
    } catch (error) {
      if (!(error instanceof WebFetchError)) throw error;
      throw new ModelError('permanent', this.sentenceOf(error), { cause: error });
    }
  }

  /** The sentences of the crawler do not fit everywhere. */
  private sentenceOf({ code, userMessage }: WebFetchError): string {
    if (code === 'PORT_BLOCKED') return 'The port of the address belongs to another service.';
    if (code !== 'ADDRESS_BLOCKED') return userMessage;
    return `The address leads to a private network. The operator can allow the network with the variable ${this.variable}.`;
  }
}

import type { WebFetchErrorCode } from '@citewell/web';
import type { Fetch } from '@citewell/web/remote-fetch';
import { ModelError } from './model.error.js';

/** Where those of the crawler do not fit. */
const SENTENCES: Partial<Record<WebFetchErrorCode, string>> = {
  ADDRESS_BLOCKED:
    'The address leads to a private network. The operator can allow the network with the variable MODEL_NETWORKS.',
  PORT_BLOCKED: 'The port of the address belongs to another service.',
};

/** The networks that model servers may be in whose addresses are settings. Those of the environment are not limited. */
export class ModelNetworks {
  private guarded: Promise<Fetch> | undefined;

  /** @param allowed private networks in CIDR notation; public addresses are always allowed */
  constructor(private readonly allowed: readonly string[]) {}

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
      const sentence = SENTENCES[error.code] ?? error.userMessage;
      throw new ModelError('permanent', sentence, { cause: error });
    }
  }
}

import type { Config } from '@citewell/config';
import { webhookDeliveryErrorSchema, type WebhookPayload } from '@citewell/contracts/schemas';
import { type ClaimedDelivery, OrganizationRepository, type TenantScope } from '@citewell/database';
import { type AllowedNetworks, CONFIG, networksOf } from '@citewell/infrastructure';
import { guardedFetch, requirePermittedAddress, transportError, WebFetchError } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import { invalid } from '../../http/api-error.js';
import type { Attempt } from './attempt-outcome.js';
import { WebhookSecrets } from './webhook-secrets.service.js';

const TIME_LIMIT_MS = 15_000;

/** Sends messages to the addresses of organizations: to the Internet, and to the networks that the operator allows. */
@Injectable()
export class WebhookClient {
  private readonly fetches: Readonly<Record<AllowedNetworks['variable'], ReturnType<typeof guardedFetch>>>;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(OrganizationRepository) private readonly organizations: Pick<OrganizationRepository, 'first'>,
    @Inject(WebhookSecrets) private readonly secrets: WebhookSecrets,
  ) {
    this.fetches = {
      MODEL_NETWORKS: guardedFetch(config.MODEL_NETWORKS ?? []),
      ORGANIZATION_MODEL_NETWORKS: guardedFetch(config.ORGANIZATION_MODEL_NETWORKS),
    };
  }

  private networksOf(organizationId: string): Promise<AllowedNetworks> {
    return networksOf(organizationId, this.organizations, this.config, { isWebhook: true });
  }

  /** Checks an address before it is stored. It is checked again at each connection. @throws ApiError `INVALID_REQUEST` */
  async requirePermitted({ organizationId }: TenantScope, url: string): Promise<void> {
    const { networks, variable } = await this.networksOf(organizationId);
    try {
      await requirePermittedAddress(url, networks);
    } catch (error) {
      if (error instanceof WebFetchError) throw invalid('url', problemOf(error, variable));
      throw error;
    }
  }

  /** Makes one attempt. What the endpoint sends besides its status is not read. @returns null if it was aborted */
  async send(delivery: ClaimedDelivery, shutdown: AbortSignal): Promise<Attempt | null> {
    const { organizationId, webhookId, sealedSecret, previousSealedSecret, url } = delivery;
    const secret = await this.secrets.open(organizationId, webhookId, sealedSecret);
    if (secret === null) return { error: 'SECRET_UNREADABLE' };
    const previous =
      previousSealedSecret && (await this.secrets.open(organizationId, webhookId, previousSealedSecret));
    const message = signedMessage(delivery, previous ? [secret, previous] : [secret], new Date());
    const { variable } = await this.networksOf(organizationId);
    const timeLimit = AbortSignal.timeout(TIME_LIMIT_MS);
    const signal = AbortSignal.any([shutdown, timeLimit]);
    try {
      const response = await this.fetches[variable](url, {
        method: 'POST',
        redirect: 'manual',
        signal,
        ...message,
      });
      // Ends the connection if the body is long.
      await response.body?.cancel().catch(() => undefined);
      return { responseStatus: response.status };
    } catch (error) {
      if (shutdown.aborted) return null;
      if (timeLimit.aborted) return { error: 'TIMEOUT' };
      const { data: code } = webhookDeliveryErrorSchema
        .exclude(['HTTP_STATUS'])
        .safeParse(transportError(error).code);
      return { error: code ?? 'CONNECTION_FAILED' };
    }
  }
}

/** Completes a sentence that begins with the name of the field. The sentences of the crawler do not fit everywhere. */
function problemOf({ code, userMessage }: WebFetchError, variable: string): string {
  if (code === 'PORT_BLOCKED') return 'has a port that belongs to another service';
  if (code !== 'ADDRESS_BLOCKED') return `cannot be used: ${userMessage.replace(/\.$/, '')}`;
  return `leads to a private network. The operator can allow the network with the variable ${variable}`;
}

/** A message as it is sent: the signature is that of exactly this body. */
interface SignedMessage {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A message in the format of Standard Webhooks.
 *
 * @param secrets with `whsec_`. Each signs, so that a receiver with any of them accepts the message
 * @param sentAt of this attempt. Receivers refuse messages that are older than a few minutes
 */
export function signedMessage(
  { id, type, data, createdAt }: Pick<ClaimedDelivery, 'id' | 'type' | 'data' | 'createdAt'>,
  secrets: readonly string[],
  sentAt: Date,
): SignedMessage {
  const payload: WebhookPayload = { type, timestamp: createdAt.toISOString(), data };
  const body = JSON.stringify(payload);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Citewell-Webhooks',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, sentAt, body)).join(' '),
    },
  };
}

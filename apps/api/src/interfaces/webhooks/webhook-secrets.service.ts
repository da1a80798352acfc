import { randomBytes } from 'node:crypto';
import { SecretError, Secrets } from '@citewell/infrastructure';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../http/api-error.js';

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** The secrets that sign messages. They are stored encrypted, each for one endpoint. */
@Injectable()
export class WebhookSecrets {
  constructor(@Inject(Secrets) private readonly secrets: Secrets) {}

  /** @throws {@link ApiError} `CONFLICT` if a secret cannot be stored */
  async create(organizationId: string, webhookId: string): Promise<{ secret: string; sealed: string }> {
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    try {
      return { secret, sealed: await this.secrets.seal(secret, purposeOf(organizationId, webhookId)) };
    } catch (error) {
      if (error instanceof SecretError) throw new ApiError('CONFLICT', error.message);
      throw error;
    }
  }

  /** @returns null if the secret cannot be decrypted, for example after a restore without the key */
  async open(organizationId: string, webhookId: string, sealed: string): Promise<string | null> {
    try {
      return await this.secrets.open(sealed, purposeOf(organizationId, webhookId));
    } catch (error) {
      if (error instanceof SecretError) return null;
      throw error;
    }
  }
}

function purposeOf(organizationId: string, webhookId: string): string {
  return JSON.stringify(['webhook', organizationId, webhookId]);
}

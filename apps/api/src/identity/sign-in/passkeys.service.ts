import type { IncomingHttpHeaders } from 'node:http';
import type { CreatePasskey, Passkey } from '@citewell/contracts/schemas';
import { AccountRepository, type PasskeyEntity, PasskeyRepository } from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found, invalid } from '../../http/api-error.js';
import { type Caller, personOf } from '../../http/caller.js';
import { isPassword } from './passwords.js';
import { SignInLimiter } from './sign-in-limiter.js';
import { type Begun, PasskeyCeremony } from './passkey-ceremony.service.js';

/** The passkeys of the account that is signed in. */
@Injectable()
export class PasskeysService {
  constructor(
    @Inject(AccountRepository) private readonly accounts: AccountRepository,
    @Inject(PasskeyRepository) private readonly passkeys: PasskeyRepository,
    @Inject(PasskeyCeremony) private readonly ceremony: PasskeyCeremony,
    @Inject(SignInLimiter) private readonly limiter: SignInLimiter,
  ) {}

  async list(caller: Caller): Promise<Passkey[]> {
    return (await this.passkeys.ofAccount(accountOf(caller))).map(toPasskey);
  }

  /**
   * A session alone, which may have been stolen, makes no passkey that outlives it.
   *
   * @param client the headers and the address of the request
   * @throws {@link ApiError} `INVALID_REQUEST` for a wrong password; `FORBIDDEN` without account; `RATE_LIMIT`
   */
  async begin(
    caller: Caller,
    currentPassword: string,
    { headers, ip }: { headers: IncomingHttpHeaders; ip: string },
  ): Promise<Begun> {
    const account = found(await this.accounts.find(accountOf(caller)), 'account');
    const name = (await this.accounts.emailOf(account.id)) ?? account.id;
    const takeBack = this.limiter.count(ip, name);
    if (!(await isPassword(currentPassword, account.passwordHash)))
      throw invalid('currentPassword', 'is wrong');
    takeBack();
    return this.ceremony.beginRegistration({ id: account.id, name }, headers);
  }

  async create(caller: Caller, body: CreatePasskey, headers: IncomingHttpHeaders): Promise<Passkey> {
    return toPasskey(await this.ceremony.finishRegistration(accountOf(caller), body, headers));
  }

  async remove(caller: Caller, id: string): Promise<Passkey> {
    return toPasskey(found(await this.passkeys.remove(accountOf(caller), id), 'passkey'));
  }
}

function accountOf(caller: Caller): string {
  const { accountId } = personOf(caller);
  if (accountId !== null) return accountId;
  throw new ApiError('FORBIDDEN', 'Sign in with e-mail and password to see and change passkeys.');
}

function toPasskey({ id, name, createdAt, lastUsedAt }: PasskeyEntity): Passkey {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
}

import type { CreateToken, Token, TokenWithSecret } from '@citewell/contracts/schemas';
import { type ApiKeyEntity, describeKey, generateKey, TokenRepository } from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found, invalid, notFound, unwrap } from '../../http/api-error.js';
import { type Caller, personOf } from '../../http/caller.js';

const DAY_MS = 24 * 60 * 60_000;
/** Of one person. */
const MAX_TOKENS = 50;

/** Creates, lists and revokes the tokens of the person who is signed in. A token creates no tokens. */
@Injectable()
export class TokensService {
  constructor(@Inject(TokenRepository) private readonly tokens: TokenRepository) {}

  /**
   * @throws {@link ApiError} `FORBIDDEN` for API keys and tokens; `INVALID_REQUEST` for a scope that the role lacks; `CONFLICT`
   * with too many tokens
   */
  async create(caller: Caller, { name, scopes, expiresInDays }: CreateToken): Promise<TokenWithSecret> {
    const { id } = personOf(caller);
    const lacking = scopes.find((scope) => !caller.scopes.has(scope));
    if (lacking !== undefined) throw invalid('scopes', `must be scopes of your role, which lacks ${lacking}`);
    const token = generateKey();
    const expiresAt = new Date(Date.now() + expiresInDays * DAY_MS);
    const fields = { name, scopes: [...new Set(scopes)], expiresAt, ...describeKey(token) };
    const created = await this.tokens.create(caller.tenant, id, fields, MAX_TOKENS);
    const entity = unwrap(created, {
      'person-removed': () => notFound('person'),
      'too-many': () =>
        new ApiError('CONFLICT', `You have ${MAX_TOKENS} tokens. Revoke one that you do not use.`),
    });
    return { ...toToken(entity), token };
  }

  async list(caller: Caller): Promise<Token[]> {
    return (await this.tokens.list(caller.tenant, personOf(caller).id)).map(toToken);
  }

  async remove(caller: Caller, id: string): Promise<Token> {
    const token = found(await this.tokens.remove(caller.tenant, personOf(caller).id, id), 'token');
    return toToken(token);
  }
}

function toToken({ id, name, prefix, scopes, expiresAt, createdAt }: ApiKeyEntity): Token {
  return {
    id,
    name,
    prefix,
    scopes,
    expiresAt: (expiresAt ?? createdAt).toISOString(),
    createdAt: createdAt.toISOString(),
  };
}

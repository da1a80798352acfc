import { SCIM, type Scope } from '@citewell/contracts/schemas';
import type { PublishableKey, TenantScope } from '@citewell/database';
import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';

/** A person, and the session of the request. */
export interface SignedInPerson {
  id: string;
  sessionId: string;
  /** Null unless the session was begun with the credentials of an account. */
  accountId: string | null;
  /** Name of the identity provider at which the session began. Null: here. */
  identityProvider: string | null;
}

/** The tenant that sends a request, and the scopes of its API key or person. */
export interface Caller {
  /** The id of the API key, or of the person. Limits are counted by it. */
  keyId: string;
  /** Null unless the request belongs to the session of a person. */
  person: SignedInPerson | null;
  tenant: TenantScope;
  scopes: ReadonlySet<string>;
  /** Null unless the key is publishable. */
  publishable: PublishableKey | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the authentication hook, except on public routes and routes of the admin key, and by signing in and out. */
    caller?: Caller | undefined;
  }
  interface FastifyContextConfig {
    /** Set by the decorators of the route. The server does not start with a route without access. */
    access?: Access;
  }
}

/** Parameter decorator: the caller. */
export const Authenticated = createParamDecorator((_: unknown, context: ExecutionContext): Caller =>
  callerOf(context),
);

/** Parameter decorator: the caller's tenant. */
export const Tenant = createParamDecorator(
  (_: unknown, context: ExecutionContext): TenantScope => callerOf(context).tenant,
);

function callerOf(context: ExecutionContext): Caller {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!caller) throw new Error('A route without authentication has a parameter of the caller');
  return caller;
}

/**
 * Who may use a route: everybody, the operator with the admin key, callers with any API key, or callers whose API key
 * has a scope. Publishable keys have no scope, and may only use routes that are open to them.
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'admin-key' }
  | { kind: 'key' }
  | { kind: 'scope'; scope: Scope | typeof SCIM; isOpenToPublishableKeys?: true };

/** Metadata key of a route's {@link Access}. */
export const ACCESS = 'access';

// Fastify's hooks run before Nest's guards, and before the body is read. They find the access in the route's config.
const access = (value: Access): MethodDecorator =>
  applyDecorators(SetMetadata(ACCESS, value), RouteConfig({ access: value }));

/** A route that needs no key. */
export const Public = (): MethodDecorator => access({ kind: 'public' });

/** A route that needs the operator's admin key. */
export const RequireAdminKey = (): MethodDecorator => access({ kind: 'admin-key' });

/** A route that needs an API key or a session, whatever its scopes; not a publishable key. */
export const RequireKey = (): MethodDecorator => access({ kind: 'key' });

/** The scope that a key needs for a route. */
export const RequireScope = (scope: Scope): MethodDecorator => access({ kind: 'scope', scope });

/** A route of SCIM, for keys of identity providers alone. */
export const RequireScim = (): MethodDecorator => access({ kind: 'scope', scope: SCIM });

/** A route about the agent `:id` that needs the scope, or a publishable key of this agent. */
export const RequireScopeOrPublishableKey = (scope: Scope): MethodDecorator =>
  access({ kind: 'scope', scope, isOpenToPublishableKeys: true });

/** @throws {@link ApiError} `FORBIDDEN` if the caller lacks the scope */
export function assertScope({ scopes, person, tenant }: Caller, scope: Scope | typeof SCIM): void {
  if (scopes.has(scope)) return;
  const who = person
    ? 'role of this person'
    : tenant.reader
      ? 'token, or the role of its person,'
      : 'API key';
  throw new ApiError('FORBIDDEN', `The ${who} lacks the scope ${scope}.`);
}

/** Returns the person who is signed in. @throws {@link ApiError} `FORBIDDEN` for tokens, for API keys and for their sessions */
export function personOf({ person }: Caller): SignedInPerson {
  if (person) return person;
  throw new ApiError('FORBIDDEN', 'API keys and tokens have no profile. Sign in as a person.');
}

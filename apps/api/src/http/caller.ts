import type { Scope } from '@citewell/contracts/http';
import type { TenantScope } from '@citewell/database';
import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The tenant that sends a request, and the scopes of its API key. */
export interface Caller {
  keyId: string;
  tenant: TenantScope;
  scopes: ReadonlySet<string>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the authentication hook, except on public routes and routes of the admin key. */
    caller?: Caller;
    /** Set when the request has the admin key. */
    isAdmin?: boolean;
  }
}

/** Parameter decorator: the caller's tenant. */
export const Tenant = createParamDecorator((_: unknown, context: ExecutionContext): TenantScope => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!caller) throw new Error('A route without authentication has a tenant parameter');
  return caller.tenant;
});

export const ACCESS = 'access';

/** A route that needs no key. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(ACCESS, 'public');

/** A route that needs the operator's admin key. */
export const RequireAdminKey = (): MethodDecorator & ClassDecorator => SetMetadata(ACCESS, 'admin');

export const REQUIRED_SCOPE = 'requiredScope';

/** The scope that a key needs for a route, or for all routes of a controller. */
export const RequireScope = (scope: Scope): MethodDecorator & ClassDecorator =>
  SetMetadata(REQUIRED_SCOPE, scope);

import type { Scope } from '@citewell/contracts/http';
import type { TenantScope } from '@citewell/database';
import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Who calls: the tenant, and what its key may do. */
export interface Caller {
  keyId: string;
  tenant: TenantScope;
  scopes: ReadonlySet<string>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the authentication hook on every path but public ones and those of the admin key. */
    caller?: Caller;
    /** Set when the request came with the admin key. */
    isAdmin?: boolean;
  }
}

/** The caller's tenant, as a parameter of a route. */
export const Tenant = createParamDecorator((_: unknown, context: ExecutionContext): TenantScope => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!caller) throw new Error('A route without authentication asks for its tenant');
  return caller.tenant;
});

export const ACCESS = 'access';

/** A route for everybody, without a key. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(ACCESS, 'public');

/** A route for the operator, with the admin key. */
export const RequireAdminKey = (): MethodDecorator & ClassDecorator => SetMetadata(ACCESS, 'admin');

export const REQUIRED_SCOPE = 'requiredScope';

/** What a key must be allowed, to use the routes of a controller or one route. */
export const RequireScope = (scope: Scope): MethodDecorator & ClassDecorator =>
  SetMetadata(REQUIRED_SCOPE, scope);

import type { Scope } from '@citewell/contracts/http';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';
import { ACCESS, REQUIRED_SCOPE } from './caller.js';

/**
 * Checks that the caller may use the route. A route without an access decorator is closed. The guard repeats
 * the checks of the authentication hook, so that an error in one of them does not open a route.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(@Inject(Reflector) private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    const access = this.reflector.getAllAndOverride<'public' | 'admin' | undefined>(ACCESS, targets);
    const { caller, isAdmin } = context.switchToHttp().getRequest<FastifyRequest>();
    if (access === 'public') return true;
    if (access === 'admin') {
      if (isAdmin) return true;
      throw new ApiError('UNAUTHORIZED', 'This endpoint requires the admin key.');
    }
    const required = this.reflector.getAllAndOverride<Scope | undefined>(REQUIRED_SCOPE, targets);
    if (!caller) throw new ApiError('UNAUTHORIZED', 'Send a valid API key as "Authorization: Bearer <key>".');
    if (required !== undefined && caller.scopes.has(required)) return true;
    throw new ApiError('FORBIDDEN', `The API key lacks the scope ${required ?? 'of this route'}.`);
  }
}

import type { Scope } from '@citewell/contracts/http';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';
import { REQUIRED_SCOPE } from './caller.js';

/** Refuses a good key that may not do this. */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(@Inject(Reflector) private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const required = this.reflector.getAllAndOverride<Scope | undefined>(REQUIRED_SCOPE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (required === undefined) return true;
    const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
    if (caller?.scopes.has(required)) return true;
    throw new ApiError('FORBIDDEN', `This key may not do that: it lacks the scope ${required}.`);
  }
}

import type { FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';

export const SCIM_MEDIA_TYPE = 'application/scim+json; charset=utf-8';

/** RFC 7644, section 3.12. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'uniqueness';

/** An error that clients of SCIM tell apart by its type. */
export class ScimError extends ApiError {
  constructor(
    readonly scimType: ScimType,
    message: string,
  ) {
    super(scimType === 'uniqueness' ? 'CONFLICT' : 'INVALID_REQUEST', message);
  }
}

/** Whether the client of a request speaks SCIM. */
export function isScimRequest({ routeOptions, url }: FastifyRequest): boolean {
  return (routeOptions.url ?? url).startsWith('/scim/');
}

/** The body of an error of SCIM. */
export function toScimError(error: ApiError): Record<string, unknown> {
  const status = error.code === 'UNAUTHORIZED' ? 401 : error.status;
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(error instanceof ScimError ? { scimType: error.scimType } : {}),
    detail: error.message,
  };
}

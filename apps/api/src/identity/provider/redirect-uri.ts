import type { FastifyRequest } from 'fastify';
import { ownAddress, type Service } from '../../http/own-address.js';

/**
 * Where a provider sends browsers back. It is registered at the provider, which compares it letter by letter.
 *
 * @throws ApiError `FORBIDDEN` for a browser that opens the service under an unknown name
 */
export function redirectUriOf(providerId: string, request: FastifyRequest, service: Service): string {
  return `${ownAddress(request, service)}/api/session/oidc/${encodeURIComponent(providerId)}/callback`;
}

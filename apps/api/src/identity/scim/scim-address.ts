import type { FastifyRequest } from 'fastify';
import { type Service, shownAddress } from '../../http/own-address.js';

/** The address of the SCIM service. Providers reach it under many names, and only show it. */
export function scimAddress(request: FastifyRequest, service: Service): string {
  return `${shownAddress(request, service)}/scim/v2`;
}

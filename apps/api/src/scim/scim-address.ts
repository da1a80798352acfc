import type { FastifyRequest } from 'fastify';
import type { Service } from '../http/own-address.js';

/** The address of the SCIM service. Providers reach it under many names, and only show it. */
export function scimAddress({ protocol, host }: FastifyRequest, { PUBLIC_URL }: Service): string {
  return `${PUBLIC_URL?.replace(/\/+$/, '') ?? `${protocol}://${host}`}/scim/v2`;
}

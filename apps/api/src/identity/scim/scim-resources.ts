import type { GroupEntity, ScimUser } from '@citewell/database';
import type { FastifyRequest } from 'fastify';
import { type Service, shownAddress } from '../../http/own-address.js';

const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const MAX_RESULTS = 200;

export type Resource = Readonly<Record<string, unknown>>;

/** A parameter that is given more than once is a list. */
export type ListQuery = Readonly<
  Partial<Record<'filter' | 'startIndex' | 'count' | 'excludedAttributes', string | string[]>>
>;

/** The part of a list that a query asks for: RFC 7644, section 3.4.2.4. Items are numbered from 1. */
export function sliceOf(
  { startIndex, count }: ListQuery,
  max = MAX_RESULTS,
): { offset: number; limit: number } {
  const [start, wanted] = [startIndex, count].map((given) => Number.parseInt(String(given), 10)) as [
    number,
    number,
  ];
  const limit = Number.isNaN(wanted) ? max : Math.min(max, Math.max(0, wanted));
  return { offset: Number.isNaN(start) ? 0 : Math.min(1_000_000_000, Math.max(1, start)) - 1, limit };
}

export function listOf(resources: readonly Resource[], total: number, offset: number): Resource {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex: offset + 1,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

export function toUser(user: ScimUser, address: string): Resource {
  const { id, userName, externalId, email, name, givenName, familyName, isActive, createdAt } = user;
  return {
    schemas: [USER_SCHEMA],
    id,
    userName,
    ...(externalId === null ? {} : { externalId }),
    ...(name === null ? {} : { displayName: name }),
    name: {
      ...(name === null ? {} : { formatted: name }),
      ...(givenName === null ? {} : { givenName }),
      ...(familyName === null ? {} : { familyName }),
    },
    emails: email === null ? [] : [{ value: email, type: 'work', primary: true }],
    active: isActive,
    meta: { resourceType: 'User', created: createdAt.toISOString(), location: `${address}/Users/${id}` },
  };
}

/** @param members null leaves them out */
export function toGroup(
  { id, name, externalId, createdAt }: GroupEntity,
  members: readonly string[] | null,
  address: string,
): Resource {
  return {
    schemas: [GROUP_SCHEMA],
    id,
    displayName: name,
    ...(externalId === null ? {} : { externalId }),
    ...(members === null
      ? {}
      : { members: members.map((value) => ({ value, $ref: `${address}/Users/${value}`, type: 'User' })) }),
    meta: { resourceType: 'Group', created: createdAt.toISOString(), location: `${address}/Groups/${id}` },
  };
}

/** RFC 7643, section 5. */
export function serviceProviderConfig(address: string): Resource {
  const no = { supported: false };
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { ...no, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: no,
    sort: no,
    etag: no,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'API key',
        description: 'An API key with the scope scim.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${address}/ServiceProviderConfig` },
  };
}

/** RFC 7643, section 6. */
export function resourceTypes(address: string): Resource[] {
  return [
    { name: 'User', endpoint: '/Users', schema: USER_SCHEMA },
    { name: 'Group', endpoint: '/Groups', schema: GROUP_SCHEMA },
  ].map((type) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: type.name,
    ...type,
    meta: { resourceType: 'ResourceType', location: `${address}/ResourceTypes/${type.name}` },
  }));
}

/** RFC 7643, section 7: the attributes that are stored. */
export function schemas(address: string): Resource[] {
  const attribute = (name: string, fields: Resource = {}): Resource => ({
    name,
    type: 'string',
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...fields,
  });
  const parts = (...names: string[]): Resource => ({
    type: 'complex',
    subAttributes: names.map((name) => attribute(name)),
  });
  const unique = { required: true, uniqueness: 'server' };
  return [
    {
      id: USER_SCHEMA,
      name: 'User',
      attributes: [
        attribute('userName', unique),
        attribute('externalId', { caseExact: true }),
        attribute('displayName'),
        attribute('name', parts('formatted', 'givenName', 'familyName')),
        attribute('emails', { ...parts('value', 'type'), multiValued: true }),
        attribute('active', { type: 'boolean' }),
      ],
    },
    {
      id: GROUP_SCHEMA,
      name: 'Group',
      attributes: [
        attribute('displayName', unique),
        attribute('externalId', { caseExact: true }),
        attribute('members', { ...parts('value', '$ref', 'type'), multiValued: true }),
      ],
    },
  ].map((schema) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    ...schema,
    meta: { resourceType: 'Schema', location: `${address}/Schemas/${schema.id}` },
  }));
}

/** The address of the SCIM service. Providers reach it under many names, and only show it. */
export function scimAddress(request: FastifyRequest, service: Service): string {
  return `${shownAddress(request, service)}/scim/v2`;
}

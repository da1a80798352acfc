import type { Config } from '@citewell/config';
import {
  type GroupChange,
  GroupRepository,
  type MemberChange,
  ScimRepository,
  type TenantScope,
} from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Req,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { found, notFound, unwrap } from '../../http/api-error.js';
import { RequireScim, Tenant } from '../../http/caller.js';
import { SCIM_MEDIA_TYPE, ScimError } from '../../http/scim-format.js';
import { listOf, type ListQuery, type Resource, scimAddress, sliceOf, toGroup } from './scim-resources.js';
import { readFilter } from './scim-filter.js';
import {
  assignmentsOf,
  attributeOf,
  lineOf,
  MAX_EXTERNAL_ID_LENGTH,
  objectOf,
  type Operation,
  operationsOf,
} from './scim-input.js';

/** Larger groups need several requests. */
const MAX_MEMBERS_PER_REQUEST = 10_000;

/** Entra ID removes a member by this path. */
const ONE_MEMBER_PATH = /^members\[\s*value\s+eq\s+"([^"\\]{1,255})"\s*\]$/i;

const ATTRIBUTES = {
  displayname: 'displayName',
  externalid: 'externalId',
  id: 'id',
  'members.value': 'member',
  members: 'member',
} as const;

/** Groups with their members in one response. */
const MAX_GROUPS = 20;

/** The groups of the organization, as an identity provider manages them: SCIM 2.0 (RFC 7644). */
@Controller('scim/v2/Groups')
export class ScimGroupsController {
  constructor(
    @Inject(ScimRepository) private readonly scim: ScimRepository,
    @Inject(GroupRepository) private readonly groups: GroupRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @Header('Content-Type', SCIM_MEDIA_TYPE)
  @RequireScim()
  async list(
    @Tenant() tenant: TenantScope,
    @Query() query: ListQuery,
    @Req() request: FastifyRequest,
  ): Promise<Resource> {
    const slice = sliceOf(query, isWithoutMembers(query) ? undefined : MAX_GROUPS);
    const { total, ids } = await this.scim.groups(tenant, readFilter(query.filter, ATTRIBUTES), slice);
    const resources: Resource[] = [];
    for (const id of ids) resources.push(await this.resource(tenant, id, request, query));
    return listOf(resources, total, slice.offset);
  }

  @Get(':id')
  @Header('Content-Type', SCIM_MEDIA_TYPE)
  @RequireScim()
  get(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Query() query: ListQuery,
    @Req() request: FastifyRequest,
  ): Promise<Resource> {
    return this.resource(tenant, id, request, query);
  }

  @Post()
  @Header('Content-Type', SCIM_MEDIA_TYPE)
  @RequireScim()
  async create(
    @Tenant() tenant: TenantScope,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Resource> {
    const { name, externalId = null, members } = readGroup(body);
    const id = idOf(await this.groups.create(tenant, { name, externalId }));
    try {
      await this.changeMembers(tenant, id, members);
    } catch (error) {
      // The provider creates the group again.
      await this.groups.remove(tenant, id);
      throw error;
    }
    return this.resource(tenant, id, request);
  }

  @Put(':id')
  @Header('Content-Type', SCIM_MEDIA_TYPE)
  @RequireScim()
  replace(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Resource> {
    return this.update(tenant, id, readGroup(body), request);
  }

  @Patch(':id')
  @Header('Content-Type', SCIM_MEDIA_TYPE)
  @RequireScim()
  change(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Resource> {
    return this.update(tenant, id, readGroupPatch(body), request);
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScim()
  async remove(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<void> {
    found(await this.groups.remove(tenant, id), 'group');
  }

  private async update(
    tenant: TenantScope,
    id: string,
    { name, externalId, members }: GroupInput,
    request: FastifyRequest,
  ): Promise<Resource> {
    idOf(await this.groups.update(tenant, id, { name, externalId }));
    await this.changeMembers(tenant, id, members);
    return this.resource(tenant, id, request);
  }

  private async changeMembers(
    tenant: TenantScope,
    id: string,
    members: GroupInput['members'],
  ): Promise<void> {
    if (members.length === 0) return;
    unwrap(await this.scim.changeMembers(tenant, id, members), {
      'unknown-people': ([unknown = '']) =>
        new ScimError('invalidValue', `There is no user with the id ${unknown.slice(0, 100)}.`),
    });
  }

  private async resource(
    tenant: TenantScope,
    id: string,
    request: FastifyRequest,
    query: ListQuery = {},
  ): Promise<Resource> {
    const { group } = found(await this.groups.find(tenant, id), 'group');
    const members = isWithoutMembers(query) ? null : await this.scim.members(tenant, id);
    return toGroup(group, members, scimAddress(request, this.config));
  }
}

function isWithoutMembers({ excludedAttributes = '' }: ListQuery): boolean {
  return String(excludedAttributes)
    .toLowerCase()
    .split(/[\s,]+/)
    .includes('members');
}

function idOf(change: GroupChange): string {
  const { group } = unwrap(change, {
    'not-found': () => notFound('group'),
    'name-taken': () => new ScimError('uniqueness', 'Another group has this displayName or externalId.'),
  });
  return group.id;
}

/** What is undefined stays. */
interface GroupInput {
  name?: string;
  externalId?: string | null;
  members: MemberChange[];
}

/** The attributes of a new group, or of one that is replaced. */
function readGroup(body: unknown): GroupInput & { name: string } {
  const values = objectOf(body);
  const name = groupNameOf(attributeOf(values, 'displayName'));
  const externalId = lineOf(attributeOf(values, 'externalId'), 'externalId', MAX_EXTERNAL_ID_LENGTH);
  return {
    name,
    externalId,
    members: [{ kind: 'set', ids: memberIdsOf(attributeOf(values, 'members') ?? []) }],
  };
}

/** The changes of a PATCH. */
function readGroupPatch(body: unknown): GroupInput {
  const input: GroupInput = { members: [] };
  for (const operation of operationsOf(body))
    for (const [path, value] of assignmentsOf(operation)) assignAttribute(input, operation.op, path, value);
  return input;
}

function assignAttribute(input: GroupInput, op: Operation['op'], path: string, value: unknown): void {
  const [, member] = ONE_MEMBER_PATH.exec(path) ?? [];
  if (member !== undefined)
    return void input.members.push({ kind: op === 'remove' ? 'remove' : 'add', ids: [member] });
  switch (path.toLowerCase()) {
    case 'displayname':
      if (op === 'remove') throw new ScimError('mutability', 'displayName cannot be removed.');
      input.name = groupNameOf(value);
      return;
    case 'externalid':
      input.externalId = op === 'remove' ? null : lineOf(value, 'externalId', MAX_EXTERNAL_ID_LENGTH);
      return;
    case 'members':
      input.members.push(memberChange(op, value));
      return;
    default:
      if (/^members/i.test(path))
        throw new ScimError('invalidPath', 'The path of the members is not supported.');
  }
}

/** Without a value, a remove is about all members. */
function memberChange(op: Operation['op'], value: unknown): MemberChange {
  if (op === 'remove')
    return value === undefined ? { kind: 'set', ids: [] } : { kind: 'remove', ids: memberIdsOf(value) };
  return { kind: op === 'add' ? 'add' : 'set', ids: memberIdsOf(value ?? []) };
}

function memberIdsOf(value: unknown): string[] {
  const entries: unknown[] = Array.isArray(value) ? value : [value];
  if (entries.length > MAX_MEMBERS_PER_REQUEST)
    throw new ScimError('invalidValue', `A request has at most ${MAX_MEMBERS_PER_REQUEST} members.`);
  const ids = entries.map((entry) => {
    const id = typeof entry === 'string' ? entry : attributeOf(objectOf(entry, 'A member'), 'value');
    if (typeof id !== 'string')
      throw new ScimError('invalidValue', 'A member needs the id of a user as value.');
    return id;
  });
  return [...new Set(ids)];
}

function groupNameOf(value: unknown): string {
  const name = lineOf(value, 'displayName');
  if (name === null) throw new ScimError('invalidValue', 'displayName is required.');
  return name;
}

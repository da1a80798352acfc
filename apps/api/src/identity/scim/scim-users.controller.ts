import type { Config } from '@citewell/config';
import {
  PersonRepository,
  ScimRepository,
  type ScimUser,
  type ScimUserChange,
  type ScimUserFields,
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
import { ApiError, found, notFound, unwrap } from '../../http/api-error.js';
import { RequireScim, Tenant } from '../../http/caller.js';
import { SCIM_MEDIA_TYPE, ScimError } from '../../http/scim-format.js';
import { listOf, type ListQuery, type Resource, scimAddress, sliceOf, toUser } from './scim-resources.js';
import { readFilter } from './scim-filter.js';
import { readUser, readUserPatch } from './scim-user-input.js';

const ATTRIBUTES = {
  username: 'userName',
  externalid: 'externalId',
  id: 'id',
  'emails.value': 'email',
  emails: 'email',
} as const;

/** The people of the organization, as an identity provider manages them: SCIM 2.0 (RFC 7644). */
@Controller('scim/v2/Users')
export class ScimUsersController {
  constructor(
    @Inject(ScimRepository) private readonly scim: ScimRepository,
    @Inject(PersonRepository) private readonly people: PersonRepository,
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
    const slice = sliceOf(query);
    const { total, users } = await this.scim.users(tenant, readFilter(query.filter, ATTRIBUTES), slice);
    const address = scimAddress(request, this.config);
    return listOf(
      users.map((user) => toUser(user, address)),
      total,
      slice.offset,
    );
  }

  @Get(':id')
  @Header('Content-Type', SCIM_MEDIA_TYPE)
  @RequireScim()
  async get(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<Resource> {
    return toUser(found(await this.scim.user(tenant, id), 'user'), scimAddress(request, this.config));
  }

  @Post()
  @Header('Content-Type', SCIM_MEDIA_TYPE)
  @RequireScim()
  async create(
    @Tenant() tenant: TenantScope,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Resource> {
    return this.changed(await this.scim.createUser(tenant, readUser(body)), request);
  }

  @Put(':id')
  @Header('Content-Type', SCIM_MEDIA_TYPE)
  @RequireScim()
  async replace(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Resource> {
    const user = found(await this.scim.user(tenant, id), 'user');
    return this.update(tenant, user, readUser(body), request);
  }

  @Patch(':id')
  @Header('Content-Type', SCIM_MEDIA_TYPE)
  @RequireScim()
  async change(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Resource> {
    const user = found(await this.scim.user(tenant, id), 'user');
    return this.update(tenant, user, readUserPatch(body, user), request);
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScim()
  async remove(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<void> {
    found(await this.scim.user(tenant, id), 'user');
    const notRemoved = { 'not-found': () => notFound('user'), 'last-owner': lastOwner };
    unwrap(await this.people.remove(tenant, id), notRemoved);
  }

  private async update(
    tenant: TenantScope,
    { id, isActive }: ScimUser,
    fields: ScimUserFields,
    request: FastifyRequest,
  ): Promise<Resource> {
    const answer = this.changed(await this.scim.updateUser(tenant, id, fields), request);
    if (fields.isActive !== undefined && fields.isActive !== isActive) {
      const action = fields.isActive ? 'person.activated' : 'person.deactivated';
      request.audited = { action, answer, isRefused: false };
    }
    return answer;
  }

  private changed(change: ScimUserChange, request: FastifyRequest): Resource {
    const user = unwrap(change, {
      'not-found': () => notFound('user'),
      taken: () => new ScimError('uniqueness', 'Another user has this userName, e-mail or externalId.'),
      claimed: () =>
        new ScimError(
          'uniqueness',
          'A person has entered this e-mail in the own profile, which nobody has vouched for. Let the person change it, or remove the person.',
        ),
      'last-owner': lastOwner,
      'has-account': () =>
        new ScimError(
          'mutability',
          'This user signs in with a password, and changes the e-mail in the profile.',
        ),
    });
    return toUser(user, scimAddress(request, this.config));
  }
}

function lastOwner(): ApiError {
  return new ApiError(
    'CONFLICT',
    'This is the last owner of the organization. Make another person an owner first.',
  );
}

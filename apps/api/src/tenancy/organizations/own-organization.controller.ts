import {
  type OrganizationSettings,
  organizationSettingsSchema,
  type UpdateOrganization,
  updateOrganizationSchema,
} from '@citewell/contracts/schemas';
import { type OrganizationEntity, OrganizationRepository, type TenantScope } from '@citewell/database';
import { Controller, Get, Inject, Patch } from '@nestjs/common';
import { found } from '../../http/api-error.js';
import { RequireScope, Tenant } from '../../http/caller.js';
import { Operation } from '../../http/operation.js';
import { JsonBody } from '../../http/request-input.js';

/** The caller's organization. */
@Controller('organization')
export class OwnOrganizationController {
  constructor(@Inject(OrganizationRepository) private readonly organizations: OrganizationRepository) {}

  @Operation('Read the settings of the organization', organizationSettingsSchema)
  @Get()
  @RequireScope('read')
  async read(@Tenant() { organizationId }: TenantScope): Promise<OrganizationSettings> {
    return toSettings(found(await this.organizations.find(organizationId), 'organization'));
  }

  @Operation('Change the settings of the organization', organizationSettingsSchema, {
    description:
      'People see `name` in invitations. `ownersReadConversations` opens the conversations of people to owners and to keys with the scope `admin`: those that begin from then on. The dashboard tells people of it. Switching it off closes all of them. `weeklyGapMail` needs a server that sends e-mail.',
  })
  @Patch()
  @RequireScope('admin')
  async update(
    @Tenant() tenant: TenantScope,
    @JsonBody(updateOrganizationSchema) { name, ownersReadConversations, weeklyGapMail }: UpdateOrganization,
  ): Promise<OrganizationSettings> {
    if (name !== undefined) await this.organizations.rename(tenant, name);
    if (ownersReadConversations !== undefined)
      await this.organizations.setOwnersReadConversations(tenant, ownersReadConversations);
    if (weeklyGapMail !== undefined) await this.organizations.setWeeklyGapMail(tenant, weeklyGapMail);
    return this.read(tenant);
  }
}

function toSettings({
  id,
  name,
  ownersReadConversationsSince,
  gapMailDueAt,
}: OrganizationEntity): OrganizationSettings {
  return {
    id,
    name,
    ownersReadConversations: ownersReadConversationsSince !== null,
    ownersReadConversationsSince: ownersReadConversationsSince?.toISOString() ?? null,
    weeklyGapMail: gapMailDueAt !== null,
  };
}

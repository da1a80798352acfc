import { Module } from '@nestjs/common';
import { HttpModule } from '../../http/http.module.js';
import { ScimDiscoveryController } from './scim-discovery.controller.js';
import { ScimGroupsController } from './scim-groups.controller.js';
import { ScimUsersController } from './scim-users.controller.js';

/** Users and groups for identity providers: SCIM 2.0. */
@Module({
  imports: [HttpModule],
  controllers: [ScimDiscoveryController, ScimGroupsController, ScimUsersController],
})
export class ScimModule {}

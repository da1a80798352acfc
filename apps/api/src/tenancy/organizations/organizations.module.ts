import { Module } from '@nestjs/common';
import { HttpModule } from '../../http/http.module.js';
import { ApiKeysController } from '../../identity/sign-in/api-keys.controller.js';
import { ApiKeysService } from '../../identity/sign-in/api-keys.service.js';
import { OrganizationRemover } from './organization-remover.service.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsService } from './organizations.service.js';
import { OwnOrganizationController } from './own-organization.controller.js';

@Module({
  imports: [HttpModule],
  controllers: [ApiKeysController, OrganizationsController, OwnOrganizationController],
  providers: [ApiKeysService, OrganizationRemover, OrganizationsService],
})
export class OrganizationsModule {}

import { Module } from '@nestjs/common';
import { HttpModule } from '../http/http.module.js';
import { ApiKeysController } from '../identity/sign-in/api-keys.controller.js';
import { ApiKeysService } from '../identity/sign-in/api-keys.service.js';
import { AuditExportService } from './audit/audit-export.service.js';
import { AuditTrail } from './audit/audit-trail.service.js';
import { AuditController } from './audit/audit.controller.js';
import { OrganizationRemover } from './organizations/organization-remover.service.js';
import { OrganizationsController } from './organizations/organizations.controller.js';
import { OrganizationsService } from './organizations/organizations.service.js';
import { OwnOrganizationController } from './organizations/own-organization.controller.js';
import { BudgetsService } from './usage/budgets.service.js';
import { UsageController, UsageSharesController } from './usage/usage.controller.js';

/** Organizations, what they did, and what they used. */
@Module({
  imports: [HttpModule],
  controllers: [
    AuditController,
    ApiKeysController,
    OrganizationsController,
    OwnOrganizationController,
    UsageController,
    UsageSharesController,
  ],
  providers: [
    AuditExportService,
    AuditTrail,
    ApiKeysService,
    OrganizationRemover,
    OrganizationsService,
    BudgetsService,
  ],
})
export class TenancyModule {}

import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';
import { AuditExportService } from './audit-export.service.js';
import { AuditTrail } from './audit-trail.service.js';

/** Records and shows who did what. */
@Module({ controllers: [AuditController], providers: [AuditExportService, AuditTrail] })
export class AuditModule {}

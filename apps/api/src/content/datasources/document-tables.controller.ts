import {
  type DocumentTable,
  documentTableSchema,
  type TableRows,
  type TableRowsQuery,
  tableRowsQuerySchema,
  tableRowsSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { RequireScope, Tenant } from '../../http/caller.js';
import { listOf, Operation } from '../../http/operation.js';
import { JsonBody } from '../../http/request-input.js';
import { DocumentTablesService } from './document-tables.service.js';

@Controller('datasources')
export class DocumentTablesController {
  constructor(@Inject(DocumentTablesService) private readonly tables: DocumentTablesService) {}

  @Operation('List the tables of a datasource', listOf(documentTableSchema), {
    description: 'The tables of the serving revision, with types for their columns. At most 50.',
    errors: ['CONTENT_DAMAGED'],
  })
  @Get(':id/tables')
  @RequireScope('read')
  list(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<DocumentTable[]> {
    return this.tables.list(tenant, id);
  }

  @Operation('Read rows of a table of a datasource', tableRowsSchema, {
    description:
      'Counts all rows that satisfy the conditions, and returns some of them. The conditions of a source of an answer can be sent as they are.',
    errors: ['CONTENT_DAMAGED', 'GONE', 'UPSTREAM_UNAVAILABLE'],
  })
  @Post(':id/tables/:number/rows')
  @HttpCode(200)
  @RequireScope('read')
  rows(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Param('number') number: string,
    @JsonBody(tableRowsQuerySchema) query: TableRowsQuery,
  ): Promise<TableRows> {
    return this.tables.rows(tenant, id, number, query);
  }
}

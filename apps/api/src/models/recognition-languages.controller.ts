import { type RecognitionSettings, recognitionSettingsSchema } from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Delete, Get, Inject, Param, Put } from '@nestjs/common';
import { RequireScope, Tenant } from '../http/caller.js';
import { Operation } from '../http/operation.js';
import { RecognitionLanguages } from './recognition-languages.service.js';

/** The languages of text recognition, which all organizations share. */
@Controller('models/recognition')
export class RecognitionLanguagesController {
  constructor(@Inject(RecognitionLanguages) private readonly languages: RecognitionLanguages) {}

  @Operation('List the languages of text recognition', recognitionSettingsSchema, {
    description:
      'Those that are part of the product, those that were added, and those that can be added. Only keys of the first organization may read and change them.',
  })
  @Get()
  @RequireScope('admin')
  list(@Tenant() tenant: TenantScope): Promise<RecognitionSettings> {
    return this.languages.list(tenant);
  }

  @Operation('Add a language of text recognition', recognitionSettingsSchema, {
    description:
      'Answers at once. The server then installs the language from npm into its data directory: the state `failed` has a sentence. Scans that are read from then on may be in this language. A sync reads documents again that lack it.',
    errors: ['NOT_FOUND'],
  })
  @Put(':id')
  @RequireScope('admin')
  add(@Tenant() tenant: TenantScope, @Param('id') name: string): Promise<RecognitionSettings> {
    return this.languages.add(tenant, name);
  }

  @Operation('Remove a language of text recognition', recognitionSettingsSchema, {
    description: 'Documents that were read in this language stay as they are.',
  })
  @Delete(':id')
  @RequireScope('admin')
  remove(@Tenant() tenant: TenantScope, @Param('id') name: string): Promise<RecognitionSettings> {
    return this.languages.remove(tenant, name);
  }
}

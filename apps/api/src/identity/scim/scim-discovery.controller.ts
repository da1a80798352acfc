import type { Config } from '@citewell/config';
import { CONFIG } from '@citewell/infrastructure';
import { Controller, Get, Header, Inject, Param, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { found } from '../../http/api-error.js';
import { RequireScim } from '../../http/caller.js';
import { SCIM_MEDIA_TYPE } from '../../http/scim-format.js';
import {
  listOf,
  type Resource,
  resourceTypes,
  schemas,
  scimAddress,
  serviceProviderConfig,
} from './scim-resources.js';

/** What the service supports of SCIM: RFC 7644, section 4. */
@Controller('scim/v2')
export class ScimDiscoveryController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  @Get('ServiceProviderConfig')
  @Header('Content-Type', SCIM_MEDIA_TYPE)
  @RequireScim()
  serviceProviderConfig(@Req() request: FastifyRequest): Resource {
    return serviceProviderConfig(scimAddress(request, this.config));
  }

  @Get('ResourceTypes')
  @Header('Content-Type', SCIM_MEDIA_TYPE)
  @RequireScim()
  resourceTypes(@Req() request: FastifyRequest): Resource {
    return all(resourceTypes(scimAddress(request, this.config)));
  }

  @Get('ResourceTypes/:id')
  @Header('Content-Type', SCIM_MEDIA_TYPE)
  @RequireScim()
  resourceType(@Param('id') id: string, @Req() request: FastifyRequest): Resource {
    return one(resourceTypes(scimAddress(request, this.config)), id);
  }

  @Get('Schemas')
  @Header('Content-Type', SCIM_MEDIA_TYPE)
  @RequireScim()
  schemas(@Req() request: FastifyRequest): Resource {
    return all(schemas(scimAddress(request, this.config)));
  }

  @Get('Schemas/:id')
  @Header('Content-Type', SCIM_MEDIA_TYPE)
  @RequireScim()
  schema(@Param('id') id: string, @Req() request: FastifyRequest): Resource {
    return one(schemas(scimAddress(request, this.config)), id);
  }
}

function all(resources: readonly Resource[]): Resource {
  return listOf(resources, resources.length, 0);
}

function one(resources: readonly Resource[], id: string): Resource {
  return found(
    resources.find((resource) => resource['id'] === id),
    'resource',
  );
}

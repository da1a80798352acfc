// Writes the OpenAPI document of this version to `packages/contracts/openapi.json`. `release-version.mjs` calls it.
// The tests compare the current document with it, so that no change breaks the clients of the last release.
import { writeFileSync } from 'node:fs';
import { ApiModule } from '../apps/api/dist/api.module.js';
import { openApiDocument } from '../apps/api/dist/interfaces/openapi/openapi-document.js';
import { controllersOf, routesOf } from '../apps/api/dist/interfaces/openapi/route-reader.js';

const document = openApiDocument(routesOf(controllersOf(ApiModule)));
writeFileSync('packages/contracts/openapi.json', `${JSON.stringify(document)}\n`);

import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Config } from '@citewell/config';
import { CONFIG } from '@citewell/infrastructure';
import { Controller, Get, Inject, Param, Res, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { found } from '../../http/api-error.js';
import { Public } from '../../http/caller.js';
import { pageHeaders } from '../../http/html.js';
import { Operation } from '../../http/operation.js';
import { openApiDocument } from './openapi-document.js';
import { routesOf } from './route-reader.js';

/** Swagger UI inserts style attributes and images of its own, and needs nothing from elsewhere. */
const HEADERS = pageHeaders([
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
]);

const { resolve } = createRequire(import.meta.url);
const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

const PAGE = { path: fileURLToPath(new URL('./docs-page.html', import.meta.url)), type: HTML };
/** The files of the page, which this server serves itself. */
const FILES: Readonly<Record<string, { path: string; type: string }>> = {
  'docs-page.js': { path: fileURLToPath(new URL('./docs-page.js', import.meta.url)), type: SCRIPT },
  'swagger-ui-bundle.js': { path: resolve('swagger-ui-dist/swagger-ui-bundle.js'), type: SCRIPT },
  'swagger-ui.css': { path: resolve('swagger-ui-dist/swagger-ui.css'), type: 'text/css; charset=utf-8' },
};

/**
 * Serves the OpenAPI document and the documentation page, without a key. The document is built at the first
 * request.
 */
@Controller()
export class OpenApiController {
  private document: string | undefined;

  constructor(
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Operation('This OpenAPI document', z.record(z.string(), z.unknown()))
  @Get('openapi.json')
  @Public()
  async json(@Res() reply: FastifyReply): Promise<void> {
    this.document ??= JSON.stringify(openApiDocument(routesOf(this.controllers()), this.config.BASE_PATH));
    await reply.header('Content-Type', 'application/json; charset=utf-8').send(this.document);
  }

  /** The page of Swagger UI. It loads the document from `openapi.json` beside it. */
  @Operation('This document as a page', 'text/html')
  @Get('docs')
  @Public()
  async page(@Res() reply: FastifyReply): Promise<void> {
    await sendFile(reply, PAGE);
  }

  @Operation('Read a script or style of the documentation page', {
    'text/javascript': null,
    'text/css': null,
  })
  @Get('docs/:file')
  @Public()
  async file(@Param('file') name: string, @Res() reply: FastifyReply): Promise<void> {
    await sendFile(reply, found(Object.hasOwn(FILES, name) ? FILES[name] : null, 'file'));
  }

  private controllers(): Type[] {
    return [...this.modules.values()].flatMap((module) =>
      // A controller's metatype is its class.
      [...module.controllers.values()].map(({ metatype }) => metatype as Type),
    );
  }
}

async function sendFile(reply: FastifyReply, { path, type }: { path: string; type: string }): Promise<void> {
  await reply
    .headers(HEADERS)
    .header('Content-Type', type)
    .header('Cache-Control', 'max-age=3600')
    .send(createReadStream(path));
}

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Controller, Get, Inject, Res, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { openApiDocument } from './openapi-document.js';
import { OPERATIONS } from './operations.js';
import { routesOf } from './route-reader.js';
import { Public } from '../http/caller.js';

const PAGE = new URL('./docs-page.html', import.meta.url);

/**
 * Serves the OpenAPI document and the documentation page, without a key. The document is built at the first
 * request.
 */
@Controller()
export class OpenApiController {
  private document: string | undefined;

  constructor(@Inject(ModulesContainer) private readonly modules: ModulesContainer) {}

  @Get('openapi.json')
  @Public()
  async json(@Res() reply: FastifyReply): Promise<void> {
    this.document ??= JSON.stringify(openApiDocument(routesOf(this.controllers()), OPERATIONS));
    await reply.header('Content-Type', 'application/json; charset=utf-8').send(this.document);
  }

  /** A self-contained page. It loads the document from `openapi.json` beside it. */
  @Get('docs')
  @Public()
  async page(@Res() reply: FastifyReply): Promise<void> {
    const html = await readFile(PAGE, 'utf8');
    await reply
      .header('Content-Type', 'text/html; charset=utf-8')
      .header('Content-Security-Policy', policyFor(html))
      .header('X-Content-Type-Options', 'nosniff')
      .send(html);
  }

  private controllers(): Type[] {
    return [...this.modules.values()].flatMap((module) =>
      // A controller's metatype is its class.
      [...module.controllers.values()].map(({ metatype }) => metatype as Type),
    );
  }
}

/** A Content-Security-Policy that allows only the page's own script and styles. */
function policyFor(html: string): string {
  const script = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
  const hash = createHash('sha256').update(script).digest('base64');
  return `default-src 'none'; connect-src 'self'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`;
}

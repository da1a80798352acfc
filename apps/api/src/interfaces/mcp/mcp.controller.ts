import { LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { Controller, Delete, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../http/api-error.js';
import { RequireKey } from '../../http/caller.js';
import { McpTools } from './mcp-tools.service.js';
import { callTool } from './tools.js';

/** The Model Context Protocol over HTTP, without sessions: each request stands alone. Tools check their scopes. */
@Controller('mcp')
export class McpController {
  constructor(
    @Inject(McpTools) private readonly tools: McpTools,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Post()
  @HttpCode(200)
  @RequireKey()
  async post(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { caller, body } = request;
    if (!caller) throw new Error('A route with RequireKey has a caller');
    // The rate limit counts requests.
    if (Array.isArray(body))
      throw new ApiError('INVALID_REQUEST', 'Send one message per request, not a list.');
    // The library takes 100 ms and 10 MB, which only its users pay.
    const { handleMessage } = await import('./mcp-server.js');
    const response = await handleMessage(request.headers, body, (name, input) =>
      callTool(name, input, { tools: this.tools, caller, reply, logger: this.logger }),
    );
    await reply
      .status(response.status)
      .headers(Object.fromEntries(response.headers))
      .send(await response.text());
  }

  /** There is no stream of the server's own messages. */
  @Get()
  @RequireKey()
  async stream(@Res() reply: FastifyReply): Promise<void> {
    await refuseMethod(reply);
  }

  /** There are no sessions to end. */
  @Delete()
  @RequireKey()
  async end(@Res() reply: FastifyReply): Promise<void> {
    await refuseMethod(reply);
  }
}

async function refuseMethod(reply: FastifyReply): Promise<void> {
  await reply.status(405).header('Allow', 'POST').send();
}

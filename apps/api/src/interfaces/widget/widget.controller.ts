import { fileURLToPath } from 'node:url';
import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../../http/caller.js';
import { Operation } from '../../http/operation.js';
import { missingChatPage, chatPage } from './chat-page.js';
import { PublicAgents } from './public-agents.service.js';

/** The folder that the build of `apps/widget` writes. */
const FOLDER = fileURLToPath(new URL('../../../../widget/dist/', import.meta.url));

/** Serves what visitors of web pages load, outside `/api`: the script, and the chat page of an agent. */
@Controller()
export class WidgetController {
  constructor(@Inject(PublicAgents) private readonly agents: PublicAgents) {}

  /** Browsers use the script for five minutes without asking. Then they ask with its `ETag`. */
  @Operation('The script of the widget', 'application/javascript')
  @Get('widget.js')
  @Public()
  widget(@Res() reply: FastifyReply): void {
    reply
      .header('Cross-Origin-Resource-Policy', 'cross-origin')
      .header('X-Content-Type-Options', 'nosniff')
      .sendFile('widget.js', FOLDER, { maxAge: '5m' });
  }

  @Operation('The chat page of a public agent', 'text/html', { description: 'The key is a publishable one.' })
  @Get('chat/:key')
  @Public()
  async chat(@Param('key') key: string, @Res() reply: FastifyReply): Promise<void> {
    const agent = await this.agents.find(key);
    const { html, headers } = agent ? chatPage(agent, key) : missingChatPage();
    await reply
      .status(agent ? 200 : 404)
      .headers(headers)
      .header('Content-Type', 'text/html; charset=utf-8')
      .header('Cache-Control', 'no-store')
      .send(html);
  }
}

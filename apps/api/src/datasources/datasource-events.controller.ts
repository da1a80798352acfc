import { setTimeout as sleep } from 'node:timers/promises';
import type { Datasource } from '@citewell/contracts/http';
import type { TenantScope } from '@citewell/database';
import { type BeforeApplicationShutdown, Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../http/api-error.js';
import { RequireScope, Tenant } from '../http/caller.js';
import { DatasourcesService } from './datasources.service.js';

const POLL_INTERVAL_MS = 300;
/** A comment is sent once in this many polls without a change. It keeps proxies from closing an idle connection. */
const POLLS_PER_PING = 50;

@Controller('datasources')
export class DatasourceEventsController implements BeforeApplicationShutdown {
  private isStopping = false;

  constructor(@Inject(DatasourcesService) private readonly datasources: DatasourcesService) {}

  /** Ends all streams. Clients reconnect to a process that keeps running. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }

  /**
   * The datasource as server-sent events: once at the start, and again whenever it changes. The stream ends
   * when no run is unfinished or due, or with `event: deleted`.
   */
  @Get(':id/events')
  @RequireScope('read')
  async events(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const first = await this.datasources.get(tenant, id);
    const { raw } = reply;
    reply.hijack();
    raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      connection: 'close',
      'access-control-allow-origin': '*',
      'x-request-id': reply.request.id,
    });
    try {
      await this.follow(
        tenant,
        first,
        (frame) => raw.write(frame),
        () => raw.destroyed || this.isStopping,
      );
    } finally {
      raw.end();
    }
  }

  private async follow(
    tenant: TenantScope,
    first: Datasource,
    write: (frame: string) => void,
    isClosed: () => boolean,
  ): Promise<void> {
    let lastState = '';
    let unchangedPolls = 0;
    for (let current: Datasource | null = first; !isClosed(); current = await this.read(tenant, first.id)) {
      if (!current) return write('event: deleted\ndata: {}\n\n');
      const data = JSON.stringify(current);
      // The remaining time changes with every poll. It alone is not a change to report.
      const state = JSON.stringify({
        ...current,
        progress: current.progress && { ...current.progress, etaSeconds: null },
      });
      if (state !== lastState) write(`event: datasource\ndata: ${data}\n\n`);
      else if ((unchangedPolls += 1) % POLLS_PER_PING === 0) write(': ping\n\n');
      lastState = state;
      if (!current.progress) return;
      await sleep(POLL_INTERVAL_MS);
    }
  }

  private async read(tenant: TenantScope, id: string): Promise<Datasource | null> {
    try {
      return await this.datasources.get(tenant, id);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  }
}

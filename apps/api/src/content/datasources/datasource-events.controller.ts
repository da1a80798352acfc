import type { Datasource } from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { type BeforeApplicationShutdown, Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../http/api-error.js';
import { Authenticator } from '../../http/authenticator.js';
import { RequireScope, Tenant } from '../../http/caller.js';
import { Operation } from '../../http/operation.js';
import { DatasourceWatcher } from './datasource-watcher.js';
import { DatasourcesService } from './datasources.service.js';

/** Open streams of one API key. */
const MAX_STREAMS_PER_KEY = 250;
/** A comment is sent once in this many polls without a change. It keeps proxies from closing an idle connection. */
const POLLS_PER_PING = 50;
/** A client with more unsent bytes than this is disconnected. */
const MAX_UNSENT_BYTES = 1024 * 1024;

@Controller('datasources')
export class DatasourceEventsController implements BeforeApplicationShutdown {
  /** Functions that end the open streams, by the key that opened them. */
  private readonly streams = new Map<string, Set<() => void>>();
  private isStopping = false;

  constructor(
    @Inject(DatasourcesService) private readonly datasources: DatasourcesService,
    @Inject(DatasourceWatcher) private readonly watcher: DatasourceWatcher,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
  ) {}

  /** Ends all streams. Clients reconnect to a process that keeps running. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
    for (const ofKey of this.streams.values()) for (const end of ofKey) end();
  }

  /**
   * The datasource as server-sent events: once at the start, and again whenever it changes. The stream ends
   * when no run is unfinished or due, or with `event: deleted`, also when the caller may not read it any more.
   */
  @Operation('Follow the progress of a datasource', 'text/event-stream', {
    description:
      'Server-sent events: `datasource` with the object whenever it changes, and `deleted` when it is deleted. The stream ends when no run is unfinished.',
  })
  @Get(':id/events')
  @RequireScope('read')
  async events(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const first = await this.datasources.get(tenant, id);
    const keyId = reply.request.caller?.keyId ?? '';
    const ofKey = this.streamsOf(keyId);
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
    const events = new DatasourceEvents((frame) => raw.write(frame));
    if (!events.next(first)) return void raw.end();
    const viewer = { key: credentialsOf(reply.request), tenant: () => this.tenantOf(reply.request) };
    const unwatch = this.watcher.watch(first.id, viewer, (datasource) => {
      if (raw.writableLength > MAX_UNSENT_BYTES) raw.destroy();
      else if (!events.next(datasource)) end();
    });
    const end = (): void => {
      unwatch();
      ofKey.delete(end);
      if (ofKey.size === 0) this.streams.delete(keyId);
      raw.end();
    };
    this.streams.set(keyId, ofKey.add(end));
    raw.once('close', end);
    if (raw.destroyed || this.isStopping) end();
  }

  /** What the caller may read at this moment; null if the key, session or person was removed. */
  private async tenantOf({ headers }: FastifyRequest): Promise<TenantScope | null> {
    try {
      const { tenant, scopes } = await this.authenticator.authenticate(headers);
      return scopes.has('read') ? tenant : null;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'UNAUTHORIZED') return null;
      throw error;
    }
  }

  /** @throws {@link ApiError} `RATE_LIMIT` when the key has too many streams */
  private streamsOf(keyId: string): Set<() => void> {
    const ofKey = this.streams.get(keyId) ?? new Set();
    if (ofKey.size >= MAX_STREAMS_PER_KEY) {
      throw new ApiError('RATE_LIMIT', `This API key has ${MAX_STREAMS_PER_KEY} open event streams.`, {
        retryAfterSeconds: 10,
      });
    }
    return ofKey;
  }
}

function credentialsOf({ headers: { authorization = '', cookie = '' } }: FastifyRequest): string {
  return `${authorization}\n${cookie}`;
}

/** The frames of one stream. */
class DatasourceEvents {
  private lastState = '';
  private unchangedPolls = 0;

  constructor(private readonly write: (frame: string) => void) {}

  /** Reports a state, null for a deleted datasource. @returns whether the stream goes on */
  next(datasource: Datasource | null): boolean {
    if (!datasource) {
      this.write('event: deleted\ndata: {}\n\n');
      return false;
    }
    // The remaining time changes with every poll. It alone is not a change to report.
    const { progress } = datasource;
    const state = JSON.stringify({ ...datasource, progress: progress && { ...progress, etaSeconds: null } });
    if (state !== this.lastState) this.write(`event: datasource\ndata: ${JSON.stringify(datasource)}\n\n`);
    else if ((this.unchangedPolls += 1) % POLLS_PER_PING === 0) this.write(': ping\n\n');
    this.lastState = state;
    return progress !== null;
  }
}

import type { OwnSession } from '@citewell/contracts/schemas';
import { Controller, Delete, Get, Inject, Param } from '@nestjs/common';
import { Authenticated, type Caller, RequireKey } from '../../http/caller.js';
import { SessionsService } from './sessions.service.js';

/** The browsers in which the person is signed in. */
@Controller('sessions')
export class OwnSessionsController {
  constructor(@Inject(SessionsService) private readonly sessions: SessionsService) {}

  @Get()
  @RequireKey()
  list(@Authenticated() caller: Caller): Promise<OwnSession[]> {
    return this.sessions.list(caller);
  }

  @Delete(':id')
  @RequireKey()
  end(@Authenticated() caller: Caller, @Param('id') id: string): Promise<OwnSession> {
    return this.sessions.end(caller, id);
  }
}

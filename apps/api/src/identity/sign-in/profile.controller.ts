import { type ChangeProfile, changeProfileSchema, type Profile } from '@citewell/contracts/schemas';
import { Controller, Inject, Patch, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Authenticated, type Caller, RequireKey } from '../../http/caller.js';
import { JsonBody } from '../../http/request-input.js';
import { ProfileService } from './profile.service.js';

/** The person who is signed in. `GET /session` reads the profile. */
@Controller('profile')
export class ProfileController {
  constructor(@Inject(ProfileService) private readonly profiles: ProfileService) {}

  @Patch()
  @RequireKey()
  change(
    @Authenticated() caller: Caller,
    @JsonBody(changeProfileSchema) body: ChangeProfile,
    @Req() { ip }: FastifyRequest,
  ): Promise<Profile> {
    return this.profiles.change(caller, body, ip);
  }
}

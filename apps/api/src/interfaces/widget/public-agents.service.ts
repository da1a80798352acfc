import type { AgentProfile } from '@citewell/contracts/schemas';
import { AgentRepository, describeKey, OrganizationRepository, TenantScope } from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';

/** Finds the agents of public chat pages. */
@Injectable()
export class PublicAgents {
  constructor(
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @Inject(AgentRepository) private readonly agents: AgentRepository,
  ) {}

  /** The agent of a publishable key, if it is public. Other keys have no page. */
  async find(key: string): Promise<AgentProfile | null> {
    const known = await this.organizations.authenticate(describeKey(key).hash);
    if (!known?.publishable?.isAgentPublic) return null;
    const { agentId } = known.publishable;
    const found = await this.agents.find(new TenantScope(known.organizationId), agentId);
    return found && { id: agentId, name: found.agent.name, description: found.agent.description };
  }
}

import { createHash } from 'node:crypto';
import type { SourceAccess, SourceGroup } from '../source.js';
import type { ConfluenceApi } from './confluence-api.js';
import type { ConfluenceNode, Readers } from './confluence-nodes.js';

const NOBODY: SourceAccess = { people: [], groups: [] };
const HASH_CHARACTERS = 32;

/**
 * Who may read the pages of a space: who may read the space **and** is named by the restriction of the page and of each of
 * its parents. What Confluence does not tell means nobody.
 *
 * Pages with the same rules share a group of the source. Its name is a hash of the rules: other rules are another access of
 * the page, while new members of a group of Confluence are new members here.
 */
export class ConfluenceReaders {
  private readonly groups = new Map<string, SourceGroup>();
  /** The restrictions of a node and of its parents; null if one is not known. */
  private readonly chains = new Map<string, readonly Readers[] | null>();
  private readonly members = new Map<string, Promise<ReadonlySet<string>>>();

  /** @param space who may read the space; null if it is not known */
  constructor(
    private readonly api: Pick<ConfluenceApi, 'membersOf' | 'user'>,
    private readonly space: Readers | null,
    private readonly nodes: ReadonlyMap<string, ConfluenceNode>,
    private readonly signal: AbortSignal,
  ) {}

  /** The groups that {@link accessOf} has named. */
  get named(): SourceGroup[] {
    return [...this.groups.values()];
  }

  async accessOf(id: string): Promise<SourceAccess> {
    const chain = this.chainOf(id);
    if (this.space === null || chain === null) return NOBODY;
    const rules = [this.space, ...chain];
    const name = nameOf(rules);
    if (!this.groups.has(name)) this.groups.set(name, { name, people: await this.peopleOf(rules) });
    return { people: [], groups: [name] };
  }

  private chainOf(id: string): readonly Readers[] | null {
    const below: ConfluenceNode[] = [];
    const seen = new Set<string>();
    let chain: readonly Readers[] | null = [];
    for (let at: string | null = id; at !== null;) {
      const known = this.chains.get(at);
      const node = this.nodes.get(at);
      if (known !== undefined) {
        chain = known;
        break;
      }
      // A parent that the account may not read, or a circle of parents.
      if (node === undefined || seen.has(at)) {
        chain = null;
        break;
      }
      seen.add(at);
      below.push(node);
      at = node.parent?.id ?? null;
    }
    for (const { id: nodeId, readers } of below.reverse()) {
      if (chain === null || readers === null) chain = null;
      else if (readers.users.length + readers.groups.length > 0) chain = [...chain, readers];
      this.chains.set(nodeId, chain);
    }
    return chain;
  }

  /** The e-mail of all whom each rule names. */
  private async peopleOf(rules: readonly Readers[]): Promise<string[]> {
    let left: ReadonlySet<string> | undefined;
    for (const rule of rules) {
      const named: ReadonlySet<string> = await this.namedBy(rule);
      left = new Set([...(left ?? named)].filter((email) => named.has(email)));
    }
    return [...(left ?? [])].toSorted();
  }

  private async namedBy({ users, groups }: Readers): Promise<ReadonlySet<string>> {
    const ofGroups = await Promise.all(groups.map((group) => this.emailsOf(group)));
    return new Set([...ofGroups.flatMap((emails) => [...emails]), ...(await this.emails(users))]);
  }

  private emailsOf(group: string): Promise<ReadonlySet<string>> {
    const known =
      this.members.get(group) ??
      this.api.membersOf(group, this.signal).then(async (users) => new Set(await this.emails(users)));
    this.members.set(group, known);
    return known;
  }

  private async emails(users: readonly string[]): Promise<string[]> {
    const found = await Promise.all(users.map((user) => this.api.user(user, this.signal)));
    return found.flatMap(({ email }) => (email?.includes('@') ? [email.toLowerCase()] : []));
  }
}

function nameOf(rules: readonly Readers[]): string {
  const sorted = rules.map(({ users, groups }) => [users.toSorted(), groups.toSorted()]);
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, HASH_CHARACTERS);
}

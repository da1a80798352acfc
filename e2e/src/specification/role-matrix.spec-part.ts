import { errorEnvelopeSchema, type Role, ROLE_SCOPES, ROLES } from '@citewell/contracts/schemas';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ApiClient } from '../client/api-client.js';
import { BrowserSession } from '../client/browser-session.js';
import { Tenant } from '../client/tenant.js';
import type { SpecificationPart } from './describe-specification.js';
import { fingerprint, oneOfEach, openRoute, UNKNOWN } from './route-requests.js';
import { hasIdInPath, type Ids, isOfMissingPart, type Route, ROUTES } from './routes.js';

/** Routes that the matrix does not contain, because neither role nor owner decides about them. */
const OTHER_ROUTES: Readonly<Record<string, string>> = {
  'GET /openapi.json': 'public',
  'GET /docs': 'public',
  'GET /docs/*': 'public',
  'GET /health/live': 'public',
  'GET /health/ready': 'public',
  'GET /metrics': 'public',
  'GET /widget.js': 'public',
  'GET /chat/*': 'public',
  'GET /sign-in-options': 'public',
  'POST /passkeys/challenge': 'public',
  'POST /passkeys/registration': "the person's own",
  'POST /passkeys': "the person's own",
  'GET /passkeys': "the person's own",
  'DELETE /passkeys/*': "the person's own",
  'POST /password-resets': 'public',
  'POST /session': 'signs in',
  'GET /session': 'of the session itself',
  'POST /session/organization': 'of the session itself',
  'DELETE /session': 'signs out',
  'GET /session/providers': 'public',
  'POST /session/providers': 'public',
  'GET /sessions': "the person's own",
  'DELETE /sessions/*': "the person's own",
  'PATCH /profile': "the person's own",
  'POST /tokens': "the person's own",
  'GET /tokens': "the person's own",
  'DELETE /tokens/*': "the person's own",
  'GET /usage/own': "the person's own",
  'POST /organizations': 'of the operator',
  'GET /organizations': 'of the operator',
  'GET /organizations/*': 'of the operator',
  'DELETE /organizations/*': 'of the operator',
  'GET /organizations/*/erasure': 'of the operator',
};

/** The first organization chooses and tests the models of the server. An organization has models of its own if the server allows it. */
const OF_THE_SERVER = /^(?!DELETE \/models\/chat\/own)\w+ \/models\//;

/** Whose resources a request is about. */
const OWNERS = ['own', 'another organization', 'nobody'] as const;
type Owner = (typeof OWNERS)[number];

/** What a person with a role gets from a route that is about resources of an owner. */
function expectedOutcome(role: Role, route: Route, owner: Owner): string {
  if (!ROLE_SCOPES[role].includes(route.peopleNeed ?? route.scope) || OF_THE_SERVER.test(nameOf(route)))
    return 'FORBIDDEN';
  if (isOfMissingPart(route)) return 'NOT_FOUND';
  return owner === 'own' || !namesResource(route) ? 'done' : 'NOT_FOUND';
}

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

/** Whether the path or the body names a resource. The body of a query may name anything. */
function namesResource(route: Route): boolean {
  return hasIdInPath(route) || JSON.stringify(route.json?.(UNKNOWN) ?? null).includes(UNKNOWN.datastore);
}

/** Every role at every route, about resources of every owner. */
export const roleMatrix: SpecificationPart = (fixture) => {
  describe('the matrix of roles, routes and owners', () => {
    let foreign: Ids;
    const team = new Map<Role, { tenant: Tenant; person: ApiClient; own: Ids }>();

    beforeAll(async () => {
      const { deployment, bob } = fixture();
      foreign = await oneOfEach(bob);
      for (const role of ROLES) {
        const tenant = await Tenant.create(deployment, role);
        const person = await join(tenant, role);
        const own = await oneOfEach(tenant, new Tenant(person, tenant.organizationId));
        team.set(role, { tenant, person, own });
      }
    });

    async function join(tenant: Tenant, role: Role): Promise<ApiClient> {
      const { baseUrl } = fixture().deployment;
      const browser = new BrowserSession(baseUrl);
      const { token } = await tenant.invite(role);
      (await browser.call('POST', '/session', { token, password: 'correct horse battery' })).assertOk();
      return new ApiClient(baseUrl, null, { 'citewell-csrf': '1', cookie: browser.cookie });
    }

    it('contains every route of the server', async () => {
      const schema = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });
      const { paths } = schema.parse((await fixture().alice.api.get('/openapi.json')).json);
      const served = Object.entries(paths).flatMap(([path, operations]) =>
        Object.keys(operations)
          .filter((key) => key !== 'servers')
          .map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '*')}`),
      );
      const known = ROUTES.map((route) => nameOf(route).replace(/:\w+/g, '*'));
      expect(served.toSorted()).toEqual([...known, ...Object.keys(OTHER_ROUTES)].toSorted());
    });

    // Requests that are refused come first, because those that succeed delete the resources.
    const cells = ROLES.flatMap((role) => OWNERS.toReversed().map((owner) => ({ role, owner })));
    it.each(cells)('$role, resources of $owner', async ({ role, owner }) => {
      const found = team.get(role);
      if (!found) throw new Error(`Nobody is ${role}`);
      const { tenant, person, own } = found;
      const ids = { own, 'another organization': foreign, nobody: UNKNOWN }[owner];
      const before = [await fingerprint(tenant, own), await fingerprint(fixture().bob, foreign)];
      const outcomes: string[] = [];
      const expected: string[] = [];
      for (const route of ROUTES) {
        const outcome = expectedOutcome(role, route, owner);
        // A route without a resource does the same for every owner.
        if (outcome === 'done' && owner !== 'own') continue;
        expected.push(`${nameOf(route)}: ${outcome}`);
        outcomes.push(`${nameOf(route)}: ${await outcomeOf(await openRoute(person, route, ids))}`);
      }
      expect(outcomes).toEqual(expected);
      if (owner !== 'own')
        expect([await fingerprint(tenant, own), await fingerprint(fixture().bob, foreign)]).toEqual(before);
    });
  });
};

/** `done` unless the request was refused. A request that is refused for its content has passed the checks of access. */
async function outcomeOf(response: Response): Promise<string> {
  if (![403, 404].includes(response.status)) {
    await response.body?.cancel();
    return response.status < 500 ? 'done' : `status ${response.status}`;
  }
  return errorEnvelopeSchema.parse(await response.json()).error;
}

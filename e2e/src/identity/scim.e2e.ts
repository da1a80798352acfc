import { randomUUID } from 'node:crypto';
import {
  apiKeyWithSecretSchema,
  groupMemberSchema,
  personWithTokenSchema,
  type Role,
  sessionSchema,
} from '@citewell/contracts/schemas';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { hostileScimRequests } from '../security/attacks/hostile-scim-requests.js';
import { ApiClient } from '../client/api-client.js';
import { BrowserSession } from '../client/browser-session.js';
import { Tenant, until } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { describeDeployment } from '../deployments/describe-deployment.js';

const PASSWORD = 'correct horse battery';
/** How soon a person who was removed is out, in every process. */
const EFFECTIVE_MS = 5_000;
const PATCH = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'] };

const userSchema = z.object({
  id: z.string(),
  userName: z.string(),
  externalId: z.string().optional(),
  displayName: z.string().optional(),
  active: z.boolean(),
  emails: z.array(z.object({ value: z.string() })),
});
const groupSchema = z.object({
  id: z.string(),
  displayName: z.string(),
  members: z.array(z.object({ value: z.string() })).optional(),
});
const listSchema = z.object({
  totalResults: z.number(),
  startIndex: z.number(),
  itemsPerPage: z.number(),
  Resources: z.array(z.looseObject({ id: z.string() })),
});
const errorSchema = z.object({
  schemas: z.tuple([z.literal('urn:ietf:params:scim:api:messages:2.0:Error')]),
  status: z.string(),
  scimType: z.string().optional(),
  detail: z.string().min(1),
});

/** A client of SCIM, as an identity provider. */
class Directory {
  constructor(private readonly api: ApiClient) {}

  static async of(deployment: Deployment, tenant: Tenant): Promise<Directory> {
    const body = { name: 'Directory', scopes: ['scim'] };
    const { key } = (await tenant.api.post('/api-keys', body)).as(apiKeyWithSecretSchema.strict());
    return new Directory(new ApiClient(`${deployment.origin}/scim/v2`, key));
  }

  async send(method: string, path: string, json?: unknown): Promise<{ status: number; body: unknown }> {
    const headers = { 'content-type': 'application/scim+json' };
    const sent = json === undefined ? {} : { headers, body: JSON.stringify(json) };
    const { status, text } = await this.api.call(method, path, sent);
    return { status, body: text === '' ? null : JSON.parse(text) };
  }

  async ok<Schema extends z.ZodType>(
    schema: Schema,
    method: string,
    path: string,
    json?: unknown,
  ): Promise<z.output<Schema>> {
    const { status, body } = await this.send(method, path, json);
    expect([status, body]).toEqual([method === 'POST' ? 201 : 200, expect.anything()]);
    return schema.parse(body);
  }

  async refused(method: string, path: string, json?: unknown): Promise<string> {
    const { status, body } = await this.send(method, path, json);
    const error = errorSchema.parse(body);
    expect(error.status).toBe(String(status));
    return `${status} ${error.scimType ?? ''}`.trim();
  }

  user(fields: Record<string, unknown> = {}) {
    const userName = `${randomUUID()}@example.com`;
    return this.ok(userSchema, 'POST', '/Users', { userName, ...fields });
  }

  patch(path: string, ...operations: unknown[]) {
    return this.send('PATCH', path, { ...PATCH, Operations: operations });
  }

  async find(filter: string, at = '/Users'): Promise<string[]> {
    const list = await this.ok(listSchema, 'GET', `${at}?filter=${encodeURIComponent(filter)}`);
    return list.Resources.map(({ id }) => id);
  }
}

describeDeployment('SCIM', (start) => {
  let deployment: Deployment;
  let tenant: Tenant;
  let scim: Directory;
  beforeAll(async () => {
    deployment = await start();
    tenant = await Tenant.create(deployment, 'Team');
    scim = await Directory.of(deployment, tenant);
  });
  afterAll(() => deployment.stop());

  /** A person who has signed in with a password. */
  async function join(role: Role) {
    const { token, id, email } = await tenant.invite(role);
    const browser = new BrowserSession(deployment.baseUrl);
    (await browser.call('POST', '/session', { token, password: PASSWORD })).assertOk();
    return { id, email: email ?? '', browser };
  }

  const isOut = (browser: BrowserSession) =>
    until(
      async () => (await browser.call('GET', '/session')).status === 403,
      'the session to end',
      EFFECTIVE_MS,
    );

  it('says what it supports', async () => {
    const { status, body } = await scim.send('GET', '/ServiceProviderConfig');
    expect([status, body]).toMatchObject([200, { patch: { supported: true }, bulk: { supported: false } }]);
    expect((await scim.ok(listSchema, 'GET', '/ResourceTypes')).totalResults).toBe(2);
    expect((await scim.ok(listSchema, 'GET', '/Schemas')).totalResults).toBe(2);
    expect((await scim.send('GET', '/Schemas/urn:ietf:params:scim:schemas:core:2.0:User')).status).toBe(200);
  });

  describe('users', () => {
    it('are created, found, changed, deactivated, activated and removed', async () => {
      const userName = `Ada.${randomUUID()}@Example.com`;
      const name = { givenName: 'Ada', familyName: 'Lovelace' };
      const ada = await scim.user({ userName, externalId: 'ext-ada', name, active: true });
      expect(ada).toMatchObject({ userName, displayName: 'Ada Lovelace', active: true });
      expect(ada.emails).toEqual([{ value: userName.toLowerCase() }]);
      for (const filter of [
        `userName eq "${userName.toUpperCase()}"`,
        'externalId eq "ext-ada"',
        `ID EQ "${ada.id}"`,
        `emails[type eq "work"].value eq "${userName}"`,
        `urn:ietf:params:scim:schemas:core:2.0:User:userName eq "${userName}"`,
      ])
        expect(await scim.find(filter)).toEqual([ada.id]);
      expect(await scim.find('externalId eq "EXT-ADA"')).toEqual([]);
      const replaced = { userName, displayName: 'Countess', externalId: 'ext-2', active: true };
      expect(await scim.ok(userSchema, 'PUT', `/Users/${ada.id}`, replaced)).toMatchObject({
        displayName: 'Countess',
        externalId: 'ext-2',
      });
      expect((await scim.send('DELETE', `/Users/${ada.id}`)).status).toBe(204);
      expect(await scim.refused('GET', `/Users/${ada.id}`)).toBe('404');
      expect(await scim.refused('DELETE', `/Users/${ada.id}`)).toBe('404');
    });

    it.each<[string, unknown[], Record<string, unknown>]>([
      ['Entra ID', [{ op: 'Replace', path: 'active', value: 'False' }], { active: false }],
      ['Okta', [{ op: 'replace', value: { active: false, id: 'x' } }], { active: false }],
      ['an add', [{ op: 'Add', path: 'displayName', value: 'New' }], { displayName: 'New' }],
      [
        'dotted names without a path',
        [{ op: 'replace', value: { 'name.givenName': 'Ada', 'name.familyName': 'King' } }],
        { displayName: 'Ada King' },
      ],
      [
        'a path with the schema',
        [{ op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:externalId', value: 'e-7' }],
        { externalId: 'e-7' },
      ],
      ['a removed name', [{ op: 'remove', path: 'displayName' }], { name: {} }],
      [
        'attributes that are not stored',
        [
          { op: 'replace', path: 'roles', value: [{ value: 'owner' }] },
          { op: 'add', path: 'title', value: 'Owner' },
          {
            op: 'add',
            path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager',
            value: 'x',
          },
        ],
        { active: true },
      ],
    ])('take the PATCH of %s', async (_, operations, expected) => {
      const { id } = await scim.user({ displayName: 'Before' });
      const { status, body } = await scim.patch(`/Users/${id}`, ...operations);
      expect([status, body]).toEqual([200, expect.objectContaining(expected)]);
    });

    it('take a new e-mail, if nobody has it', async () => {
      const [one, two] = [await scim.user(), await scim.user()];
      const work = 'emails[type eq "work"].value';
      const fresh = `${randomUUID()}@example.com`;
      const changed = await scim.patch(`/Users/${one.id}`, { op: 'replace', path: work, value: fresh });
      expect(changed.body).toMatchObject({ emails: [{ value: fresh }] });
      const taken = { op: 'replace', path: work, value: two.userName.toUpperCase() };
      expect(await scim.refused('PATCH', `/Users/${one.id}`, { ...PATCH, Operations: [taken] })).toBe(
        '409 uniqueness',
      );
    });

    it.each<[string, unknown, string]>([
      ['no userName', { active: true }, '400 invalidValue'],
      ['no e-mail', { userName: 'ada' }, '400 invalidValue'],
      ['a list', [], '400 invalidSyntax'],
      ['a wrong active', { userName: 'a@example.com', active: 'no' }, '400 invalidValue'],
      ['a control character', { userName: 'a@example.com', displayName: 'a\u0000b' }, '400 invalidValue'],
    ])('are refused with %s', async (_, body, expected) => {
      expect(await scim.refused('POST', '/Users', body)).toBe(expected);
    });

    it('are refused in the format of SCIM when values have other types', async () => {
      const { id, userName } = await scim.user();
      const group = await scim.ok(groupSchema, 'POST', '/Groups', { displayName: randomUUID() });
      const requests = hostileScimRequests({ id, userName }, group);
      let directory = scim;
      for (const [n, [method, path, json]] of requests.entries()) {
        // A key has a limited number of requests per minute.
        if (n % 200 === 0) directory = await Directory.of(deployment, tenant);
        const { status, body } = await directory.send(method, path, json);
        const what = `${method} ${path} ${JSON.stringify(json)?.slice(0, 200)}`;
        expect([what, status < 500]).toEqual([what, true]);
        if (status >= 400) expect([what, errorSchema.safeParse(body).success]).toEqual([what, true]);
      }
      expect(await scim.refused('GET', '/Users?filter=a&filter=b')).toBe('400 invalidFilter');
      const operations = { ...PATCH, Operations: [{ op: { toString: 1 }, path: 'active', value: true }] };
      expect(await scim.refused('PATCH', `/Users/${id}`, operations)).toBe('400 invalidSyntax');
    }, 120_000);

    it('are one person, whatever the case of userName, and with one externalId', async () => {
      const externalId = randomUUID();
      const { userName } = await scim.user({ externalId });
      for (const body of [
        { userName: userName.toUpperCase() },
        { userName: `${randomUUID()}@example.com`, externalId },
        { userName: 'login-7', emails: [{ value: userName }] },
      ])
        expect(await scim.refused('POST', '/Users', body)).toBe('409 uniqueness');
    });

    it('are paged', async () => {
      const own = await Tenant.create(deployment, 'Paged');
      const directory = await Directory.of(deployment, own);
      const created: string[] = [];
      for (let count = 0; count < 3; count += 1) created.push((await directory.user()).id);
      const page = (query: string) => directory.ok(listSchema, 'GET', `/Users?${query}`);
      expect(await page('startIndex=2&count=1')).toMatchObject({
        totalResults: 3,
        startIndex: 2,
        itemsPerPage: 1,
        Resources: [{ id: created[1] }],
      });
      expect(await page('startIndex=-5&count=0')).toMatchObject({ totalResults: 3, Resources: [] });
      expect(await page('startIndex=99')).toMatchObject({ totalResults: 3, Resources: [] });
      expect((await page('count=abc')).Resources).toHaveLength(3);
    });

    it.each([
      'userName eq "x" or userName pr',
      'password eq "x"',
      "userName eq 'x' OR 1=1 --",
      'userName sw "a"',
      'userName eq "x',
      'not (userName eq "x")',
      'x'.repeat(3_000),
      '__proto__ eq "x"',
    ])('are not filtered by %s', async (filter) => {
      expect(await scim.refused('GET', `/Users?filter=${encodeURIComponent(filter)}`)).toBe(
        '400 invalidFilter',
      );
    });

    it.each(["'; DROP TABLE people; --", '%', '\\" or userName pr or userName eq \\"', '" eq "'])(
      'are not found by %s',
      async (value) => {
        const { status } = await scim.send(
          'GET',
          `/Users?filter=${encodeURIComponent(`userName eq ${JSON.stringify(value)}`)}`,
        );
        expect(status).toBe(200);
        expect(await scim.find(`userName eq ${JSON.stringify(value)}`)).toEqual([]);
      },
    );

    it('who are deactivated or removed are out within seconds, and cannot sign in', async () => {
      await join('owner');
      for (const leave of ['PATCH', 'DELETE']) {
        const { id, email, browser } = await join('editor');
        const path = `/Users/${id}`;
        if (leave === 'DELETE') expect((await scim.send('DELETE', path)).status).toBe(204);
        else
          expect((await scim.patch(path, { op: 'Replace', path: 'active', value: 'False' })).status).toBe(
            200,
          );
        await isOut(browser);
        const again = new BrowserSession(deployment.baseUrl);
        (await again.call('POST', '/session', { email, password: PASSWORD })).assertError('UNAUTHORIZED');
        if (leave === 'DELETE') continue;
        await scim.patch(path, { op: 'Replace', path: 'active', value: 'True' });
        (await again.call('POST', '/session', { email, password: PASSWORD })).assertOk();
      }
    });

    it('who are deactivated are still in their other organizations', async () => {
      const other = await Tenant.create(deployment, 'Other');
      const { id, email, browser } = await join('editor');
      const accept = async (tenantOf: Tenant) => {
        const invited = await tenantOf.api.post('/people', { email, role: 'member' });
        const { token, id: invitedId } = invited.as(personWithTokenSchema.strict());
        (
          await new BrowserSession(deployment.baseUrl).call('POST', '/session', { token, password: PASSWORD })
        ).assertOk();
        return invitedId;
      };
      const idInOther = await accept(other);
      const signIn = (own = new BrowserSession(deployment.baseUrl), password = PASSWORD) =>
        own.call('POST', '/session', { email, password });
      // The account has used the first organization last.
      (await signIn(browser)).assertOk();
      const change = { organizationId: tenant.organizationId };
      (await browser.call('POST', '/session/organization', change)).assertOk();
      const off = { op: 'replace', path: 'active', value: false };
      expect((await scim.patch(`/Users/${id}`, off)).status).toBe(200);
      const own = new BrowserSession(deployment.baseUrl);
      const session = (await signIn(own)).as(sessionSchema.strict());
      expect([session.organization.name, session.organizations.length]).toEqual(['Other', 1]);
      (await own.call('POST', '/session/organization', change)).assertError('NOT_FOUND');
      // The account is not that of one organization alone.
      (await other.api.post(`/people/${idInOther}/link`, {})).assertError('CONFLICT');
      const directory = await Directory.of(deployment, other);
      expect((await directory.patch(`/Users/${idInOther}`, off)).status).toBe(200);
      const [refused, wrong] = [await signIn(), await signIn(undefined, 'another password')];
      expect(refused.assertError('UNAUTHORIZED').message).toBe(wrong.assertError('UNAUTHORIZED').message);
    });

    it('who are the last owner stay', async () => {
      const own = await Tenant.create(deployment, 'Owner');
      const directory = await Directory.of(deployment, own);
      const { token, id } = await own.invite('owner');
      const browser = new BrowserSession(deployment.baseUrl);
      (await browser.call('POST', '/session', { token, password: PASSWORD })).assertOk();
      const off = { ...PATCH, Operations: [{ op: 'replace', value: { active: false } }] };
      expect(await directory.refused('PATCH', `/Users/${id}`, off)).toBe('409');
      expect(await directory.refused('DELETE', `/Users/${id}`)).toBe('409');
      (await browser.call('GET', '/session')).assertOk();
    });

    it('are not those who have taken the e-mail in the profile', async () => {
      const { id, browser } = await join('member');
      const userName = `${randomUUID()}@example.com`;
      const claim = { email: userName.toUpperCase(), currentPassword: PASSWORD };
      (await browser.call('PATCH', '/profile', claim)).assertOk();
      expect(await scim.find(`userName eq "${userName}"`)).toEqual([]);
      expect(await scim.find(`emails.value eq "${userName}"`)).toEqual([]);
      expect(await scim.refused('GET', `/Users/${id}`)).toBe('404');
      const { body } = await scim.send('POST', '/Users', { userName });
      expect(body).toMatchObject({ scimType: 'uniqueness', detail: expect.stringContaining('profile') });
      (await tenant.api.delete(`/people/${id}`)).assertOk();
      expect(await scim.user({ userName })).toMatchObject({ userName });
    });

    it('who have an account keep its e-mail', async () => {
      const { id } = await join('member');
      const other = { op: 'replace', path: 'emails', value: [{ value: `${randomUUID()}@evil.example` }] };
      expect(await scim.refused('PATCH', `/Users/${id}`, { ...PATCH, Operations: [other] })).toBe(
        '400 mutability',
      );
    });
  });

  describe('groups', () => {
    const membersOf = async (id: string): Promise<string[]> =>
      (await tenant.api.get(`/groups/${id}/members?limit=100`))
        .as(z.array(groupMemberSchema.strict()))
        .map((member) => member.id);

    it('and their members are created, changed and removed', async () => {
      const [a, b] = [(await scim.user()).id, (await scim.user()).id];
      const displayName = `Legal ${randomUUID()}`;
      const body = { displayName, externalId: randomUUID(), members: [{ value: a }] };
      const { id } = await scim.ok(groupSchema, 'POST', '/Groups', body);
      expect(await membersOf(id)).toEqual([a]);
      expect(await scim.find(`displayName eq "${displayName.toLowerCase()}"`, '/Groups')).toEqual([id]);
      expect(await scim.find(`members eq "${a}"`, '/Groups')).toEqual([id]);
      const steps: [operation: unknown, expected: string[]][] = [
        [{ op: 'Add', path: 'members', value: [{ value: b }] }, [a, b]],
        [{ op: 'Add', path: 'members', value: [{ value: b }] }, [a, b]],
        [{ op: 'Remove', path: `members[value eq "${a}"]` }, [b]],
        [{ op: 'Remove', path: 'members', value: [{ value: b, display: 'B' }] }, []],
        [{ op: 'replace', value: { id, members: [{ value: a }, { value: b }] } }, [a, b]],
        [{ op: 'replace', path: 'members', value: [{ value: a }] }, [a]],
        [{ op: 'remove', path: 'members' }, []],
      ];
      for (const [operation, expected] of steps) {
        expect((await scim.patch(`/Groups/${id}`, operation)).status).toBe(200);
        expect((await membersOf(id)).toSorted()).toEqual(expected.toSorted());
      }
      expect(await scim.refused('POST', '/Groups', { displayName: displayName.toUpperCase() })).toBe(
        '409 uniqueness',
      );
      const without = await scim.send('GET', `/Groups/${id}?excludedAttributes=members`);
      expect(without.body).not.toHaveProperty('members');
      expect((await scim.send('DELETE', `/Groups/${id}`)).status).toBe(204);
      expect(await scim.refused('GET', `/Groups/${id}`)).toBe('404');
    });

    it('take no unknown member, and then nothing of the request', async () => {
      const { id: person } = await scim.user();
      const displayName = randomUUID();
      const members = [{ value: person }, { value: randomUUID() }];
      expect(await scim.refused('POST', '/Groups', { displayName, members })).toBe('400 invalidValue');
      expect(await scim.find(`displayName eq "${displayName}"`, '/Groups')).toEqual([]);
      const { id } = await scim.ok(groupSchema, 'POST', '/Groups', { displayName });
      const Operations = [{ op: 'add', path: 'members', value: members }];
      expect(await scim.refused('PATCH', `/Groups/${id}`, { ...PATCH, Operations })).toBe('400 invalidValue');
      expect(await membersOf(id)).toEqual([]);
    });

    it('take members of several requests at once', async () => {
      const { id } = await scim.ok(groupSchema, 'POST', '/Groups', { displayName: randomUUID() });
      const people = await Promise.all(Array.from({ length: 8 }, () => scim.user()));
      await Promise.all(
        people.map((person) =>
          scim.patch(`/Groups/${id}`, { op: 'Add', path: 'members', value: [{ value: person.id }] }),
        ),
      );
      expect(await membersOf(id)).toHaveLength(8);
    });

    it('have at most 10,000 members in a request', async () => {
      const members = Array.from({ length: 10_001 }, () => ({ value: randomUUID() }));
      expect(await scim.refused('POST', '/Groups', { displayName: 'Huge', members })).toBe(
        '400 invalidValue',
      );
    });
  });

  describe('a key', () => {
    it('does nothing else, and no other key does this', async () => {
      const body = { name: 'Directory', scopes: ['scim'] };
      const { key } = (await tenant.api.post('/api-keys', body)).as(apiKeyWithSecretSchema.strict());
      const api = new ApiClient(deployment.baseUrl, key);
      for (const path of ['/people', '/agents', '/api-keys', '/groups', '/identity-providers'])
        (await api.get(path)).assertError('FORBIDDEN');
      (await tenant.api.post('/api-keys', { name: 'K', scopes: ['scim', 'read'] })).assertError(
        'INVALID_REQUEST',
      );
      const admin = new Directory(new ApiClient(`${deployment.origin}/scim/v2`, tenant.api.key));
      expect(await admin.refused('GET', '/Users')).toBe('403');
      const nobody = new Directory(new ApiClient(`${deployment.origin}/scim/v2`, 'cw_nobody'));
      expect(await nobody.refused('GET', '/Users')).toBe('401');
    });

    it('of another organization finds nothing', async () => {
      const stranger = await Directory.of(deployment, await Tenant.create(deployment, 'Stranger'));
      const { id } = await scim.user();
      const group = await scim.ok(groupSchema, 'POST', '/Groups', { displayName: randomUUID() });
      const off = { ...PATCH, Operations: [{ op: 'replace', value: { active: false, displayName: 'x' } }] };
      for (const path of [`/Users/${id}`, `/Groups/${group.id}`]) {
        expect(await stranger.refused('GET', path)).toBe('404');
        expect(await stranger.refused('PATCH', path, off)).toBe('404');
        expect(await stranger.refused('DELETE', path)).toBe('404');
      }
      const members = [{ value: id }];
      expect(await stranger.refused('POST', '/Groups', { displayName: 'g', members })).toBe(
        '400 invalidValue',
      );
      expect(await stranger.find(`id eq "${id}"`)).toEqual([]);
    });
  });
});

import { randomUUID } from 'node:crypto';
import {
  type CreateIdentityProvider,
  type IdentityProvider,
  identityProviderSchema,
  type Person,
  personSchema,
  type Session,
} from '@citewell/contracts/schemas';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { z } from 'zod';
import { Tenant } from '../../client/tenant.js';
import type { Deployment, StartDeployment } from '../../deployments/deployment.js';
import { RedirectedBrowser } from './redirected-browser.js';
import { CLIENT_ID, CLIENT_SECRET, type Script, ScriptedProvider } from './scripted-provider.js';

/** A deployment, a scripted provider, and for each test an organization that uses it. */
export class SignInFixture {
  deployment!: Deployment;
  scripted!: ScriptedProvider;
  tenant!: Tenant;
  provider!: IdentityProvider;
  /** Of the e-mail addresses of a test. */
  domain = '';

  /** Starts everything before the tests of the current suite, and ends it after them. */
  static install(start: StartDeployment): SignInFixture {
    const fixture = new SignInFixture();
    beforeAll(async () => {
      [fixture.deployment, fixture.scripted] = await Promise.all([
        start({ ORGANIZATION_MODEL_NETWORKS: '127.0.0.0/8' }),
        ScriptedProvider.start(),
      ]);
    });
    afterAll(async () => {
      await fixture.deployment.stop();
      await fixture.scripted.close();
    });
    beforeEach(() => fixture.begin());
    afterEach(() => void (fixture.scripted.script = {}));
    return fixture;
  }

  private async begin(): Promise<void> {
    this.domain = `${randomUUID()}.example`;
    this.scripted.email = `grace@${this.domain}`;
    this.tenant = await Tenant.create(this.deployment, 'Team');
    this.provider = await this.addProvider();
  }

  async addProvider(fields: Partial<CreateIdentityProvider> = {}): Promise<IdentityProvider> {
    const body = {
      name: 'Scripted',
      issuer: this.scripted.issuer,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      defaultRole: 'member',
      ...fields,
    };
    return (await this.tenant.api.post('/identity-providers', body)).as(identityProviderSchema.strict());
  }

  browser(): RedirectedBrowser {
    return new RedirectedBrowser(this.deployment.baseUrl);
  }

  startOf({ id }: Pick<IdentityProvider, 'id'>, search = ''): string {
    return `${this.deployment.baseUrl}/session/oidc/${id}/start${search}`;
  }

  /** Goes to the provider. @returns the parameters of the authorization request */
  async goTo(browser: RedirectedBrowser, at = this.provider, search = ''): Promise<URLSearchParams> {
    const { status, location } = await browser.open(this.startOf(at, search));
    expect([status, location]).toEqual([303, expect.stringContaining(`${this.scripted.issuer}/authorize?`)]);
    const { searchParams } = new URL(location);
    this.scripted.nonce = searchParams.get('nonce') ?? '';
    return searchParams;
  }

  /** Comes back from the provider. @returns where the browser goes then */
  async comeBack(
    browser: RedirectedBrowser,
    parameters: URLSearchParams,
    answer: Record<string, string> = { code: 'code' },
  ): Promise<string> {
    const url = new URL(parameters.get('redirect_uri') ?? '');
    url.search = new URLSearchParams({ state: parameters.get('state') ?? '', ...answer }).toString();
    const { status, location } = await browser.open(url);
    expect(status).toBe(303);
    return location;
  }

  /** Signs in. @returns where the browser goes then */
  async signIn(script: Script = {}, at = this.provider, browser = this.browser()): Promise<string> {
    this.scripted.script = script;
    return this.comeBack(browser, await this.goTo(browser, at));
  }

  async sessionOf(browser: RedirectedBrowser): Promise<Session | null> {
    const { status, body } = await browser.call('GET', '/session');
    // The specification tests the shape.
    return status === 200 ? (body as Session) : null;
  }

  async people(): Promise<Person[]> {
    return (await this.tenant.api.get('/people')).as(z.array(personSchema.strict()));
  }
}

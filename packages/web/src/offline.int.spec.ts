import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AddressPolicy } from './guard/address-policy.js';
import { permittedAddresses, type Resolver } from './guard/guarded-connector.js';
import { guardedFetch } from './guard/guarded-fetch.js';
import { ProxyRules } from './guard/proxy-rules.js';
import { offlineRefusalIn, remoteFetch, restrictToHosts } from './remote-fetch.js';

const resolve = jest.fn<Resolver>(async (hostname) => {
  if (hostname === 'intranet.test') return [{ address: '10.0.0.7', family: 4 }];
  if (hostname === 'public.test') return [{ address: '93.184.216.34', family: 4 }];
  throw Object.assign(new Error('no such host'), { code: 'ENOTFOUND' });
});
const refusal = (error: unknown): unknown => offlineRefusalIn(error)?.code;

describe('offline', () => {
  let server: Server;
  let port: number;
  beforeAll(async () => {
    server = createServer(({ url }, response) =>
      response.writeHead(url === '/away' ? 302 : 200, { location: 'http://93.184.216.34/' }).end('here'),
    );
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    // A server that listens on TCP has an AddressInfo.
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => void server.close());
  beforeEach(() => {
    restrictToHosts(['llm.test']);
    resolve.mockClear();
  });
  afterEach(() => restrictToHosts(null));

  it.each(['127.0.0.1', 'localhost'])('remoteFetch reaches %s', async (host) => {
    expect(await (await remoteFetch(`http://${host}:${port}/`)).text()).toBe('here');
  });

  it.each([
    'https://api.openai.com/v1',
    'http://llm.test.example/',
    'http://93.184.216.34/',
    'http://10.0.0.7/',
    'http://127.0.0.1.example/',
  ])('remoteFetch does not call %s', async (address) => {
    expect(await remoteFetch(address).catch(refusal)).toBe('OFFLINE');
    expect(await remoteFetch(new Request(address)).catch(refusal)).toBe('OFFLINE');
  });

  it('remoteFetch calls a host that a variable names', async () => {
    // The name does not exist, so the error is that of the lookup.
    expect(await remoteFetch('http://llm.test/').catch(refusal)).toBeUndefined();
  });

  it('remoteFetch does not follow a redirect', async () => {
    await expect(remoteFetch(`http://localhost:${port}/away`)).rejects.toThrow();
    const response = await remoteFetch(`http://localhost:${port}/away`, { redirect: 'manual' });
    expect(response.status).toBe(302);
  });

  it('guardedFetch connects to allowed networks only', async () => {
    const fetch = guardedFetch(['127.0.0.0/8']);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    for (const address of ['http://93.184.216.34/', 'http://no-such-host.test/', 'http://10.0.0.7/'])
      expect(await fetch(address).catch(refusal)).toBe('OFFLINE');
  });

  it.each([
    ['intranet.test', ['10.0.0.0/8'], '10.0.0.7'],
    ['intranet.test', ['10.1.0.0/16'], 'OFFLINE'],
    ['public.test', ['10.0.0.0/8'], 'OFFLINE'],
    ['public.test', ['93.184.216.0/24'], '93.184.216.34'],
    ['unknown.test', ['10.0.0.0/8'], 'OFFLINE'],
  ])('the name %s in the networks %j leads to %s', async (name, networks, expected) => {
    const found = permittedAddresses(name, new AddressPolicy(networks), resolve);
    expect(await found.then(([first]) => first?.address).catch(refusal)).toBe(expected);
  });

  it('looks no name up if no network is allowed', async () => {
    expect(await permittedAddresses('public.test', new AddressPolicy(), resolve).catch(refusal)).toBe(
      'OFFLINE',
    );
    expect(resolve).not.toHaveBeenCalled();
  });

  it('leaves no unknown name to a proxy', async () => {
    const rules = new ProxyRules([], new AddressPolicy(['10.0.0.0/8']), resolve);
    await rules.check(new URL('http://intranet.test/'));
    for (const name of ['unknown.test', 'public.test'])
      expect(await rules.check(new URL(`http://${name}/`)).catch(refusal)).toBe('OFFLINE');
  });
});

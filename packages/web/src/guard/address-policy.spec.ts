import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AddressPolicy } from './address-policy.js';
import { parseFetchUrl } from './fetch-url.js';
import { parseRetryAfter } from './fetch-errors.js';

const REFUSED_ADDRESSES = `
0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.255.255.254
168.63.129.16 169.254.0.1 169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1
192.88.99.1 192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.250
240.0.0.1 255.255.255.255
:: ::1 ::7f00:1 ::127.0.0.1 ::a9fe:a9fe ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:169.254.169.254
::ffff:0:127.0.0.1 64:ff9b::127.0.0.1 64:ff9b:1::808:808 64:ff9b:1:ffff::1 64:ff9b:2::1 64:ff9b::7f00:1 64:ff9b::10.1.2.3 64:ff9b::a9fe:a9fe 64:ff9b:1::1
100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1::
2002:a00:1::1 2002:808:808::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fdff:ffff::1 fe80::1 fe80::1%eth0 fe80::1%25eth0
febf::1 fec0::1 ff02::1 ff0e::1 4000::1 8000::1`
  .trim()
  .split(/\s+/);

const PERMITTED_ADDRESSES = `
1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 169.253.255.255
172.15.255.255 172.32.0.0 192.0.1.1 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
2606:4700:4700::1111 2a00:1450:4001::1 2001:4860:4860::8888 2003::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8`
  .trim()
  .split(/\s+/);

const REFUSED_URLS: [string, string][] = [
  ['', 'BAD_URL'],
  ['example.org', 'BAD_URL'],
  ['//example.org/', 'BAD_URL'],
  ['http://', 'BAD_URL'],
  ['http:///', 'BAD_URL'],
  ['ftp://example.org/', 'BAD_URL'],
  ['file:///etc/passwd', 'BAD_URL'],
  ['gopher://127.0.0.1:6379/_INFO', 'BAD_URL'],
  ['data:text/html,x', 'BAD_URL'],
  ['javascript:alert(1)', 'BAD_URL'],
  ['ws://example.org/', 'BAD_URL'],
  ['http://user@example.org/', 'BAD_URL'],
  ['http://:secret@example.org/', 'BAD_URL'],
  ['http://example.org@127.0.0.1/', 'BAD_URL'],
  ['http://exa mple.org/', 'BAD_URL'],
  ['http://[fe80::1%25eth0]/', 'BAD_URL'],
  ['http://[::1/', 'BAD_URL'],
  ['http://256.1.1.1/', 'BAD_URL'],
  ['http://1.2.3.4.5/', 'BAD_URL'],
  ['http://example.org:99999/', 'BAD_URL'],
  [`http://example.org/${'x'.repeat(9000)}`, 'BAD_URL'],
  ['http://example.org:22/', 'PORT_BLOCKED'],
  ['http://example.org:25/', 'PORT_BLOCKED'],
  ['http://example.org:6379/', 'PORT_BLOCKED'],
  ['http://example.org:5432/', 'PORT_BLOCKED'],
  ['https://example.org:2375/', 'PORT_BLOCKED'],
  ['http://example.org:81/', 'PORT_BLOCKED'],
  ['http://example.org:631/', 'PORT_BLOCKED'],
  ['http://example.org:1023/', 'PORT_BLOCKED'],
  ['http://example.org:0/', 'PORT_BLOCKED'],
];

describe('AddressPolicy', () => {
  for (const address of REFUSED_ADDRESSES) {
    it(`refuses ${address}`, () => expect(new AddressPolicy().permits(address)).toBe(false));
  }
  for (const address of PERMITTED_ADDRESSES) {
    it(`permits ${address}`, () => expect(new AddressPolicy().permits(address)).toBe(true));
  }

  it('refuses anything that is not an address', () => {
    for (const text of ['', 'localhost', '1.2.3.4.5', '[::1]', 'g::1', ' 8.8.8.8', '0x7f.1', '2130706433']) {
      expect([text, new AddressPolicy().permits(text)]).toEqual([text, false]);
    }
  });

  it('permits the allowed networks and nothing else', () => {
    const policy = new AddressPolicy(['127.0.0.0/8', 'fd00::/8']);
    for (const address of ['127.0.0.1', '127.9.9.9', '::ffff:127.0.0.1', '64:ff9b::127.0.0.1', 'fd12::1']) {
      expect([address, policy.permits(address)]).toEqual([address, true]);
      expect([address, policy.isAllowedPrivate(address)]).toEqual([address, true]);
    }
    for (const address of ['10.0.0.1', '::1', 'fc00::1', '128.0.0.0.1']) {
      expect([address, policy.permits(address)]).toEqual([address, false]);
    }
    expect(policy.isAllowedPrivate('8.8.8.8')).toBe(false);
  });

  it('throws for an entry that is not a network', () => {
    for (const entry of ['127.0.0.1', 'localhost', '10.0.0.0/33', '']) {
      expect(() => new AddressPolicy([entry])).toThrow(TypeError);
    }
  });

  it('treats all notations of an IPv4 address alike', () => {
    const policy = new AddressPolicy();
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const permitted = policy.permits(address);
        expect(policy.permits(`::ffff:${address}`)).toBe(permitted);
        expect(policy.permits(`64:ff9b::${address}`)).toBe(permitted);
        expect(policy.permits(`::${address}`)).toBe(false);
      }),
    );
  });
});

describe('parseFetchUrl', () => {
  for (const [url, code] of REFUSED_URLS) {
    it(`refuses ${JSON.stringify(url.slice(0, 60))}`, () => {
      expect(() => parseFetchUrl(url)).toThrow(
        expect.objectContaining({ name: 'WebFetchError', code, kind: 'blocked' }),
      );
    });
  }

  it('accepts ordinary URLs', () => {
    for (const url of [
      'http://example.org:80/',
      'https://example.org:443',
      'http://example.org:1024/',
      'http://example.org',
      'https://example.org:8443/a?b#c',
      'HTTP://EXAMPLE.org:8080/',
    ]) {
      expect(parseFetchUrl(url).href).toBe(new URL(url).href);
    }
    expect(parseFetchUrl('../x', new URL('http://example.org/a/b')).href).toBe('http://example.org/x');
  });
});

describe('parseRetryAfter', () => {
  it('parses seconds and dates, and nothing else', () => {
    const now = Date.parse('Fri, 20 Nov 2026 12:00:00 GMT');
    expect(parseRetryAfter('120', now)).toBe(120_000);
    expect(parseRetryAfter('Fri, 20 Nov 2026 12:01:00 GMT', now)).toBe(60_000);
    expect(parseRetryAfter('Fri, 20 Nov 2026 11:00:00 GMT', now)).toBe(0);
    for (const value of [undefined, '', '-5', '1.5', 'soon'])
      expect(parseRetryAfter(value, now)).toBeUndefined();
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_ROBOTS_BYTES, productTokenOf, readRobotsDirectives, RobotsFile } from './robots-file.js';

type Case = readonly [why: string, file: string, path: string, isAllowed: boolean];

const all = (...rules: string[]): string => ['User-agent: *', ...rules].join('\n');
const allow = (path: string): string => all('Disallow: /', `Allow: ${path}`);
const disallow = (path: string): string => all(`Disallow: ${path}`);

/** Whether Citewell may fetch a path of http://e.org. */
const PATTERNS: readonly Case[] = [
  ['a path covers itself', disallow('/fish'), '/fish', false],
  ['… and every path that starts with it', disallow('/fish'), '/fish.html', false],
  ['… folders too', disallow('/fish'), '/fish/salmon', false],
  ['… names too', disallow('/fish'), '/fishheads/yummy.html', false],
  ['… and queries', disallow('/fish'), '/fish.php?id=x', false],
  ['case matters', disallow('/fish'), '/Fish.asp', true],
  ['a path is compared with the start only', disallow('/fish'), '/catfish', true],
  ['a query is not a path', disallow('/fish'), '/?id=fish', true],
  ['a folder does not cover the name without slash', disallow('/fish/'), '/fish', true],
  ['a folder covers its contents', disallow('/fish/'), '/fish/?id=x', false],
  ['a trailing star changes nothing', disallow('/fish*'), '/fishheads', false],
  ['a trailing star may be empty', disallow('/fish*'), '/fish', false],
  ['a star is any run of characters', disallow('/*.php'), '/folder/filename.php', false],
  ['… slashes too', disallow('/a*z'), '/a/b/c/z', false],
  ['… or no characters', disallow('/a*b'), '/ab', false],
  ['without $ more characters may follow', disallow('/*.php'), '/filename.php?parameters', false],
  ['… of any kind', disallow('/*.php'), '/filename.php/', false],
  ['the text after a star must match', disallow('/*.php'), '/windows.PHP', true],
  ['$ is the end', disallow('/*.php$'), '/filename.php', false],
  ['… nothing may follow', disallow('/*.php$'), '/filename.php5', true],
  ['… no query', disallow('/*.php$'), '/filename.php?x', true],
  ['… no slash', disallow('/*.php$'), '/filename.php/', true],
  ['$ without a star is the path alone', disallow('/a$'), '/a', false],
  ['… and nothing longer', disallow('/a$'), '/ab', true],
  ['/$ is the front page', disallow('/$'), '/', false],
  ['… only', disallow('/$'), '/a', true],
  ['$ elsewhere is a dollar sign', disallow('/a$b'), '/a$b', false],
  ['… and no end', disallow('/a$b'), '/a', true],
  ['several stars', disallow('/a*b*c'), '/a1b2c3', false],
  ['… in their order', disallow('/a*b*c'), '/a1c2b3', true],
  ['… at different positions', disallow('/a*bb*b$'), '/abb', true],
  ['a star before $', disallow('/a*$'), '/abc', false],
  ['the anchored text may occur twice', disallow('/*a$'), '/aba', false],
  ['two stars are one', disallow('/a**b'), '/axb', false],
  ['a pattern may begin with a star', disallow('*.pdf'), '/x/y.pdf', false],
  ['a lone star is everything', disallow('*'), '/x', false],
  ['a pattern may require a query', disallow('/*?'), '/a?b', false],
  ['… and does not match without one', disallow('/*?'), '/a', true],
  ['a pattern may require a parameter', disallow('/*?*sort='), '/list?page=2&sort=up', false],
  ['patterns are no regular expressions', disallow('/a.c'), '/abc', true],
  ['… with any operators', disallow('/a+(b)[c]'), '/a+(b)[c]', false],
  ['a backslash escapes nothing', disallow('/a\\*b'), '/a*b', true],
  ['the fragment does not count', disallow('/a$'), '/a#b', false],
];

const ENCODINGS: readonly Case[] = [
  ['a path in UTF-8 and one escaped', disallow('/foo/bar/ツ'), '/foo/bar/%E3%83%84', false],
  ['an escaped pattern and a path in UTF-8', disallow('/foo/bar/%E3%83%84'), '/foo/bar/ツ', false],
  ['digits of escapes in any case', disallow('/%e3%83%84'), '/%E3%83%84', false],
  ['escaped letters are letters', disallow('/foo/bar/%62%61%7A'), '/foo/bar/baz', false],
  ['… in the URL too', disallow('/foo/bar/baz'), '/foo/bar/%62%61%7A', false],
  ['~ and %7E are the same', disallow('/%7Ejoe'), '/~joe', false],
  ['an escaped slash is no slash', disallow('/a%2Fb'), '/a/b', true],
  ['… but itself', disallow('/a%2fb'), '/a%2Fb', false],
  ['an escaped star is a star', disallow('/path/%2A.html'), '/path/*.html', false],
  ['… and no wildcard', disallow('/path/%2A.html'), '/path/x.html', true],
  ['… also for the escaped URL', disallow('/path/%2A.html'), '/path/%2A.html', false],
  ['an escaped dollar is a dollar', disallow('/path/foo-%24'), '/path/foo-$', false],
  ['… and no end', disallow('/path/foo-%24'), '/path/foo-', true],
  ['spaces', disallow('/a b'), '/a%20b', false],
  ['a stray percent sign', disallow('/100%'), '/100%25', false],
];

const PRECEDENCE: readonly Case[] = [
  ['the longer rule wins: allow', all('Allow: /p', 'Disallow: /'), '/page', true],
  ['the longer rule wins: disallow', all('Allow: /', 'Disallow: /p'), '/page', false],
  ['the order does not matter', all('Disallow: /', 'Allow: /p'), '/page', true],
  ['of equals allow wins', all('Disallow: /folder', 'Allow: /folder'), '/folder/page', true],
  ['… in any order', all('Allow: /folder', 'Disallow: /folder'), '/folder/page', true],
  ['a wildcard counts by its length', all('Allow: /page', 'Disallow: /*.htm'), '/page.htm', false],
  ['… and may lose', all('Allow: /folder/page', 'Disallow: /*.html'), '/folder/page.html', true],
  ['$ counts', all('Allow: /$', 'Disallow: /'), '/', true],
  ['… and matches the end only', all('Allow: /$', 'Disallow: /'), '/page.htm', false],
  ['an escape counts as one octet', all('Allow: /b%61z', 'Disallow: /baz/'), '/baz/', false],
  [
    'the three rules of RFC 9309, 5.2: allow',
    all('Allow: /example/page/', 'Disallow: /example/page/disallowed.gif'),
    '/example/page/',
    true,
  ],
  [
    '… disallow',
    all('Allow: /example/page/', 'Disallow: /example/page/disallowed.gif'),
    '/example/page/disallowed.gif',
    false,
  ],
  ['no match: allowed', all('Disallow: /a', 'Allow: /a/b'), '/c', true],
  ['rules repeated change nothing', all('Disallow: /a', 'Disallow: /a', 'Allow: /a/b'), '/a/b', true],
];

const GROUPS: readonly Case[] = [
  ['an empty file allows', '', '/a', true],
  ['a group for others only allows', 'User-agent: other\nDisallow: /', '/a', true],
  ['a star names every crawler', 'User-agent: *\nDisallow: /', '/a', false],
  ['our name', 'User-agent: Citewell\nDisallow: /', '/a', false],
  ['… in any case', 'User-agent: CITEWELL\nDisallow: /', '/a', false],
  ['… with a version', 'User-agent: citewell/2.0\nDisallow: /', '/a', false],
  ['… with words after it', 'User-agent: citewell crawler\nDisallow: /', '/a', false],
  ['a part of our name is another', 'User-agent: cite\nDisallow: /', '/a', true],
  ['a longer name is another', 'User-agent: citewell-images\nDisallow: /', '/a', true],
  [
    'our group replaces the one for everyone',
    'User-agent: *\nDisallow: /\nUser-agent: citewell\nDisallow: /b',
    '/a',
    true,
  ],
  ['… wherever it stands', 'User-agent: citewell\nDisallow: /b\nUser-agent: *\nDisallow: /', '/a', true],
  [
    'a name with no rule of its own shares those of the next',
    'User-agent: citewell\n\nUser-agent: *\nDisallow: /',
    '/a',
    false,
  ],
  ['… with an empty rule', 'User-agent: citewell\nDisallow:\n\nUser-agent: *\nDisallow: /', '/a', true],
  [
    '… with a rule that does not match this path',
    'User-agent: *\nDisallow: /a\nUser-agent: citewell\nAllow: /b',
    '/a',
    true,
  ],
  [
    'groups of one name are merged',
    'User-agent: citewell\nDisallow: /a\nUser-agent: x\nDisallow: /\nUser-agent: citewell\nDisallow: /b',
    '/b',
    false,
  ],
  [
    '… all of them',
    'User-agent: citewell\nDisallow: /a\nUser-agent: x\nDisallow: /\nUser-agent: citewell\nDisallow: /b',
    '/a',
    false,
  ],
  [
    '… without rules of other groups',
    'User-agent: citewell\nDisallow: /a\nUser-agent: x\nDisallow: /\nUser-agent: citewell\nDisallow: /b',
    '/c',
    true,
  ],
  ['groups for everyone are merged', 'User-agent: *\nDisallow: /a\nUser-agent: *\nAllow: /a/b', '/a/b', true],
  [
    'one group, several names',
    'User-agent: x\nUser-agent: citewell\nUser-agent: y\nDisallow: /a',
    '/a',
    false,
  ],
  ['… everyone among them', 'User-agent: x\nUser-agent: *\nDisallow: /a', '/a', false],
  ['empty lines do not end a group', 'User-agent: citewell\n\n\nDisallow: /a\n\nDisallow: /b', '/b', false],
  ['… nor the list of agents', 'User-agent: citewell\n\nUser-agent: x\nDisallow: /a', '/a', false],
  [
    'a name after a rule begins a group',
    'User-agent: citewell\nAllow: /\nUser-agent: x\nDisallow: /',
    '/a',
    true,
  ],
  ['… an empty rule too', 'User-agent: citewell\nDisallow:\nUser-agent: x\nDisallow: /', '/a', true],
  [
    'a sitemap does not end the list of agents',
    'User-agent: citewell\nSitemap: http://e.org/s\nUser-agent: x\nDisallow: /',
    '/a',
    false,
  ],
  ['nor do unknown records', 'User-agent: citewell\nNoindex: /x\nUser-agent: x\nDisallow: /', '/a', false],
  ['… nor within the rules', 'User-agent: citewell\nDisallow: /a\nHost: e.org\nDisallow: /b', '/b', false],
  ['rules before any name are ignored', 'Disallow: /\nUser-agent: citewell\nDisallow: /b', '/a', true],
  ['a star with words after it is everyone', 'User-agent: * bots\nDisallow: /', '/a', false],
  ['a star in a name is no wildcard', 'User-agent: cite*\nDisallow: /', '/a', true],
  ['… nor after a star', 'User-agent: *well\nDisallow: /', '/a', true],
  ['an empty name is ignored', 'User-agent:\nDisallow: /', '/a', true],
];

const LINES: readonly Case[] = [
  ['CRLF', 'User-agent: *\r\nDisallow: /a\r\n', '/a', false],
  ['CR', 'User-agent: *\rDisallow: /a\rDisallow: /b', '/b', false],
  ['no end of line at the end', 'User-agent: *\nDisallow: /a', '/a', false],
  ['a byte order mark', '\ufeffUser-agent: *\nDisallow: /a', '/a', false],
  ['white space around', '  User-agent :\t*  \n\tDisallow  :  /a\t ', '/a', false],
  ['no white space', 'User-agent:*\nDisallow:/a', '/a', false],
  ['fields in any case', 'USER-AGENT: *\ndIsAlLoW: /a', '/a', false],
  ['a comment on its own line', '# all\nUser-agent: *\n# none\nDisallow: /a', '/a', false],
  ['a comment behind a rule', all('Disallow: /a # not here', 'Disallow: /b#nor here'), '/a', false],
  ['… without a space', all('Disallow: /b#nor here'), '/b', false],
  ['a comment behind a name', 'User-agent: citewell # us\nDisallow: /', '/a', false],
  ['a rule that is a comment', all('#Disallow: /'), '/a', true],
  ['an empty disallow allows', all('Disallow:'), '/a', true],
  ['… and cancels no other rule', all('Disallow: /a', 'Disallow:'), '/a', false],
  ['an empty allow allows nothing', all('Disallow: /', 'Allow:'), '/a', false],
  ['a value with no slash is no path', all('Disallow: a'), '/a', true],
  ['a URL is no path', all('Disallow: http://e.org/a'), '/a', true],
  ['a colon in the path', all('Disallow: /a:b'), '/a:b', false],
  ['a missing colon', 'User-agent *\nDisallow /a', '/a', false],
  ['… is not assumed in a sentence', all('Disallow nothing at all', 'Disallow /a b'), '/a', true],
  ['a misspelt field', 'Useragent: *\nDissallow: /a', '/a', false],
  ['an unknown field', all('Forbid: /a'), '/a', true],
  [
    'a page in place of a file',
    '<!doctype html><html><body>User-agent: *\nDisallow: /</body></html>',
    '/a',
    true,
  ],
  ['binary', 'User-agent: *\n\0\u0001\u0002\nDisallow: /a', '/a', false],
  ['the name of a property of objects', all('constructor: /a', '__proto__: /a'), '/a', true],
];

const SPECIAL: readonly Case[] = [
  ['robots.txt itself may always be read', all('Disallow: /'), '/robots.txt', true],
  ['… but no similar path', all('Disallow: /'), '/robots.txt.bak', false],
  ['the front page', all('Disallow: /'), '/', false],
  ['… and its query', all('Disallow: /?'), '/?a', false],
  ['a single allowed folder', allow('/public/'), '/public/a', true],
  ['… and nothing else', allow('/public/'), '/publicity', false],
];

describe('RobotsFile', () => {
  for (const [name, cases] of Object.entries({ PATTERNS, ENCODINGS, PRECEDENCE, GROUPS, LINES, SPECIAL })) {
    describe(name.toLowerCase(), () => {
      for (const [why, file, path, isAllowed] of cases) {
        it(`${why}: ${isAllowed ? 'allows' : 'refuses'} ${path}`, () => {
          const rules = new RobotsFile(file).rulesFor('Citewell/0.1 (+https://example.org)');
          expect(rules.allows(`http://e.org${path}`)).toBe(isAllowed);
        });
      }
    });
  }

  it('compares octets, whatever the encoding of the file', () => {
    const latin1 = new RobotsFile(Buffer.from(disallow('/caf\u00e9'), 'latin1')).rulesFor('x');
    expect(latin1.allows('http://e.org/caf%E9')).toBe(false);
    expect(latin1.allows('http://e.org/café')).toBe(true);
  });

  it('reads 500 KiB, up to the last complete line', () => {
    const head = all('Disallow: /a', '');
    const padding = '#'.repeat(MAX_ROBOTS_BYTES - head.length - 'x\nDisallow: /b'.length);
    const file = `${head}${padding}x\nDisallow: /b`;
    expect(file).toHaveLength(MAX_ROBOTS_BYTES);
    const pathsRefused = (content: string): boolean[] => {
      const rules = new RobotsFile(content).rulesFor('x');
      return ['/a', '/b', '/bc'].map((path) => !rules.allows(`http://e.org${path}`));
    };
    expect(pathsRefused(file)).toEqual([true, true, true]);
    expect(pathsRefused(`${file}c\nDisallow: /`)).toEqual([true, false, false]);
  });

  it('reads hostile lines in linear time', () => {
    for (const line of [
      `a${' '.repeat(400_000)}b`,
      `Disallow: /${'*a'.repeat(200_000)}b`,
      'a'.repeat(400_000),
    ]) {
      expect(new RobotsFile(all(line)).rulesFor('x').allows(`http://e.org/${'a'.repeat(8000)}`)).toBe(true);
    }
  });

  it('refuses long addresses if there are too many rules with wildcards', () => {
    const rules = new RobotsFile(all(...Array<string>(30_000).fill('Disallow:/*aab'))).rulesFor('Citewell');
    expect(rules.allows(`http://e.org/${'a'.repeat(2_000)}`)).toBe(false);
    expect(rules.allows(`http://e.org/${'a'.repeat(50)}`)).toBe(true);
  });

  it('lists the absolute URLs of the sitemaps of all groups, without duplicates', () => {
    const file = `sitemap: /a.xml
User-agent: x
SITEMAP:http://other.org/b.xml # all of it
Disallow: /
Site-map: http://e.org/c.xml?x=1:2
Sitemap: ftp://e.org/d.xml
Sitemap:
Sitemap: /a.xml
Sitemap: /ü.xml`;
    expect(new RobotsFile(file, 'http://e.org/robots.txt').sitemaps).toEqual([
      'http://e.org/a.xml',
      'http://other.org/b.xml',
      'http://e.org/c.xml?x=1:2',
      'http://e.org/%C3%BC.xml',
    ]);
    expect(new RobotsFile(file).sitemaps).toEqual(['http://other.org/b.xml', 'http://e.org/c.xml?x=1:2']);
  });

  describe('Crawl-delay', () => {
    const rows: readonly (readonly [file: string, delayMs: number | null])[] = [
      [all('Disallow: /a'), null],
      [all('Crawl-delay: 10'), 10_000],
      [all('Crawl-Delay: 0.5', 'Disallow: /a'), 500],
      [all('Disallow: /a', 'Crawl-delay: 2.'), 2000],
      [all('Crawl-delay: 86400'), 60_000],
      [all('Crawl-delay: 0'), 0],
      [all('Crawl-delay: soon', 'Crawl-delay: -1', 'Crawl-delay: 1e3', 'Crawl-delay:'), null],
      [all('Crawl-delay: 1', 'Crawl-delay: 3', 'Crawl-delay: 2'), 3000],
      ['Crawl-delay: 5\nUser-agent: *', null],
      ['User-agent: *\nCrawl-delay: 5\nUser-agent: citewell\nDisallow: /a', 5000],
      ['User-agent: *\nCrawl-delay: 5\nDisallow: /\nUser-agent: citewell\nDisallow: /a', null],
    ];
    for (const [file, delayMs] of rows) {
      it(`is ${delayMs} in ${JSON.stringify(file)}`, () =>
        expect(new RobotsFile(file).rulesFor('Citewell').crawlDelayMs).toBe(delayMs));
    }
  });

  it('never throws, and forbids nothing without a Disallow line', () => {
    const line = fc.oneof(
      fc.string(),
      fc
        .tuple(
          fc.constantFrom('User-agent: ', 'Disallow: /', 'Allow: /', 'Allow: *', 'Crawl-delay: '),
          fc.string(),
        )
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(fc.array(line), fc.webPath(), (lines, path) => {
        const rules = new RobotsFile(lines.join('\n')).rulesFor('Citewell');
        if (!rules.allows(`http://e.org${path}`)) expect(lines.join('\n')).toMatch(/disallow/i);
      }),
    );
  });
});

describe('productTokenOf', () => {
  it('returns the first product of a User-Agent', () => {
    expect(productTokenOf('Citewell/0.1 (self-hosted)')).toBe('citewell');
    expect(productTokenOf('My_Bot-x 2')).toBe('my_bot-x');
    expect(productTokenOf('123')).toBe('');
  });
});

const ROWS: readonly (readonly [values: string[], found: string])[] = [
  [[], ''],
  [['noindex'], 'noindex'],
  [['NoIndex, NoFollow'], 'noindex nofollow'],
  [['none'], 'noindex nofollow'],
  [['index, follow'], ''],
  [['nofollow', 'noindex'], 'noindex nofollow'],
  [['index', 'noindex'], 'noindex'],
  [['otherbot: noindex'], ''],
  [['otherbot: noindex, nofollow'], ''],
  [['citewell: noindex, nofollow'], 'noindex nofollow'],
  [['otherbot: noindex, Citewell: nofollow'], 'nofollow'],
  [['robots: noindex'], 'noindex'],
  [['noindexing'], ''],
  [['max-snippet: 20, noindex'], 'noindex'],
  [['unavailable_after: Fri, 20 Nov 2020 12:00:00 GMT, nofollow'], 'nofollow'],
];

describe('readRobotsDirectives', () => {
  for (const [values, found] of ROWS) {
    it(`reads ${JSON.stringify(values)}`, () => {
      const { noindex, nofollow } = readRobotsDirectives(values, 'Citewell/1.0');
      expect([noindex && 'noindex', nofollow && 'nofollow'].filter(Boolean).join(' ')).toBe(found);
    });
  }
});

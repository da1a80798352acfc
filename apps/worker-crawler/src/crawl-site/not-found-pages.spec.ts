import { describe, expect, it } from '@jest/globals';
import { NotFoundPages } from './not-found-pages.js';

const HOME = 'https://site.example';
const MENU = 'Home Products Prices Contact Imprint Search Log in Newsletter Press Jobs Terms Privacy';
const PRODUCTS = ['lamp', 'table', 'chair', 'shelf', 'bed', 'desk', 'sofa', 'rug', 'clock', 'mirror'];

/** What a server shows at an address; null for an honest 404. @param count requests so far */
type Server = (path: string, count: number) => string | null;

/** The paths that are no pages, with the reason, and those that were probed. */
async function crawl(
  paths: readonly string[],
  server: Server,
): Promise<{ left: string[]; probes: string[] }> {
  const pages = new NotFoundPages();
  const left: string[] = [];
  const probes: string[] = [];
  let count = 0;
  const show = (path: string): string | null => server(path, (count += 1));
  for (const path of paths) {
    const text = show(path);
    if (text === null) continue;
    const page = {
      url: HOME + path,
      text,
      textHash: text,
      isLinked: !path.startsWith('/listed'),
      isKept: path === '/',
    };
    const reason = await pages.reasonAgainst(page, async (url) => {
      probes.push(url);
      return show(url.slice(HOME.length));
    });
    if (reason !== null) left.push(`${path} ${reason}`);
  }
  return { left, probes };
}

/** A server with some pages. @param other what it shows at all other addresses */
function serverOf(pages: Readonly<Record<string, string>>, other: Server): Server {
  return (path, count) => pages[decodeURIComponent(path)] ?? other(path, count);
}

const MISSING = [
  '/gone/',
  '/gone/api/jobs/',
  '/gone/img.html',
  '/up/',
  '/gone/%C3%A4pfel',
  '/gone/api/x/y?z=1',
];
const all = (reason: string): string[] => MISSING.slice(1).map((path) => `${path} ${reason}`);

describe('NotFoundPages', () => {
  it.each<[string, Server]>([
    ['the same page', () => 'Sorry, this page does not exist.'],
    ['its address', (path) => `Sorry, ${path} does not exist.`],
    ['its address, decoded', (path) => `Leider gibt es ${decodeURIComponent(path)} nicht. ${MENU}`],
    [
      'its whole address and a time',
      (path, count) => `At 12:05:${10 + count}, ${HOME}${path} was not found.`,
    ],
    ['the number of the request', (_path, count) => `Not found. ${MENU}. Request ${count}-ab${count}f-7c.`],
    ['words of its address', (path) => `No results for ${path.split(/\W+/).join(' ')}. ${MENU}`],
    ['the home page', () => `Welcome. ${MENU}`],
  ])('leaves out what a server shows for missing addresses: %s', async (_name, other) => {
    const { left, probes } = await crawl(MISSING, serverOf({}, other));
    expect(left).toEqual(all('NOT_FOUND_PAGE'));
    expect(probes).toHaveLength(2);
  });

  const family = (text: (name: string, index: number) => string): Record<string, string> =>
    Object.fromEntries(PRODUCTS.map((name, index) => [`/p/${name}`, text(name, index)]));

  it.each<[string, Record<string, string>, Server]>([
    [
      'products',
      family((name, index) => `${name} ${index * 7 + 5} EUR. ${MENU}`),
      (path) => `${path} is no product. ${MENU}`,
    ],
    [
      'products beside an error page with their words',
      family((name) => `Buy ${name}. ${MENU}`),
      () => `Buy nothing. Not found. ${MENU}`,
    ],
    [
      'a gallery',
      family((_name, index) => `Photo ${index + 1} of 10. ${MENU}`),
      () => `Nothing here. ${MENU}`,
    ],
    [
      'stations',
      family((_name, index) => `Station ${index} Temperature ${index + 10}.5 Pressure 1013`),
      () => 'Station Temperature Pressure',
    ],
    [
      'a calendar',
      family((_name, index) => `Events in month ${index + 1}: none`),
      () => 'Events in month 5: none on this day',
    ],
    ['an honest server', family((name) => `The ${name}. ${MENU}`), () => null],
    [
      'pages that name themselves',
      family((name) => `The ${name} is in stock.`),
      (path) => `No ${path} in this shop.`,
    ],
    [
      'a list of suggestions',
      family((name) => `The ${name}. ${MENU}`),
      (_path, count) =>
        `Did you mean ${PRODUCTS[count % 10]} or ${PRODUCTS[(count * 3) % 10]} or ${PRODUCTS[(count * 7) % 10]}?`,
    ],
  ])('keeps pages that are alike: %s', async (_name, pages, other) => {
    expect((await crawl(Object.keys(pages), serverOf(pages, other))).left).toEqual([]);
  });

  it('keeps the start that a server shows everywhere', async () => {
    const { left } = await crawl(['/', '/a', '/b', '/'], () => 'Welcome to the shop.');
    expect(left).toEqual(['/a NOT_FOUND_PAGE', '/b NOT_FOUND_PAGE']);
  });

  it.each([
    ['linked', 1],
    ['listed', 0],
  ])('asks an honest server once for what it shows, for pages that are %s', async (folder, count) => {
    const paths = Array.from({ length: 100 }, (_value, index) => `/${folder}/${index}`);
    const { left, probes } = await crawl(paths, (path) =>
      path.startsWith(`/${folder}/`) ? `Photo ${path}` : null,
    );
    expect([left, probes.length]).toEqual([[], count]);
  });

  it('leaves out listed pages once it knows what a server shows for missing addresses', async () => {
    const { left } = await crawl(['/a/b', '/a/c', '/listed/gone'], (path) => `Sorry, ${path} is missing.`);
    expect(left).toEqual(['/a/c NOT_FOUND_PAGE', '/listed/gone NOT_FOUND_PAGE']);
  });

  it('leaves out pages with the same text after 20 in a row', async () => {
    const paths = Array.from({ length: 30 }, (_value, index) => `/${index}/print`);
    const server: Server = (path) => (path.endsWith('/print') ? 'Log in to print.' : null);
    expect((await crawl(paths, server)).left).toEqual(paths.slice(20).map((path) => `${path} REPEATED`));
    const mixed = paths.flatMap((path, index) => (index % 20 === 0 ? ['/other/print', path] : [path]));
    const { left } = await crawl(mixed, (path) =>
      path.startsWith('/other') ? 'Another one.' : server(path, 0),
    );
    expect(left).toEqual([]);
  });

  it('takes a long text for content', async () => {
    expect((await crawl(MISSING, () => `${MENU} `.repeat(300))).left).toEqual([]);
  });
});

import { seededRandom } from '@citewell/retrieval';
import { GeneratedText } from '../product/generated-text.js';
import { GeneratedSite } from './generated-site.js';

export const SCRIPTED_KINDS = ['static', 'app', 'mixed'] as const;
export type ScriptedKind = (typeof SCRIPTED_KINDS)[number];

const PARAGRAPHS = 300;
const INHERITED = 60;
/** Of a mixed site, one page of so many belongs to the application. */
const APP_SHARE = 10;

const head = (title: string, script: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><script defer src="${script}"></script></head>`;

/** Adds a menu to a page of the documentation, as documentation generators do. */
const DOCS_SCRIPT = `document.querySelector('#menu').innerHTML =
  '<ul>' + Array.from({ length: 20 }, (_, n) => '<li><a href="/docs/page-' + n + '">Page ' + n + '</a></li>').join('') + '</ul>';`;
const APP_SCRIPT = `fetch('/api' + location.pathname).then((answer) => answer.text())
  .then((text) => { document.querySelector('#root').innerHTML = '<main>' + text + '</main>'; });`;

/**
 * A site whose pages have scripts.
 *
 * - `static`: a half is guides. The other half is a reference like that of TypeDoc: most lines of a class are members that
 *   it inherits, and some pages have hardly any text. The script adds a menu.
 * - `app`: a script shows the text of each page.
 * - `mixed`: a tenth of the pages is an application, the others are `static`.
 */
export class ScriptedSite {
  private readonly guide: GeneratedSite;
  private readonly paragraphs: readonly string[];

  constructor(
    private readonly pages: number,
    private readonly kind: ScriptedKind,
  ) {
    this.guide = new GeneratedSite(pages);
    const text = new GeneratedText(7);
    this.paragraphs = Array.from({ length: PARAGRAPHS }, () => text.paragraph());
  }

  /** What an address answers with; null if there is nothing. */
  content(path: string): { readonly text: string; readonly extension: string } | null {
    if (path === '/docs.js') return { text: DOCS_SCRIPT, extension: '.js' };
    if (path === '/app.js') return { text: APP_SCRIPT, extension: '.js' };
    const [, api, folder, digits] = /^(\/api)?\/(docs|app)\/page-(\d+)$/.exec(path) ?? [];
    const n = Number(digits ?? this.pages);
    if (n >= this.pages || this.isApp(n) !== (folder === 'app')) return null;
    const text = api === undefined ? this.html(n) : this.textOf(n);
    return { text, extension: '.html' };
  }

  sitemap(origin: string): string {
    const entries = Array.from(
      { length: this.pages },
      (_, n) => `<url><loc>${origin}/${this.isApp(n) ? 'app' : 'docs'}/page-${n}</loc></url>`,
    );
    return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('\n')}</urlset>`;
  }

  private isApp(n: number): boolean {
    return this.kind === 'app' || (this.kind === 'mixed' && n % APP_SHARE === APP_SHARE - 1);
  }

  private html(n: number): string {
    if (this.isApp(n)) return `${head('Harbour', '/app.js')}<body><div id="root"></div></body></html>`;
    if (n % 2 === 0)
      return this.guide
        .html(n)
        .replace('</head>', '<script defer src="/docs.js"></script></head>')
        .replace('<ul>', '<ul id="menu">');
    // A description such as that of a type alias.
    const own = `<h1>Class Part${n}</h1><p>Describes part ${n} of the harbour.</p>`;
    return `${head(`Part${n} | Reference`, '/docs.js')}<body><nav id="menu"></nav><main>${own}${n % 40 === 1 ? '' : this.members(n)}</main></body></html>`;
  }

  /** A member of its own and {@link INHERITED} of a base class. */
  private members(n: number): string {
    const member = (name: string, place: number): string =>
      `<section><h3 id="${name}">${name}</h3><p>${this.paragraphs[place % PARAGRAPHS] ?? ''}</p></section>`;
    const inherited = Array.from({ length: INHERITED }, (_, place) => member(`inherited${place}`, place));
    return `<h2>Methods</h2>${member(`own${n}`, n)}${inherited.join('\n')}`;
  }

  private textOf(n: number): string {
    const random = seededRandom(n + 1);
    const text = Array.from({ length: 4 }, () => this.paragraphs[Math.floor(random() * PARAGRAPHS)] ?? '');
    return `<h1>Berth ${n}</h1>${text.map((paragraph) => `<p>${paragraph}</p>`).join('')}`;
  }
}

import { GeneratedText } from '../product/generated-text.js';
import { seededRandom } from '../seeded-random.js';

const PARAGRAPHS = 600;
const SECTIONS = 5;
const PARAGRAPHS_PER_SECTION = 2;
const NAVIGATION = 60;

/**
 * Pages as documentation has them, alike at every run: some 15 kB of HTML, of which a half is text in sections under
 * headings with ids, and the rest navigation, markup and a footer.
 */
export class GeneratedSite {
  private readonly paragraphs: readonly string[];

  constructor(readonly pages: number) {
    const text = new GeneratedText(5);
    this.paragraphs = Array.from({ length: PARAGRAPHS }, () => text.paragraph());
  }

  get paths(): string[] {
    return Array.from({ length: this.pages }, (_, n) => `/docs/page-${n}`);
  }

  /** @param revision of the page; another one says something else in its first section */
  html(n: number, revision = 0): string {
    const random = seededRandom(n + 1);
    const paragraph = (): string => `<p>${this.paragraphs[Math.floor(random() * PARAGRAPHS)] ?? ''}</p>`;
    const sections = Array.from({ length: SECTIONS }, (_, section) => {
      const own = section === 0 ? `<p>Page number ${n} in its revision ${revision}.</p>` : '';
      const text = Array.from({ length: PARAGRAPHS_PER_SECTION }, paragraph).join('\n');
      return `<h2 id="section-${section}">Section ${section} of page ${n}</h2>\n${own}${text}`;
    });
    return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Page ${n} | Handbook</title>
<meta name="description" content="Page ${n} of a generated handbook"><link rel="stylesheet" href="/style.css">
<link rel="canonical" href="/docs/page-${n}"></head>
<body><header class="site-header"><a href="/">Handbook</a><form action="/search"><input name="q"></form></header>
<nav class="sidebar"><ul>${this.navigation(n)}</ul></nav>
<main><article><h1>Page ${n}</h1>
${sections.join('\n')}
<pre><code>handbook --page ${n} --verbose\n</code></pre>
<table><thead><tr><th>Option</th><th>Meaning</th></tr></thead><tbody>
<tr><td>--page</td><td>the number of a page</td></tr><tr><td>--verbose</td><td>say more</td></tr></tbody></table>
</article></main>
<footer><p>Copyright of the handbook's authors</p></footer><script>window.page = ${n};</script></body></html>`;
  }

  sitemap(origin: string): string {
    const entries = this.paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('\n');
    return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`;
  }

  private navigation(n: number): string {
    return Array.from({ length: Math.min(NAVIGATION, this.pages) }, (_, place) => {
      const target = (n + place + 1) % this.pages;
      return `<li class="sidebar-item"><a class="sidebar-link" href="/docs/page-${target}">Page ${target}</a></li>`;
    }).join('\n');
  }
}

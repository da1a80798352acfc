import { GeneratedText } from '../product/generated-text.js';
import { seededRandom } from '@citewell/retrieval';

const PARAGRAPHS = 600;
const SECTIONS = 5;
const PARAGRAPHS_PER_SECTION = 2;
const NAVIGATION = 60;

/**
 * Pages like those of documentation, the same in every run: some 15 kB of HTML. One half is text in sections under
 * headings with ids, the rest is navigation, markup and a footer.
 */
export class GeneratedSite {
  private readonly paragraphs: readonly string[];

  /** @param hasRedirects whether the sitemap and the navigation list a meta-refresh redirect to every page as well */
  constructor(
    readonly pages: number,
    private readonly hasRedirects = false,
  ) {
    const text = new GeneratedText(5);
    this.paragraphs = Array.from({ length: PARAGRAPHS }, () => text.paragraph());
  }

  get paths(): string[] {
    return Array.from({ length: this.pages }, (_, n) => `/docs/page-${n}`);
  }

  /** A page that only redirects to page `n`. */
  redirectPage(n: number): string {
    return `<!doctype html><html><head><meta http-equiv="refresh" content="0; url=/docs/page-${n}"></head><body><p>Moved to page ${n}.</p></body></html>`;
  }

  html(n: number): string {
    const random = seededRandom(n + 1);
    const paragraph = (): string => `<p>${this.paragraphs[Math.floor(random() * PARAGRAPHS)] ?? ''}</p>`;
    const sections = Array.from({ length: SECTIONS }, (_, section) => {
      const own = section === 0 ? `<p>Page number ${n}.</p>` : '';
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
    const redirects = this.hasRedirects ? this.paths.map((path) => path.replace('/docs/', '/old/')) : [];
    const entries = [...this.paths, ...redirects]
      .map((path) => `<url><loc>${origin}${path}</loc></url>`)
      .join('\n');
    return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`;
  }

  private navigation(n: number): string {
    return Array.from({ length: Math.min(NAVIGATION, this.pages) }, (_, place) => {
      const target = (n + place + 1) % this.pages;
      const folder = this.hasRedirects && place % 2 === 0 ? 'old' : 'docs';
      return `<li class="sidebar-item"><a class="sidebar-link" href="/${folder}/page-${target}">Page ${target}</a></li>`;
    }).join('\n');
  }
}

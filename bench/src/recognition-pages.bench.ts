// Draws the pages of `recognition/page-texts.ts` as scans at 300 dpi (noisy, blurred, turned by 0.8 degrees), each with its text:
//
//   node dist/recognition-pages.bench.js FOLDER
//
// Needs Chromium, and the fonts that the texts name.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { PAGE_TEXTS, type PageText } from './recognition/page-texts.js';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: recognition-pages.bench.js FOLDER');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
// A4 at 150 dpi, drawn with two pixels for each.
const page = await browser.newPage({ viewport: { width: 1240, height: 1754 }, deviceScaleFactor: 2 });
for (const [name, text] of Object.entries(PAGE_TEXTS)) {
  await page.setContent(htmlOf(text));
  await page.evaluate('document.fonts.ready');
  await page.screenshot({ path: join(folder, `${name}.png`) });
  writeFileSync(join(folder, `${name}.txt`), text.paragraphs.join('\n'));
}
await browser.close();

function htmlOf({ font, isVertical = false, paragraphs }: PageText): string {
  const [first = '', ...others] = paragraphs;
  const body = `<h1>${first}</h1>${others.map((paragraph) => `<p>${paragraph}</p>`).join('')}`;
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; background: #f1efe8 }
    main { box-sizing: border-box; width: 1240px; height: 1754px; padding: 150px 140px; font: 23px/1.5 ${font}; color: #262626;
      transform: rotate(0.8deg); filter: blur(0.4px); ${isVertical ? 'writing-mode: vertical-rl;' : ''} }
    h1 { font-size: 36px }
    svg { position: fixed; inset: 0; mix-blend-mode: multiply; opacity: 0.6 }
  </style><main dir="auto">${body}</main>
  <svg width="1240" height="1754"><filter id="n"><feTurbulence type="fractalNoise" baseFrequency="0.9" numOctaves="2" seed="7"/>
    <feColorMatrix type="saturate" values="0"/><feComponentTransfer><feFuncR type="linear" slope="2.2" intercept="-0.2"/><feFuncG type="linear" slope="2.2" intercept="-0.2"/><feFuncB type="linear" slope="2.2" intercept="-0.2"/></feComponentTransfer></filter><rect width="1240" height="1754" filter="url(#n)"/></svg>`;
}

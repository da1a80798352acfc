import type { Browser } from 'playwright-core';
import { seededRandom } from '@citewell/retrieval';
import type { RandomDocument, Section } from './random-document.js';

const FORMATS = ['A4', 'Letter', 'A5'] as const;
const FAMILIES = ['serif', 'sans-serif'] as const;
const ALIGNMENTS = ['top', 'middle', 'baseline'] as const;

/** Writes a document with Chromium's print. Cells and entries of forms have as many lines as their column makes them. */
export async function writeWithChromium(
  browser: Browser,
  document: RandomDocument,
  seed: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const random = seededRandom(seed);
  const pick = <T>(items: readonly [T, ...T[]]): T => items[Math.floor(random() * items.length)] ?? items[0];
  const isRightToLeft = document.script === 'arabic';
  const border = pick(['', 'border: 1px solid', 'border-bottom: 1px solid']);
  const style = `
    body { font: ${8 + Math.floor(random() * 4)}pt/${pick([1.2, 1.4])} ${pick(FAMILIES)}; margin: 0 }
    section + section { break-before: page }
    h2, p, ul, table, dl, div { margin: 0 0 2.5em }
    div { columns: 2; column-gap: 2em }
    table { width: ${pick(['100%', '70%', 'auto'])}; border-collapse: collapse }
    td { ${border}; padding: ${pick(['1px 4px', '4px 10px'])}; vertical-align: ${pick(ALIGNMENTS)} }
    tr, dt { break-inside: avoid }
    dl { display: grid; grid-template-columns: ${pick(['1fr 2fr', '8em 1fr', 'auto 1fr'])}; gap: .5em 2em }
    dd { margin: 0 }`;
  const sections = document.pages.map(
    ({ sections: parts }) => `<section>${parts.map(markupOf).join('\n')}</section>`,
  );
  const page = await browser.newPage();
  try {
    await page.setContent(
      `<!doctype html><html dir="${isRightToLeft ? 'rtl' : 'ltr'}"><style>${style}</style>${sections.join('\n')}`,
    );
    const head = `<p style="font-size: 8pt; padding: 0 50px">${document.head.join(' ')} <span class="pageNumber"></span></p>`;
    const file = await page.pdf({
      format: pick(FORMATS),
      landscape: random() < 0.2,
      margin: { top: 60, bottom: 50, left: 50, right: 50 },
      displayHeaderFooter: true,
      headerTemplate: head,
      footerTemplate: '<p></p>',
    });
    return Uint8Array.from(file);
  } finally {
    await page.close();
  }
}

function markupOf(section: Section): string {
  switch (section.kind) {
    case 'heading':
      return `<h2>${section.words.join(' ')}</h2>`;
    case 'paragraph':
      return `<p>${section.words.join(' ')}</p>`;
    case 'columns':
      return `<div>${section.columns.map((words) => words.join(' ')).join('<br>')}</div>`;
    case 'list':
      return `<ul>${section.items.map((words) => `<li>${words.join(' ')}</li>`).join('')}</ul>`;
    case 'table':
      return `<table>${section.rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`;
    case 'form':
      return `<dl>${section.rows.map(([label, value]) => `<dt>${label}</dt><dd>${value}</dd>`).join('')}</dl>`;
  }
}

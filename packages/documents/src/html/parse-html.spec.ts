import { describe, expect, it } from '@jest/globals';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MAX_DEPTH, type HtmlElement } from './html-tree.js';
import { parseHtml } from './parse-html.js';

/** Summarizes the content of the body: `div(p(a) p(b))`. */
function shape(html: string): string {
  const of = (element: HtmlElement): string =>
    element.children
      .map((child) => (typeof child === 'string' ? child.trim() : `${child.name}(${of(child)})`))
      .filter((part) => part !== '')
      .join(' ');
  return of(parseHtml(html).body);
}

function depth(element: HtmlElement): number {
  return (
    1 +
    element.children.reduce(
      (maximum, child) => Math.max(maximum, typeof child === 'string' ? 0 : depth(child)),
      0,
    )
  );
}

describe('parseHtml', () => {
  const cases: readonly (readonly [title: string, html: string, shape: string])[] = [
    ['a paragraph closes a paragraph', '<p>a<p>b<div>c</div>', 'p(a) p(b) div(c)'],
    [
      'an item closes an item of the same list',
      '<ul><li>a<ul><li>b<li>c</ul><li>d</ul>',
      'ul(li(a ul(li(b) li(c))) li(d))',
    ],
    ['terms and definitions', '<dl><dt>a<dd>b<dt>c</dl>', 'dl(dt(a) dd(b) dt(c))'],
    ['rows and cells', '<table><tr><td>a<td>b<tr><td>c</table>d', 'table(tr(td(a) td(b)) tr(td(c))) d'],
    [
      'an end tag does not close elements outside of its cell',
      '<div><table><td>a</div>b</table>c</div>d',
      'div(table(td(ab)) c) d',
    ],
    [
      'table sections',
      '<table><thead><tr><th>a<tbody><tr><td>b</table>',
      'table(thead(tr(th(a))) tbody(tr(td(b))))',
    ],
    ['links do not nest', '<a href=x>a<a href=y>b</a>', 'a(a) a(b)'],
    ['a heading closes a heading', '<h1>a<h2>b</h2>c', 'h1(a) h2(b) c'],
    ['the end tag of any heading closes a heading', '<h1>a</h2>b', 'h1(a) b'],
    ['an inline end tag does not close a block', '<b>x<div>a</b>b</div>c', 'b(x div(ab) c)'],
    [
      'the end tag of an element that is not read closes all in it',
      '<select><option>a<option>b</select>c<noscript><p>d</noscript>e<video><p>f</video>g',
      'select(option(a) option(b)) c noscript(p(d)) e video(p(f)) g',
    ],
    [
      'the end tag of a template closes all in it',
      'x<template><ul><li>a</template>b<template><p>c</template>d',
      'x template(ul(li(a))) b template(p(c)) d',
    ],
    [
      'such a tag inside of another table',
      '<table><td><datalist><option>a</datalist>b<select><table><td>c</select>d</table>',
      'table(td(datalist(option(a)) b select(table(td(c))) d))',
    ],
    ['an unmatched end tag is ignored', '<div>a</section></foo>b</div>c', 'div(ab) c'],
    ['</p> and </br> alone', 'a</p>b</br>c', 'ab br() c'],
    ['HTML elements close an open svg', '<svg><path/><p>a', 'svg(path()) p(a)'],
    ['self-closing tags do not exist in HTML', '<div/>a', 'div(a)'],
    [
      'raw text has no tags',
      'a<script>"<p>a</p>"</script><textarea><b></textarea>b',
      'a script() textarea(<b>) b',
    ],
    ['entities', '<p>&lt;b&gt; &eacute; &#x4e2d; &notanentity;', 'p(<b> é 中 ¬anentity;)'],
    ['content after the end of the page', '<body><p>a</p></body></html><p>b', 'p(a) p(b)'],
    ['plaintext to the end', 'a<plaintext><p>b', 'a plaintext(<p>b)'],
  ];
  for (const [title, html, expected] of cases) it(title, () => expect(shape(html)).toBe(expected));

  it('separates head and body without their tags', () => {
    const { head, body, attributes } = parseHtml(
      '<html lang=de><title>T</title><meta name=a><p>x<title>U</title>',
    );
    expect(head.children.map((child) => typeof child !== 'string' && child.name)).toEqual(['title', 'meta']);
    expect(body.rawText).toBe('xU');
    expect(attributes.get('lang')).toBe('de');
  });

  it('keeps the first of duplicate attributes, decoded, and only known attributes', () => {
    const [link] = parseHtml('<a HREF="/?a&amp;b" href=c onblur=d>').body.children;
    assert.ok(typeof link === 'object');
    expect([...link.attributes]).toEqual([['href', '/?a&b']]);
  });

  it('limits the depth and keeps the text of deeper elements', () => {
    const { body } = parseHtml(`${'<div>a'.repeat(5_000)}${'</div>'.repeat(5_000)}z`);
    expect(depth(body)).toBeLessThanOrEqual(MAX_DEPTH + 1);
    expect(body.rawText).toBe(`${'a'.repeat(5_000)}z`);
  });

  it('keeps all text in order for any tags', () => {
    const tags =
      'a b body div dl dt dd h1 html li ol option p ruby rt select span table tbody td th tr ul'.split(' ');
    const piece = fc.oneof(
      fc.constantFrom(...tags).map((name) => `<${name}>`),
      fc.constantFrom(...tags).map((name) => `</${name}>`),
      fc.stringMatching(/^[a-z]{1,5}$/),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 100 }), (pieces) => {
        const text = pieces.filter((part) => !part.startsWith('<')).join('');
        expect(parseHtml(pieces.join('')).body.rawText).toBe(text);
      }),
    );
  });
});

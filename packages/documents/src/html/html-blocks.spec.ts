import { describe, expect, it } from '@jest/globals';
import { outline, parse } from '../test-files/parse.js';

/** Longer than a merged cell that is repeated. */
const LONG = 'x'.repeat(201);

async function blocks(html: string): Promise<(readonly [string, string])[]> {
  return outline(await parse(`<main>${html}</main>`, 'text/html'));
}

describe('blocks of a page', () => {
  const cases: readonly (readonly [
    title: string,
    html: string,
    blocks: readonly (readonly [string, string])[],
  ])[] = [
    [
      'joins no words and adds no spaces in words',
      '<p>a<b>b</b>c <i> d </i>\n e<span>f</span></p><p>g</p>h',
      [
        ['paragraph', 'abc d ef'],
        ['paragraph', 'g'],
        ['paragraph', 'h'],
      ],
    ],
    ['separates links in a row', '<div><a href=1>one</a><a href=2>two</a></div>', [['paragraph', 'one two']]],
    [
      'line breaks',
      '<p>a<br>b<br><br>c</p>',
      [
        ['paragraph', 'a\nb'],
        ['paragraph', 'c'],
      ],
    ],
    [
      'exponents, note references and subscripts',
      '<p>x<sup>2</sup> H<sub>2</sub>O 1<sup>st</sup> word<sup><a href="#n">3</a></sup></p>',
      [['paragraph', 'x^2 H2O 1st word[3]']],
    ],
    [
      'ruby text once after the word',
      '<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>だ</p>',
      [['paragraph', '漢字(かんじ)だ']],
    ],
    ['inline quotes', '<p>he said <q>yes</q></p>', [['paragraph', 'he said "yes"']]],
    [
      'the TeX source of a formula',
      '<p>a <math><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></math></p>',
      [['paragraph', 'a x^2']],
    ],
    [
      'a formula without TeX source',
      `<p>x <math><mi>E</mi><mo>=</mo><mfrac><mn>1</mn><mn>2</mn></mfrac><mtext> if </mtext><msup><mn>10</mn><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msup></math></p>
        <p><math><munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><msub><mi>x</mi><mi>i</mi></msub><mo>=</mo><mi>sin</mi><mo>&#x2061;</mo><mover><mi>v</mi><mo>→</mo></mover></math></p>
        <p><math><mroot><mi>a</mi><mn>3</mn></mroot><msqrt><mi>b</mi></msqrt><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable></math></p>`,
      [
        ['paragraph', 'x E=1/2 if 10^(n+1)'],
        ['paragraph', '∑_i^n x_i=sin v'],
        ['paragraph', '3√(a)√(b)[1, 2]'],
      ],
    ],
    [
      'mixed numbers, binomials, fences, scripts on both sides, and no text that is not TeX',
      [
        '<mn>3</mn><mfrac><mn>1</mn><mn>2</mn></mfrac>',
        '<mo>(</mo><mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac><mo>)</mo>',
        '<mi>f</mi><mfenced><mi>x</mi><mi>y</mi></mfenced><mfenced open="[" close="]" separators=";"><mn>1</mn><mn>2</mn></mfenced>',
        '<mmultiscripts><mi>U</mi><mn>2</mn><none/><mprescripts/><mn>92</mn><mn>235</mn></mmultiscripts>',
        '<semantics><mi>y</mi><annotation encoding="text/plain">why</annotation></semantics>',
      ]
        .map((content) => `<p><math alttext="">${content}</math></p>`)
        .join(''),
      ['3 1/2', '(binom(n, k))', 'f(x,y)[1;2]', '_92^235U_2', 'y'].map(
        (text) => ['paragraph', text] as const,
      ),
    ],
    [
      'numbers beside fractions, roots and scripts apart from them',
      [
        '<mfrac linethickness="0.5px"><mi>n</mi><mi>k</mi></mfrac><mo>,</mo><mfrac linethickness="0.0em"><mi>n</mi><mi>k</mi></mfrac>',
        '<mn>2</mn><mrow><mstyle><mfrac><mn>1</mn><mn>2</mn></mfrac></mstyle></mrow><mi>m</mi>',
        '<mn>3</mn><mfrac><mrow><mn>2</mn><mi>x</mi></mrow><mn>5</mn></mfrac>',
        '<mn>2</mn><mroot><mn>8</mn><mn>3</mn></mroot>',
        '<mn>2</mn><mmultiscripts><mi>H</mi><mprescripts/><none/><mn>2</mn></mmultiscripts>',
        '<mfrac><mn>1</mn><mn>2</mn></mfrac><mo>&#x2062;</mo><mn>4</mn>',
        '<msup><mn>2</mn><mn>3</mn></msup><mo>&#x2062;</mo><msup><mn>5</mn><mi>n</mi></msup><mi>k</mi>',
        '<mn>1</mn><mo>,</mo><mn>000</mn><mn>000</mn><mo>+</mo><mfrac><mn>1</mn><mn>2</mn></mfrac>',
      ]
        .map((content) => `<p><math>${content}</math></p>`)
        .join(''),
      ['n/k,binom(n, k)', '2 1/2 m', '3 2x/5', '2 3√(8)', '2 ^2H', '1/2 4', '2^3 5^n k', '1,000000+1/2'].map(
        (text) => ['paragraph', text] as const,
      ),
    ],
    [
      'each formula once, whatever shows it',
      `<p>a <span><span style="display: none"><math alttext="x^2"><mi>x</mi></math></span><img aria-hidden="true" alt="{\\displaystyle x^2}"></span> b</p>
        <p>a <img alt="{\\displaystyle y^2}"> b</p>
        <p>a <mjx-container><mjx-math aria-hidden="true"><b>7</b><b>8</b></mjx-math><mjx-assistive-mml><math><mfrac><mn>7</mn><mn>8</mn></mfrac></math></mjx-assistive-mml></mjx-container> b</p>
        <p>a <mjx-container><mjx-math data-latex="z^2"></mjx-math></mjx-container> b</p>
        <p>a <span class="MathJax" id="f1-Frame"><b>1</b><b>2</b></span><script type="math/tex" id="f1">\\frac12</script> b</p>`,
      ['x^2', 'y^2', '7/8', 'z^2', '\\frac12'].map((formula) => ['paragraph', `a ${formula} b`] as const),
    ],
    [
      'a tooltip in parentheses',
      '<p>word<span class="tooltip-text">why</span></p>',
      [['paragraph', 'word (why)']],
    ],
    ['line breaks of code', '<pre>\n<div>a</div><div>  b</div>c<br>d</pre>', [['code', 'a\n  b\nc\nd']]],
    [
      'no line numbers in code',
      '<pre><span class="lineno">1</span>a\n<span class="lineno">2</span>b</pre>',
      [['code', 'a\nb']],
    ],
    [
      'nested lists',
      '<ol start=3><li>a<ul><li>b</li></ul>c</li><li value=9>d<li>e</ol>',
      [['list', '3. a\n  - b\n  c\n9. d\n10. e']],
    ],
    [
      'a list that continues after code',
      '<ul><li>a<pre>x</pre>b</li><li>c</li></ul>',
      [
        ['list', '- a'],
        ['code', 'x'],
        ['list', 'b\n- c'],
      ],
    ],
    [
      'task lists',
      '<ul><li><input type=checkbox checked> a</li><li><input type=checkbox>b</li></ul>',
      [['list', '- [x] a\n- [ ] b']],
    ],
    [
      'list items that are sections of the page',
      '<ul><li><h3>a</h3><p>b</p></li></ul>',
      [
        ['heading3', 'a'],
        ['paragraph', 'b'],
      ],
    ],
    ['definitions', '<dl><dt>a:<dt>b<dd>c<dd>d</dl>', [['list', '- a, b: c\n  d']]],
    [
      'long definitions as blocks',
      '<dl><dt>f()</dt><dd><p>does</p><pre>f()</pre></dd></dl>',
      [
        ['paragraph', 'f()'],
        ['paragraph', 'does'],
        ['code', 'f()'],
      ],
    ],
    [
      'quotes with blocks inside',
      '<blockquote><p>a</p><ul><li>b</li></ul><p>c</p></blockquote>d',
      [
        ['quote', 'a'],
        ['list', '- b'],
        ['quote', 'c'],
        ['paragraph', 'd'],
      ],
    ],
    [
      'an image description that repeats the caption',
      '<figure><img alt="A cat"><figcaption>A cat</figcaption></figure>',
      [['caption', 'A cat']],
    ],
    [
      'a caption that a slide show repeats once, and equal paragraphs of two functions twice',
      ['div', 'div', 'p', 'p']
        .map((name) => `<${name}>The kettle boils a litre of water in three minutes.</${name}>`)
        .join(''),
      [1, 2, 3].map(() => ['paragraph', 'The kettle boils a litre of water in three minutes.']),
    ],
    [
      'headings by role, without permalinks',
      '<div role=heading aria-level=4>a</div><h2>b <a href="#b">¶</a></h2><h2>C# <span><a href="#c">#</a></span></h2>',
      [
        ['heading4', 'a'],
        ['heading2', 'b'],
        ['heading2', 'C#'],
      ],
    ],
    [
      'merged cells',
      '<table><tr><th>a<th colspan=2>b</tr><tr><td rowspan=2>c<td>d<td>e</tr><tr><td>f<td>g</tr></table>',
      [['table', 'a | b | b\nc | d | e\nc | f | g']],
    ],
    [
      'a header of two rows as one',
      '<table><tr><th rowspan=2>City<th colspan=2>Summer<th colspan=2>Winter</tr><tr><th>Adult<th>Child<th>Adult<th>Child</tr><tr><td>Bern<td>1<td>2<td>3<td>4</tr></table>',
      [['table', 'City | Summer Adult | Summer Child | Winter Adult | Winter Child\nBern | 1 | 2 | 3 | 4']],
    ],
    [
      'a header of cells that are not marked as such',
      '<table><tr><td rowspan=2>City<td colspan=2>Fare</tr><tr><td>Adult<td>Child</tr><tr><td>Bern<td>1<td>2</tr></table>',
      [['table', 'City | Fare Adult | Fare Child\nBern | 1 | 2']],
    ],
    [
      'a head of three rows',
      '<table><thead><tr><th><th colspan=2>2025<tr><th><th colspan=2>Export<tr><th>Port<th>t<th>EUR</thead><tr><td>Kiel<td>1<td>2</table>',
      [['table', 'Port | 2025 Export t | 2025 Export EUR\nKiel | 1 | 2']],
    ],
    [
      'a title and units in a head',
      '<table><thead><tr><th colspan=2>Weights<tr><th>Pump<th>Weight<tr><td><td>kg</thead><tr><td>P1<td>7</table>',
      [['table', 'Weights Pump | Weight kg\nP1 | 7']],
    ],
    [
      'groups above names without rowspan',
      '<table><tr><th><th colspan=2>Day<tr><th>Line<th>First<th>Last<tr><th>7<td>5:10<td>23:40</table>',
      [['table', 'Line | Day First | Day Last\n7 | 5:10 | 23:40']],
    ],
    [
      'a first column that a cell spans, not as a header',
      '<table><tr><th>a<th>b<tr><th>c<td>d<tr><th>e<td>f</table>',
      [['table', 'a | b\nc | d\ne | f']],
    ],
    [
      'a row that only begins a merged cell',
      '<table><tr><th>y<th>m</tr><tr><th rowspan=3>25</th></tr><tr><td>jan</tr><tr><td>feb</tr></table>',
      [['table', 'y | m\n25 | jan\n25 | feb']],
    ],
    [
      'a long merged cell once, in its first row',
      `<table><tr><th>y<th>m</tr><tr><td rowspan=3>${LONG}</tr><tr><td>jan</tr><tr><td>feb</tr></table>`,
      [['table', `y | m\n${LONG}\n| jan\n| feb`]],
    ],
    [
      'a title row inside a table',
      '<table><tr><td>a<td>b</tr><tr><td colspan=2>part</tr><tr><td>c<td>d</tr></table>',
      [['table', 'a | b\npart\nc | d']],
    ],
    [
      'layout tables',
      '<table><tr><td><h2>a</h2><td>b</table>',
      [
        ['heading2', 'a'],
        ['paragraph', 'b'],
      ],
    ],
    [
      'text outside of table cells',
      '<table>a<tr><td>b<td>c</table>',
      [
        ['paragraph', 'a'],
        ['paragraph', 'b'],
        ['paragraph', 'c'],
      ],
    ],
    [
      'no invisible elements',
      '<p>a<span hidden>b</span><span style="display: none">c</span><i aria-hidden=true>d</i><template>e</template></p>',
      [['paragraph', 'a']],
    ],
    [
      'a declarative shadow root',
      '<x-card><template shadowrootmode=open><p>a</p></template></x-card>',
      [['paragraph', 'a']],
    ],
    [
      'labels with their values, and boxes',
      `<form><label>Name <input value="Ann"></label><div><label for=c>Canton:</label></div><select id=c><option>Zug<option selected>Uri</select>
        <p><label>Reason<textarea>Roof &amp; door</textarea></label></p><p><input type=radio id=r checked><label for=r>by post</label> <input type=radio id=m><label for=m>by mail</label></p>
        <input type=hidden value=token><input type=password aria-label=Key value=secret><input value=unnamed><button>Send</button></form>
        <input type=checkbox id=t><label for=t>Open</label><table><tr><th>City<th>Zip<tr><td>Bern<td><input value=3000></table>`,
      [
        ['paragraph', 'Name: Ann'],
        ['paragraph', 'Canton: Uri'],
        ['paragraph', 'Reason: Roof & door'],
        ['paragraph', '[x] by post [ ] by mail'],
        ['paragraph', 'Open'],
        ['table', 'City | Zip\nBern | 3000'],
      ],
    ],
    [
      'labels of drawings once, without titles of icons',
      `<svg><title>Icon</title><desc>An icon</desc><path /></svg><p>Press <svg><text x=1>A</text></svg> now</p>
        <svg><defs><text>No</text></defs><g><title>n1</title><text stroke=white>Pump</text><text>Pump</text></g>
        <g><text>CO<tspan dy=3>2</tspan><tspan x=9>gauge</tspan></text><foreignObject><div>Boiler<p>B2</p></div></foreignObject></g></svg>`,
      [
        ['paragraph', 'Press A now'],
        ['paragraph', 'Pump\nCO2 gauge\nBoiler B2'],
      ],
    ],
    [
      'numbers of lists as they are printed',
      `<ol type=a start=2><li>b</li><li type=I>c<ol style="list-style: lower-roman inside"><li>d</li></ol></li></ol>
        <ol reversed><li>e</li><li>f</li></ol><ol style="list-style-type:none"><li>§ 4</li></ol>
        <ol type="constructor"><li>g</li></ol>`,
      [
        ['list', 'b. b\nIII. c\n  i. d'],
        ['list', '2. e\n1. f'],
        ['list', '- § 4'],
        ['list', '1. g'],
      ],
    ],
    [
      'lines of code and text that are set by styles',
      `<pre><code><span style="display:block">a</span><span style="display: grid">  b\n</span>c</code></pre>
        <div style="white-space: pre">d\n  e</div><div style="white-space:pre-line">f\n<b>g\nh</b></div>`,
      [
        ['code', 'a\n  b\nc'],
        ['code', 'd\n  e'],
        ['paragraph', 'f\ng\nh'],
      ],
    ],
    [
      'code with elements of class comment',
      '<pre><span class="comment"># a</span>\n<span class="tag">b</span></pre>',
      [['code', '# a\nb']],
    ],
  ];
  for (const [title, html, expected] of cases)
    it(title, async () => expect(await blocks(html)).toEqual(expected));

  it('detects the header row of a table', async () => {
    const header = async (rows: string): Promise<number | undefined> => {
      const { blocks: all } = await parse(`<table>${rows}</table>`, 'text/html');
      return all[0]?.headerEnd;
    };
    expect(await header('<tr><th>ab<th>c<tr><td>1<td>2')).toBe(6);
    expect(await header('<thead><tr><td>ab<td>c</thead><tr><td>1<td>2')).toBe(6);
    expect(await header('<tr><th>ab<td>c<tr><th>d<td>2')).toBeUndefined();
  });

  it('limits the repetition of merged cells', async () => {
    const wide = `<tr>${'<td colspan=1000 rowspan=60000>wide'.repeat(50)}`;
    const { text } = await parse(`<table>${wide}${'<tr><td>x'.repeat(3_000)}</table>`, 'text/html');
    expect(text.length).toBeLessThan(500_000);
  });
});

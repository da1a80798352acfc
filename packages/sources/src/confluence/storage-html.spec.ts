import { parseDocument } from '@citewell/documents';
import { describe, expect, it } from '@jest/globals';
import { htmlPage } from '../html-page.js';
import { htmlOfStorage, mentionsIn } from './storage-html.js';

const CONTEXT = {
  base: 'https://wiki.example',
  space: 'DOCS',
  nameOf: (id: string) => (id === 'u1' ? 'Ada <Lovelace>' : 'somebody'),
};

/** The text that the parser of HTML reads of a page. */
async function textOf(storage: string): Promise<string> {
  const html = htmlPage({
    title: 'Page',
    base: 'https://x.example/',
    date: null,
    html: htmlOfStorage(storage, CONTEXT),
  });
  return (await parseDocument(new TextEncoder().encode(html), { fileType: 'text/html' })).text.replace(
    /^Page\s*/,
    '',
  );
}

const macro = (name: string, inner: string): string =>
  `<ac:structured-macro ac:name="${name}" ac:schema-version="1">${inner}</ac:structured-macro>`;
const parameter = (name: string, value: string): string =>
  `<ac:parameter ac:name="${name}">${value}</ac:parameter>`;

describe('the storage format of Confluence', () => {
  it.each<[string, string, string | RegExp]>([
    ['entities', '<p>Caf&eacute; &amp; bar&nbsp;&ndash; 5 &lt; 6</p>', /Café & bar\s– 5 < 6/],
    [
      'code, with all of its characters',
      macro(
        'code',
        `${parameter('language', 'java')}${parameter('title', 'Main.java')}<ac:plain-text-body><![CDATA[if (a < b && c) {\n  return "x";\n}]]></ac:plain-text-body>`,
      ),
      /Main\.java[^]*if \(a < b && c\) \{\n {2}return "x";\n\}/,
    ],
    [
      'a panel in a panel',
      macro(
        'info',
        `${parameter('title', 'Note')}<ac:rich-text-body><p>Outer</p>${macro('expand', `${parameter('title', 'More')}<ac:rich-text-body><p>Inner</p></ac:rich-text-body>`)}</ac:rich-text-body>`,
      ),
      /Note\s+Outer\s+More\s+Inner/,
    ],
    [
      'tasks',
      '<ac:task-list><ac:task><ac:task-id>17</ac:task-id><ac:task-status>complete</ac:task-status><ac:task-body><span>Paint the boat</span></ac:task-body></ac:task><ac:task><ac:task-id>18</ac:task-id><ac:task-status>incomplete</ac:task-status><ac:task-body>Buy rope</ac:task-body></ac:task></ac:task-list>',
      /☑\s+Paint the boat[^]*☐\s+Buy rope/,
    ],
    [
      'tables with merged cells and a list',
      '<table><tbody><tr><th>Ship</th><th>Crew</th></tr><tr><td>Aurora</td><td><ul><li>Ada</li><li>Bob</li></ul></td></tr></tbody></table>',
      /Ship[^]*Aurora[^]*Ada[^]*Bob/,
    ],
    [
      'a link without a text',
      '<p>See <ac:link><ri:page ri:content-title="Harbour &amp; pier"/></ac:link>.</p>',
      'See Harbour & pier.',
    ],
    [
      'a link with a text',
      '<p><ac:link><ri:page ri:content-title="X"/><ac:plain-text-link-body><![CDATA[a < b]]></ac:plain-text-link-body></ac:link> and <ac:link ac:anchor="top"><ac:link-body>the <em>top</em></ac:link-body></ac:link></p>',
      'a < b and the top',
    ],
    ['a link to a file', '<p><ac:link><ri:attachment ri:filename="plan.pdf"/></ac:link></p>', 'plan.pdf'],
    ['a mention', '<p>Ask <ac:link><ri:user ri:account-id="u1"/></ac:link></p>', 'Ask @Ada <Lovelace>'],
    ['a date', '<p>Due <time datetime="2026-03-02" /></p>', 'Due 2026-03-02'],
    [
      'a status',
      `<p>It is ${macro('status', `${parameter('title', 'DONE')}${parameter('colour', 'Green')}`)}.</p>`,
      'It is DONE.',
    ],
    [
      'an issue of Jira',
      `<p>${macro('jira', `${parameter('server', 'J')}${parameter('key', 'HAR-7')}`)}</p>`,
      '[jira: HAR-7]',
    ],
    [
      'a macro with the content of another page by its name',
      macro(
        'include',
        `<ac:parameter ac:name=""><ac:link><ri:page ri:content-title="Salaries"/></ac:link></ac:parameter>`,
      ),
      '[include: Salaries]',
    ],
    [
      'a macro that is not known, with its text',
      macro('acme-box', '<ac:rich-text-body><p>Kept</p></ac:rich-text-body>'),
      'Kept',
    ],
    ['no lists of pages', `<p>Text</p>${macro('toc', parameter('maxLevel', '3'))}`, 'Text'],
    ['an emoji', '<p>Good <ac:emoticon ac:name="blue-star" ac:emoji-fallback="⭐"/></p>', 'Good ⭐'],
    [
      'columns',
      '<ac:layout><ac:layout-section ac:type="two_equal"><ac:layout-cell><p>Left</p></ac:layout-cell><ac:layout-cell><p>Right</p></ac:layout-cell></ac:layout-section></ac:layout>',
      /Left\s+Right/,
    ],
    [
      'a panel of the new editor once',
      '<ac:adf-extension><ac:adf-node type="panel"><ac:adf-attribute key="panel-type">note</ac:adf-attribute><ac:adf-content><p>Once</p></ac:adf-content></ac:adf-node><ac:adf-fallback><p>Once</p></ac:adf-fallback></ac:adf-extension>',
      'Once',
    ],
    [
      'a commented text',
      '<p>One <ac:inline-comment-marker ac:ref="x">two</ac:inline-comment-marker> three</p>',
      'One two three',
    ],
    ['no help of a template', '<p><ac:placeholder>Write here</ac:placeholder>Text</p>', 'Text'],
    [
      'a page that is cut off',
      '<p>One</p><ac:structured-macro ac:name="info"><ac:rich-text-body><p>Two',
      /One\s+Two/,
    ],
  ])('has %s', async (_, storage, expected) => {
    const text = (await textOf(storage)).trim();
    if (typeof expected === 'string') expect(text).toBe(expected);
    else expect(text).toMatch(expected);
  });

  it('links pages by their space and title, and pictures by their name', () => {
    const html = htmlOfStorage(
      '<ac:link ac:anchor="a"><ri:page ri:space-key="OPS" ri:content-title="A &quot;b&quot;/c"/></ac:link><ac:image ac:alt="Map"><ri:attachment ri:filename="m.png"/></ac:image>',
      CONTEXT,
    );
    expect(html).toBe(
      '<a href="https://wiki.example/display/OPS/A%20%22b%22%2Fc#a">A &quot;b&quot;/c</a><img alt="Map">',
    );
  });

  it('finds who is mentioned', () => {
    const storage =
      '<p><ri:user ri:account-id="5:a-b" /><ri:user ri:userkey="k1"/><ri:user ri:account-id="5:a-b"/></p>';
    expect([...mentionsIn(storage)]).toEqual(['5:a-b', 'key:k1']);
  });

  it('takes time in proportion to the length of a page, and refuses what is nested too deeply', () => {
    const deep = `${'<ac:link>'.repeat(900)}${'<ri:page/>'.repeat(50_000)}`;
    for (const page of [deep, '<ri:page ri:content-title="'.repeat(40_000), ' ri:userkey="'.repeat(80_000)]) {
      const startedAt = process.cpuUsage().user;
      mentionsIn(page);
      htmlOfStorage(page, CONTEXT);
      expect((process.cpuUsage().user - startedAt) / 1_000).toBeLessThan(10_000);
    }
    expect(() => htmlOfStorage('<p>'.repeat(100_000), CONTEXT)).toThrow(/nested too deeply/);
  });
});

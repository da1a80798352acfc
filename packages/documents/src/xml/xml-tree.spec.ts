import { describe, expect, it } from '@jest/globals';
import { childElements, readXmlElements, readXmlTree, textContent } from './xml-tree.js';

describe('readXmlTree', () => {
  it('reads local names, text, CDATA and predefined entities', () => {
    const root = readXmlTree('<x:a r:id="1" id="2">1 &lt; <b><![CDATA[<2>]]></b>&#x41;</x:a>', 'a');
    expect(textContent(root)).toBe('1 < <2>A');
    expect({ ...root.attributes }).toEqual({ 'r:id': '1', id: '2' });
  });

  it.each<[what: string, content: string, shown: string]>([
    [
      'a known vocabulary',
      '<mc:Choice Requires="wps n">new</mc:Choice><mc:Fallback>old</mc:Fallback>',
      'new',
    ],
    ['a later vocabulary', '<mc:Choice Requires="n x">new</mc:Choice><mc:Fallback>old</mc:Fallback>', 'old'],
    ['the second choice', '<mc:Choice Requires="x">1</mc:Choice><mc:Choice Requires="n">2</mc:Choice>', '2'],
    ['no fallback', '<mc:Choice Requires="x">new</mc:Choice>', 'new'],
    [
      'a declaration in the choice',
      '<mc:Choice xmlns:y="urn:y" Requires="y">1</mc:Choice><mc:Fallback>2</mc:Fallback>',
      '2',
    ],
    ['nothing', '', ''],
  ])('shows one alternative: %s', (_what, content, shown) => {
    const spaces =
      'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:n="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:x="http://schemas.microsoft.com/office/word/2031/x"';
    const wrapped = content.replace(/>([^<>]+)</g, '><t>$1</t><');
    const xml = `<root ${spaces}><a><b/><mc:AlternateContent>${wrapped}</mc:AlternateContent></a></root>`;
    const names = childElements(readXmlTree(xml, 'a')).map(({ name }) => name);
    expect(names).toEqual(shown === '' ? ['b'] : ['b', 't']);
    expect(textContent(readXmlTree(xml, 'a'))).toBe(shown);
    const visited: string[] = [];
    readXmlElements(xml, new Set(['t']), (element) => visited.push(textContent(element)));
    expect(visited.join('')).toBe(shown);
  });

  it('rejects custom entities, deep nesting and malformed XML', () => {
    const bomb = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c SYSTEM "file:///etc/passwd">]><a>&b;&c;</a>';
    expect(() => readXmlTree(bomb, 'a')).toThrow(expect.objectContaining({ code: 'CORRUPT_FILE' }));
    expect(() => readXmlTree('<a>'.repeat(100_000), 'a')).toThrow(
      expect.objectContaining({ code: 'TOO_COMPLEX' }),
    );
    expect(() => readXmlTree('<a><b></a>', 'a')).toThrow(expect.objectContaining({ code: 'CORRUPT_FILE' }));
  });
});

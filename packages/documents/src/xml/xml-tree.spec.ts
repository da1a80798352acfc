import { describe, expect, it } from '@jest/globals';
import { readXmlTree, textContent } from './xml-tree.js';

describe('readXmlTree', () => {
  it('reads local names, text, CDATA and predefined entities', () => {
    const root = readXmlTree('<x:a r:id="1" id="2">1 &lt; <b><![CDATA[<2>]]></b>&#x41;</x:a>', 'a');
    expect(textContent(root)).toBe('1 < <2>A');
    expect({ ...root.attributes }).toEqual({ 'r:id': '1', id: '2' });
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

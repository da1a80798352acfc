import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readXmlTree, textContent } from './xml-tree.js';

describe('readXmlTree', () => {
  it('reads local names, text, CDATA and predefined entities', () => {
    const root = readXmlTree('<x:a r:id="1" id="2">1 &lt; <b><![CDATA[<2>]]></b>&#x41;</x:a>', 'a');
    assert.equal(textContent(root), '1 < <2>A');
    assert.deepEqual({ ...root.attributes }, { 'r:id': '1', id: '2' });
  });

  it('rejects custom entities, deep nesting and malformed XML', () => {
    const bomb = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c SYSTEM "file:///etc/passwd">]><a>&b;&c;</a>';
    assert.throws(() => readXmlTree(bomb, 'a'), { code: 'CORRUPT_FILE' });
    assert.throws(() => readXmlTree('<a>'.repeat(100_000), 'a'), { code: 'TOO_COMPLEX' });
    assert.throws(() => readXmlTree('<a><b></a>', 'a'), { code: 'CORRUPT_FILE' });
  });
});

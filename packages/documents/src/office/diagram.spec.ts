import { describe, expect, it } from '@jest/globals';
import { DocumentBuilder } from '../document/document-builder.js';
import { diagramModel } from '../test-files/index.js';
import { outline } from '../test-files/parse.js';
import { readXmlTree } from '../xml/xml-tree.js';
import { addDiagram } from './diagram.js';

type Edges = Parameters<typeof diagramModel>[1];

const lines = (points: Readonly<Record<string, string>>, edges: Edges): string[] =>
  read(diagramModel(points, edges));

function read(xml: string): string[] {
  const builder = new DocumentBuilder().block('caption', 'Before');
  addDiagram(readXmlTree(xml, 'dataModel'), builder);
  const [, list, ...others] = outline(builder.build());
  expect(others).toEqual([]);
  expect(list?.[0] ?? 'list').toBe('list');
  return list?.[1].split('\n') ?? [];
}

describe('addDiagram', () => {
  it('writes points in the order and depth of their connections', () => {
    const points = { b: 'Second', a: 'First', b1: 'Lower', b2: 'Upper' };
    const edges: Edges = [
      ['doc', 'b', 1],
      ['doc', 'a', 0],
      ['b', 'b1', 7],
      ['b', 'b2', 6],
    ];
    expect(lines(points, edges)).toEqual(['- First', '- Second', '  - Upper', '  - Lower']);
  });

  it('keeps points with equal order in file order', () => {
    const edges: Edges = [
      ['doc', 'a', 0],
      ['doc', 'b', 0],
      ['doc', 'c', 0],
    ];
    expect(lines({ a: 'One', b: 'Two', c: 'Three' }, edges)).toEqual(['- One', '- Two', '- Three']);
  });

  it('reads assistants, several paragraphs and children of a shape without text', () => {
    const xml = diagramModel({ a: 'Head', empty: '', c: 'Below' }, [
      ['doc', 'a', 0],
      ['a', 'help', 0],
      ['a', 'empty', 1],
      ['empty', 'c', 0],
    ]).replace(
      '</dgm:ptLst>',
      '<dgm:pt modelId="help" type="asst"><dgm:t><a:p><a:r><a:t>One </a:t></a:r><a:r><a:t>assistant</a:t></a:r></a:p><a:p><a:r><a:t>of</a:t></a:r><a:br/><a:r><a:t>two</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst>',
    );
    expect(read(xml)).toEqual(['- Head', '  - One assistant of two', '  - Below']);
  });

  it('omits presentation points and connectors', () => {
    const point = (type: string): string =>
      `<dgm:pt modelId="${type}" type="${type}"><dgm:t><a:p><a:r><a:t>${type}</a:t></a:r></a:p></dgm:t></dgm:pt>`;
    const xml = diagramModel({ a: 'Text', b: 'More' }, [
      ['doc', 'b', 0],
      ['doc', 'a', 1],
    ])
      .replace('</dgm:ptLst>', `${point('pres')}${point('parTrans')}${point('sibTrans')}</dgm:ptLst>`)
      .replace('</dgm:cxnLst>', '<dgm:cxn type="presOf" srcId="b" destId="a"/></dgm:cxnLst>');
    expect(read(xml)).toEqual(['- More', '- Text']);
  });

  it('reads a broken tree in file order, each point once', () => {
    const points = { a: 'A', b: 'B', c: 'C', d: 'D', e: 'E' };
    const edges: Edges = [
      ['doc', 'c', 0],
      ['c', 'a', 0],
      ['a', 'c', 0],
      ['d', 'e', 0],
      ['e', 'd', 0],
      ['d', 'd', 1],
      ['nobody', 'b', 0],
      ['c', 'nobody', 0],
    ];
    expect(lines(points, edges)).toEqual(['- C', '  - A', '- B', '- D', '  - E']);
    expect(read('<dgm:dataModel/>')).toEqual([]);
  });

  it('reads all points of a long chain without nesting them deeper than eight', () => {
    const names = Array.from({ length: 12_000 }, (_, index) => `p${index}`);
    const read = lines(
      Object.fromEntries(names.map((name) => [name, name])),
      names.map((name, index) => [names[index - 1] ?? 'doc', name, 0]),
    );
    expect(read).toHaveLength(12_000);
    expect(read.at(-1)).toBe(`${'  '.repeat(8)}- p11999`);
  });
});

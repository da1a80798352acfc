import { describe, expect, it } from '@jest/globals';
import { htmlTags } from './html-tags.js';

describe('htmlTags', () => {
  it.each([
    ['a <b>c</B> <br/>', ['<b> b', '</B> /b', '<br/> br']],
    ['<!-- <i> --><p title="a">', ['<!-- <i> --> ', '<p title="a"> p']],
    ['<script>a < b; "<p>"</script ><em>', ['<script>a < b; "<p>"</script > script', '<em> em']],
    ['<style><p>', ['<style> style', '<p> p']],
    ['<!-- <i> <b', ['<i> i']],
    ['1 < 2 <3> <', []],
    ['<table-row><x:y>', ['<table-row> table-row', '<x:y> x:y']],
  ])('finds those of %j', (html, expected) => {
    const found = [...htmlTags(html)].map(
      ({ start, end, name, isEndTag }) => `${html.slice(start, end)} ${isEndTag ? '/' : ''}${name}`,
    );
    expect(found).toEqual(expected);
  });

  it.each(['<!--', '<script>', '<p ', '<script><style>'])('terminates for many of %j', (open) => {
    expect([...htmlTags(open.repeat(200_000))].length).toBeLessThanOrEqual(400_000);
  });
});

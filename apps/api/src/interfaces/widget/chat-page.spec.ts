import { expect, it } from '@jest/globals';
import { chatPage } from './chat-page.js';

it('names of agents and keys are text in the page', () => {
  const hostile = `"><script>alert('1')</script>&amp;`;
  const { html } = chatPage({ id: 'a', name: hostile, description: hostile }, hostile);
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).toContain(
    'data-title="&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;amp;"',
  );
});

import { describe, expect, it } from '@jest/globals';
import { pageTitle, type TitleSources } from './page-title.js';

const NOTHING: TitleSources = {
  title: undefined,
  social: undefined,
  siteName: undefined,
  heading: undefined,
  url: undefined,
};

describe('pageTitle', () => {
  const cases: readonly (readonly [sources: Partial<TitleSources>, title: string | undefined])[] = [
    [{ title: 'Descaling | Kettle Docs', heading: 'Descaling' }, 'Descaling'],
    [{ title: 'Kettle Docs: Descaling', heading: 'Descaling' }, 'Descaling'],
    [{ title: 'Descaling - A guide - Kettle', social: 'Descaling - A guide' }, 'Descaling - A guide'],
    [{ title: 'Descaling — Kettle Docs', siteName: 'Kettle docs' }, 'Descaling'],
    [{ title: 'Descaling | Graphile Worker', url: 'https://worker.graphile.org/x' }, 'Descaling'],
    [{ title: '新标准_每日新闻', siteName: '每日新闻' }, '新标准'],
    [{ title: 'Tea - and coffee', heading: 'Drinks' }, 'Tea - and coffee'],
    [{ title: 'Well-known facts', heading: 'Well' }, 'Well-known facts'],
    [{ title: ' \n', social: 'Shared', heading: 'Heading' }, 'Shared'],
    [{ heading: 'Heading' }, 'Heading'],
    [{}, undefined],
  ];
  for (const [sources, title] of cases) {
    it(JSON.stringify(sources), () => expect(pageTitle({ ...NOTHING, ...sources })).toBe(title));
  }
});

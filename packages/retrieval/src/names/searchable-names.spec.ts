import { describe, expect, it } from '@jest/globals';
import { analyze } from '../analysis/analyzer.js';
import { questionAnalysis } from '../question/question-terms.js';
import { readableName, searchableNames } from './searchable-names.js';

describe('readableName', () => {
  it.each([
    ['Price_list-2024-03.xlsx', 'Price list 2024-03'],
    ['minutes_2024-03-12.pdf', 'minutes 2024-03-12'],
    ['invoice-RE-10042.pdf', 'invoice RE-10042'],
    ['manual v1.2.docx', 'manual v1.2'],
    ['travel-policy-final.md', 'travel policy final'],
    ['archive/2023/report (draft).PDF', 'archive 2023 report draft'],
    ['Protokoll Vorstandssitzung', 'Protokoll Vorstandssitzung'],
    ['会议纪要_2024-03-12.docx', '会议纪要 2024-03-12'],
    ['Version 1.5', 'Version 1.5'],
    ['.env', '.env'],
    ['https://example.com/a', ''],
  ])('reads %j as %j', (name, readable) => expect(readableName(name)).toBe(readable));
});

describe('searchableNames', () => {
  it.each<[names: Parameters<typeof searchableNames>[0], asked: string]>([
    [{ name: 'minutes_2024-03-12.pdf' }, 'minutes March 2024'],
    [{ name: 'Protokoll_20240312.pdf' }, 'Protokoll März 2024'],
    [{ name: 'compte-rendu-2024-02.docx' }, 'compte rendu février'],
    [{ name: 'invoice RE-10042.pdf' }, 'RE-10042'],
    [{ name: 'invoice RE-10042.pdf' }, '10042'],
    [{ name: 'x', customId: 'handbook/2023' }, 'handbook 2023'],
    [{ name: 'Start', url: 'https://example.com/docs/install-linux' }, 'install linux'],
    [{ name: 'minutes_2024-03-05.pdf' }, 'minutes March 5th'],
    [{ name: 'minutes_2024-03-15.pdf' }, 'minutes 03/15/2024'],
    [{ name: 'Protokoll_2025-03-05.pdf' }, 'Protokoll 5.3.2025'],
    [{ name: 'Protokoll_2025-03-05.pdf' }, 'Protokoll 5. März 2025'],
    [{ name: 'Protokoll 05.03.2025.pdf' }, 'Protokoll März 2025'],
    [{ name: 'Protokoll 05.03.2025.pdf' }, 'Protokoll 5.3.2025'],
    [{ name: 'compte-rendu 01.09.2025.pdf' }, 'compte rendu 1er septembre'],
    [{ name: '会议纪要_2024-03.docx' }, '3月 会议纪要'],
  ])('finds %j by %j', (names, asked) => {
    const terms = new Set(analyze(searchableNames(names)));
    expect(questionAnalysis(asked).filter((term) => !terms.has(term))).toEqual([]);
  });

  it('does not search the address in place of a name', () => {
    expect(searchableNames({ name: 'https://example.com/a-b', url: 'https://example.com/a-b' })).toBe('a b');
  });
});

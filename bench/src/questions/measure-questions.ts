import {
  AnalyzedQuestion,
  analyzedQuestions,
  askedQuestions,
  encodeDocumentTerms,
  hitAt,
  QuestionCoverage,
  RELEVANT,
  relevanceOf,
} from '@citewell/retrieval';
import { LexicalIndex } from '../lexical-index.js';
import { loadXquad, type Xquad } from '../test-collections.js';
import { loadWrappedQuestions, severalQuestions, wrap } from './wrapped-questions.js';

const LANGUAGES = ['en', 'zh', 'de', 'ru', 'ar'];
/** Hits per question that the relevance test judges. */
const JUDGED = 5;

/** Commands, and a question with the same words. */
const COMMANDS = [
  ['List all courses on Friday.', 'Which courses are on Friday?'],
  ['Show me the opening hours of the library', 'What are the opening hours of the library?'],
  ['Compare the warranty of lamps and fans.', 'What is the warranty of lamps and fans?'],
  ['Can you explain the notice period?', 'What is the notice period?'],
  ['Do you know the fee for a lost badge?', 'What is the fee for a lost badge?'],
  ['Nenne alle Kurse am Freitag.', 'Welche Kurse sind am Freitag?'],
  ['Zeig mir die Öffnungszeiten der Bibliothek', 'Was sind die Öffnungszeiten der Bibliothek?'],
  ['Montre les horaires de la bibliothèque.', 'Quels sont les horaires de la bibliothèque ?'],
  ['Explique el plazo de preaviso.', '¿Cuál es el plazo de preaviso?'],
  ['Busca el horario de la biblioteca', '¿Cuál es el horario de la biblioteca?'],
] as const;

/** Shares of questions that are understood, and found. `hit`, `found` and `absent` only if searched. See `question-lists.bench.ts`. */
export async function measureQuestions(
  xquadFolder: string,
  isSearched: boolean,
): Promise<Readonly<Record<string, number | null>>> {
  const sets = await loadWrappedQuestions();
  const collections = await Promise.all(LANGUAGES.map((language) => loadXquad(xquadFolder, language)));
  const [exact, several, listed, subject, bare, command] = Array.from({ length: 6 }, () => new Share());
  for (const set of sets) {
    const questions = [
      ...set.questions,
      ...set.unanswerable.map(([text, clause]) => [text, clause, ''] as const),
    ];
    for (const templates of Object.values(set.wrappings))
      for (const [n, question] of questions.entries())
        exact?.count(isAsked(wrap(templates, question, n), [question[0]]));
    for (const [text] of questions) bare?.count(isAsked(text, [text]));
    const { joint = [], ...others } = severalQuestions(set);
    for (const { text, expected } of Object.values(others).flat())
      several?.count(expected.every((phrase) => finds(set.documents, text, phrase)));
    for (const { text, expected } of joint)
      listed?.count(expected.every((phrase) => finds(set.documents, text, phrase)));
    for (const [text, phrase] of set.subjects.messages)
      subject?.count(finds(set.subjects.documents, text, phrase));
  }
  for (const { questions } of collections)
    for (const { text } of questions) bare?.count(isAsked(text, [text]));
  for (const [text, question] of COMMANDS) command?.count(isAsked(text, [question]));
  const figures = isSearched ? collections.map(search) : [];
  const averaged = (name: 'hit' | 'found' | 'absent'): number | null =>
    isSearched ? mean(figures.map((figure) => figure[name])) : null;
  return {
    exact: exact?.value ?? 0,
    bare: bare?.value ?? 0,
    several: several?.value ?? 0,
    lists: listed?.value ?? 0,
    subject: subject?.value ?? 0,
    commands: command?.value ?? 0,
    'Hit@1': averaged('hit'),
    found: averaged('found'),
    absent: averaged('absent'),
  };
}

/** Whether one of the questions of a message ranks the document with a phrase first. */
function finds(documents: Readonly<Record<string, string>>, message: string, phrase: string): boolean {
  const index = new LexicalIndex(new Map(Object.values(documents).map((text) => [text, text])));
  return analyzedQuestions(message).some((question) => index.search(question, 1)[0]?.id.includes(phrase));
}

/** Whether the words that are searched for a message are those of these questions. */
function isAsked(message: string, questions: readonly string[]): boolean {
  return termsOf(askedQuestions(message)) === termsOf(questions);
}

function termsOf(questions: readonly string[]): string {
  return questions
    .map((text) => [...new AnalyzedQuestion(text).weights.keys()].toSorted().join(' '))
    .join('\n');
}

function search({ documents, questions, articles }: Xquad): { hit: number; found: number; absent: number } {
  const isIndexed = (id: string): boolean => (articles[Number(id)] ?? 0) % 2 === 0;
  const whole = new LexicalIndex(documents);
  const half = new LexicalIndex(new Map([...documents].filter(([id]) => isIndexed(id))));
  const [found, absent] = [new Share(), new Share()];
  const hits = questions.map(({ text, gains }) => {
    const coverage = new QuestionCoverage(new AnalyzedQuestion(text));
    const isRelevant = half.search(text, JUDGED).some(({ id, score }) => {
      const { indices } = encodeDocumentTerms(documents.get(id) ?? '');
      return relevanceOf({ coverage: coverage.of(indices), bm25: score }) >= RELEVANT;
    });
    ([...gains.keys()].some(isIndexed) ? found : absent).count(isRelevant);
    return hitAt(
      1,
      whole.search(text, 10).map(({ id }) => id),
      gains,
    );
  });
  return { hit: mean(hits), found: found.value, absent: absent.value };
}

class Share {
  private counted = 0;
  private right = 0;

  count(isRight: boolean): void {
    this.counted += 1;
    if (isRight) this.right += 1;
  }

  get value(): number {
    return this.right / this.counted;
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

import type { Language } from '../question/function-words.js';
import { type PassageQuote, type QuotablePassage, quoteIntroduction } from './quote-passage.js';

/** A library as an overview shows it. */
export interface OverviewLibrary {
  readonly name: string;
  /** Documents that can be asked about. */
  readonly documents: number;
  /** How many documents have which ending of their name, such as `PDF`. Documents without an ending are not counted here. */
  readonly kinds: ReadonlyMap<string, number>;
  /** When a document was added or changed last. */
  readonly newest: Date;
  /** What it is about, if a model has said so. */
  readonly summary?: string | undefined;
}

/** A document with its first passage. */
export interface OverviewDocument<P extends QuotablePassage> {
  readonly name: string;
  readonly passage: P;
}

export interface Overview<P extends QuotablePassage> {
  readonly libraries: readonly OverviewLibrary[];
  /** The newest documents, cited as `[1]`, `[2]` and so on. */
  readonly documents: readonly OverviewDocument<P>[];
  /** Questions that the documents answer. */
  readonly questions: readonly string[];
}

interface Texts {
  readonly documents: string;
  readonly newest: string;
  readonly newestDocuments: string;
  readonly ask: string;
  readonly heading: string;
  readonly about: string;
}

const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    documents: 'documents',
    newest: 'newest',
    newestDocuments: 'The newest documents:',
    ask: 'You can ask, for example:',
    heading: 'What does “{document}” say about “{heading}”?',
    about: 'What is “{document}” about?',
  },
  de: {
    documents: 'Dokumente',
    newest: 'neuestes',
    newestDocuments: 'Die neuesten Dokumente:',
    ask: 'Sie können zum Beispiel fragen:',
    heading: 'Was steht in „{document}“ über „{heading}“?',
    about: 'Worum geht es in „{document}“?',
  },
  fr: {
    documents: 'documents',
    newest: 'le plus récent',
    newestDocuments: 'Les documents les plus récents :',
    ask: 'Vous pouvez demander, par exemple :',
    heading: 'Que dit « {document} » sur « {heading} » ?',
    about: 'De quoi parle « {document} » ?',
  },
  es: {
    documents: 'documentos',
    newest: 'el más reciente',
    newestDocuments: 'Los documentos más recientes:',
    ask: 'Puede preguntar, por ejemplo:',
    heading: '¿Qué dice «{document}» sobre «{heading}»?',
    about: '¿De qué trata «{document}»?',
  },
  it: {
    documents: 'documenti',
    newest: 'il più recente',
    newestDocuments: 'I documenti più recenti:',
    ask: 'Puoi chiedere, per esempio:',
    heading: 'Che cosa dice «{document}» su «{heading}»?',
    about: 'Di cosa parla «{document}»?',
  },
  pt: {
    documents: 'documentos',
    newest: 'o mais recente',
    newestDocuments: 'Os documentos mais recentes:',
    ask: 'Pode perguntar, por exemplo:',
    heading: 'O que diz “{document}” sobre “{heading}”?',
    about: 'Do que trata “{document}”?',
  },
  ru: {
    documents: 'документы',
    newest: 'самый новый',
    newestDocuments: 'Самые новые документы:',
    ask: 'Можно спросить, например:',
    heading: 'Что сказано в «{document}» о «{heading}»?',
    about: 'О чём «{document}»?',
  },
  zh: {
    documents: '文档',
    newest: '最新',
    newestDocuments: '最新的文档：',
    ask: '例如，您可以问：',
    heading: '“{document}”中关于“{heading}”说了什么？',
    about: '“{document}”讲的是什么？',
  },
  ja: {
    documents: '文書',
    newest: '最新',
    newestDocuments: '最新の文書：',
    ask: 'たとえば、次のように質問できます：',
    heading: '「{document}」には「{heading}」について何が書かれていますか？',
    about: '「{document}」は何についてですか？',
  },
  ko: {
    documents: '문서',
    newest: '최신',
    newestDocuments: '최신 문서:',
    ask: '예를 들어 다음과 같이 질문할 수 있습니다:',
    heading: '“{document}”에는 “{heading}”에 대해 무엇이라고 나와 있습니까?',
    about: '“{document}”은(는) 무엇에 관한 것입니까?',
  },
  ar: {
    documents: 'المستندات',
    newest: 'الأحدث',
    newestDocuments: 'أحدث المستندات:',
    ask: 'يمكنك أن تسأل مثلاً:',
    heading: 'ماذا يقول «{document}» عن «{heading}»؟',
    about: 'عمّ يتحدث «{document}»؟',
  },
};

/** Longest quote of a document. */
const MAX_QUOTE_CHARACTERS = 200;
/** Kinds of documents that are shown of a library, the most frequent first. */
const MAX_KINDS = 6;

/**
 * Describes what can be asked about, in a language: the libraries, the newest documents with their first
 * sentences and citations, and questions.
 *
 * @returns the answer, and the quote of each citation by its number
 */
export function overviewAnswer<P extends QuotablePassage>(
  language: Language,
  { libraries, documents, questions }: Overview<P>,
): { answer: string; quotes: Map<number, PassageQuote> } {
  const texts = TEXTS[language];
  const quotes = new Map<number, PassageQuote>();
  const lines = documents.map(({ name, passage }, index) => {
    const { start, end, text } = quoteIntroduction(passage, MAX_QUOTE_CHARACTERS);
    quotes.set(index + 1, { start, end, text });
    const heading = passage.headingPath?.at(-1) ?? '';
    const isBelow = heading !== '' && text.startsWith(`${heading}\n`);
    const shown = isBelow
      ? `${inOneLine(heading)} — ${inOneLine(text.slice(heading.length))}`
      : inOneLine(text);
    return `- ${inOneLine(name)}: “${shown}” [${index + 1}]`;
  });
  const parts = [
    libraries.map((library) => libraryLine(library, language)),
    lines.length > 0 ? [texts.newestDocuments, '', ...lines] : [],
    questions.length > 0 ? [texts.ask, '', ...questions.map((one) => `- ${inOneLine(one)}`)] : [],
  ];
  return { answer: parts.flatMap((part) => (part.length > 0 ? [part.join('\n')] : [])).join('\n\n'), quotes };
}

/** A question about a part of a document, or about the document; a heading that is a question stands for itself. */
export function overviewQuestion(language: Language, document: string, heading: string | null): string {
  if (heading !== null && /[?？؟]\s*$/u.test(heading)) return heading.trim();
  const { heading: aboutHeading, about } = TEXTS[language];
  return heading === null ? fill(about, { document }) : fill(aboutHeading, { document, heading });
}

function libraryLine(
  { name, documents, kinds, newest, summary = '' }: OverviewLibrary,
  language: Language,
): string {
  const { documents: word, newest: newestWord } = TEXTS[language];
  const shown = [...kinds].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MAX_KINDS);
  const kindList = shown.map(([kind, count]) => `${count} ${kind}`).join(', ');
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(newest);
  const total = `${word}: ${documents}${kindList === '' ? '' : ` (${kindList})`}`;
  const about = summary === '' ? '' : `. ${inOneLine(summary)}`;
  return `- **${inOneLine(name)}** – ${total}, ${newestWord}: ${date}${about}`;
}

/** Brackets of a name would be read as a citation. */
function inOneLine(text: string): string {
  return text.replaceAll('[', '(').replaceAll(']', ')').replace(/\s+/gu, ' ').trim();
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce(
    (filled, [key, value]) => filled.replace(`{${key}}`, () => value),
    text,
  );
}

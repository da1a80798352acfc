import type { DocumentBuilder } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import { pageNumbers } from '../document/recognition.js';
import { ADDABLE_LANGUAGES, languagesOfScripts } from './languages.js';
import { noteOf, type RecognitionNote, wordsOf } from './recognition-note.js';

/** Percent. Printed pages are mostly read with 70 to 95, handwriting with 35 to 65. Of receipts with less, a third of the words is wrong. */
const UNSURE_CONFIDENCE = 65;
/** Of a page. Fewer are a logo or a stamp. */
const MIN_UNSURE_WORDS = 10;

/**
 * Warns of recognized pages that are not what they seem: in a script or a language without data, or read with little
 * confidence.
 *
 * @param tables Tesseract's tab-separated values by page number, with notes
 * @throws DocumentError `LANGUAGE_MISSING` if nothing else of the file is read
 */
export function warnOfRecognition(builder: DocumentBuilder, tables: ReadonlyMap<number, string>): void {
  const notes = [...tables].map(([page, table]) => ({
    page,
    words: wordsOf(table).length,
    ...noteOf(table),
  }));
  const byScript = Map.groupBy(notes, ({ unreadScripts }) => unreadScripts?.join(' ') ?? '');
  for (const [scripts, pages] of byScript) {
    if (scripts === '') continue;
    const languages = languagesOfScripts(likeliest(scripts.split(' ')));
    const message = `${pageWords(pages)} ${isAre(pages)} written in ${scriptName(scripts.split(' '))} script, for which text recognition (OCR) has no language, so the text is missing. ${howToAdd(languages)}`;
    if (builder.isEmpty)
      throw new DocumentError('LANGUAGE_MISSING', `script ${scripts}`, { userMessage: message, languages });
    builder.warn('LANGUAGE_MISSING', message, languages);
  }
  const byLanguage = Map.groupBy(notes, ({ betterLanguage }) => betterLanguage ?? '');
  for (const [language, pages] of byLanguage) {
    if (language === '') continue;
    const read = pages[0]?.languages.map(languageName).join(' and ');
    const message = `${pageWords(pages)} ${isAre(pages)} written in ${languageName(language)} and ${pages.length === 1 ? 'was' : 'were'} recognized as ${read}, so letters and words may be wrong. ${howToAdd([language])}`;
    builder.warn('LANGUAGE_MISSING', message, [language]);
  }
  const unsure = notes.filter(
    ({ confidence, words }) => confidence < UNSURE_CONFIDENCE && words >= MIN_UNSURE_WORDS,
  );
  if (unsure.length > 0)
    builder.warn(
      'PARTLY_READ',
      `Text recognition (OCR) is not sure of the text of ${pageWords(unsure, 'page')}: it may be handwriting, a poor scan, or a language that text recognition does not have. Compare it with the ${unsure.length === 1 ? 'page' : 'pages'} before you rely on it.`,
    );
}

function pageWords(notes: readonly { readonly page: number }[], word = 'Page'): string {
  return `${word}${notes.length === 1 ? '' : 's'} ${pageNumbers(notes.map(({ page }) => page).sort((one, other) => one - other))}`;
}

function isAre(pages: readonly RecognitionNote[]): string {
  return pages.length === 1 ? 'is' : 'are';
}

function howToAdd(languages: readonly string[]): string {
  if (languages.length === 0)
    return 'Ask the operator for language data of Tesseract: the manual of text recognition says where it goes.';
  const names = new Intl.ListFormat('en', { type: 'disjunction' }).format(languages.map(languageName));
  return `Add ${names} in the settings, under Models, and synchronize the document again.`;
}

/** The English name of language data: `German` for `deu`. */
function languageName(name: string): string {
  const tag = ADDABLE_LANGUAGES[name]?.tag ?? name.split('_', 1)[0] ?? name;
  try {
    return new Intl.DisplayNames(['en'], { type: 'language' }).of(tag) ?? name;
  } catch {
    return name;
  }
}

/** The first script, and the other form of Chinese: the detection does not tell them apart. */
function likeliest(scripts: readonly string[]): string[] {
  const [first = ''] = scripts;
  return scripts.filter((script) => script === first || (isHan(first) && isHan(script)));
}

function isHan(script: string): boolean {
  return script === 'Hans' || script === 'Hant';
}

/** The English name of the likeliest script. */
function scriptName([script = '']: readonly string[]): string {
  const code = isHan(script) ? 'Hani' : script;
  try {
    return new Intl.DisplayNames(['en'], { type: 'script' }).of(code) ?? script;
  } catch {
    return script;
  }
}

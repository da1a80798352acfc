import { describe, expect, it } from '@jest/globals';
import { AnalyzedQuestion } from '../question/analyzed-question.js';
import { quoteMatches } from './quote-passage.js';

interface Case {
  readonly name: string;
  readonly question: string;
  readonly text: string;
  /** Lines above the quote, then the quote. */
  readonly quoted: readonly string[];
  readonly header?: string;
  readonly headingPath?: readonly string[];
  readonly textAbove?: string;
}

const CSV = `Load data with the following functions.

x = parsecsv (file)

x = parsecsv (file, options)

Parse the CSV file into the matrix x.

The separator is a comma by default.`;

const LIMITS = `Limits

The following file types can be uploaded:

- PDF
- Word, up to 20 MB

Type | Size | Pages
PDF | 90 MB | 800
Word | 20 MB | 300`;

const FILTER = `Care

Rinse the filter weekly. Do it as follows:

1. Switch the machine off.
2. Take the filter out.
3. Rinse it with water.`;

const OPTIONS = `       -m, --make
              Make a new archive.  The arguments are the names of the
              files in it.

       -e, --empty
              Remove all files from an archive.`;

const CASES: readonly Case[] = [
  {
    name: 'the signatures above a description',
    question: 'How do I parse a CSV file?',
    text: CSV,
    quoted: ['x = parsecsv (file)\n\nx = parsecsv (file, options)\n\nParse the CSV file into the matrix x.'],
  },
  {
    name: 'a signature with text in between',
    question: 'What is the default separator?',
    text: CSV,
    quoted: [
      'x = parsecsv (file)\n\nx = parsecsv (file, options)',
      '…',
      'The separator is a comma by default.',
    ],
  },
  {
    name: 'the signature at the end of the text above the passage',
    question: 'How do I parse a CSV file?',
    text: 'Parse the CSV file into the matrix x.',
    textAbove: 'See also: writecsv.\n\nx = parsecsv (file)\n\nx = parsecsv (file, options)\n\n',
    quoted: ['x = parsecsv (file)\n\nx = parsecsv (file, options)', 'Parse the CSV file into the matrix x.'],
  },
  {
    name: 'no other end of the text above the passage',
    question: 'How do I parse a CSV file?',
    text: 'Parse the CSV file into the matrix x.',
    textAbove: 'x = parsecsv (file)\n\nSee also: writecsv.\n\n',
    quoted: ['Parse the CSV file into the matrix x.'],
  },
  {
    name: 'an option above its indented description',
    question: 'How do I make a new archive?',
    text: OPTIONS,
    quoted: [
      '-m, --make\n              Make a new archive.  The arguments are the names of the\n              files in it.',
    ],
  },
  {
    name: 'a signature that is a heading with a dot',
    question: 'How do I close all connections?',
    text: 'Client.close()\n\nCloses all connections.',
    quoted: ['Client.close()\n\nCloses all connections.'],
  },
  {
    name: 'a list with the sentence that announces it',
    question: 'Which file types can be uploaded?',
    text: LIMITS,
    quoted: ['The following file types can be uploaded:\n\n- PDF\n- Word, up to 20 MB'],
  },
  {
    name: 'a row with the first row of its table',
    question: 'How many pages may Word have?',
    text: LIMITS,
    quoted: ['Type | Size | Pages', '…', 'Word | 20 MB | 300'],
  },
  {
    name: 'a row with the first row of a table that begins above the passage',
    question: 'What is the size of Word?',
    text: 'PDF | 90 MB\nWord | 20 MB',
    header: 'guide.md\nLimits\nType | Size',
    quoted: ['Type | Size', '…', 'Word | 20 MB'],
  },
  {
    name: 'a row before prose that has as many words, for the first row above the passage',
    question: 'What is the winter rate for a child in Bern?',
    text: 'Basel | 12 | 7\nBern | 14 | 8\n\nIn winter, Bern is closed on Mondays.',
    header: 'rates.html\nCity | Winter Adult | Winter Child',
    quoted: ['City | Winter Adult | Winter Child', '…', 'Bern | 14 | 8'],
  },
  {
    name: 'all steps with their announcement',
    question: 'How do I take the filter out?',
    text: FILTER,
    quoted: [
      'Do it as follows:\n\n1. Switch the machine off.\n2. Take the filter out.\n3. Rinse it with water.',
    ],
  },
  {
    name: 'code with the sentence that announces it',
    question: 'How do I start the server?',
    text: 'Install it.\n\nTo start the server, run:\n\nnpm start',
    quoted: ['To start the server, run:\n\nnpm start'],
  },
  {
    name: 'a definition in a list, alone',
    question: 'What is a lease?',
    text: 'Glossary\n\n- Lease: the right to work on a run.\n- Run: work on a document.',
    quoted: ['- Lease: the right to work on a run.'],
  },
  {
    name: 'a definition rather than a mention',
    question: 'What is a lease?',
    text: 'A worker needs a lease before it begins to work on it.\n\nLease: the right to work on a run, which ends after a minute.',
    quoted: ['Lease: the right to work on a run, which ends after a minute.'],
  },
  {
    name: 'the row that defines the term alone',
    question: 'What is a run?',
    text: 'word | meaning\nserving run | the run whose chunks answer a run\nrun | work on a document\nlease | right to change a run',
    quoted: ['word | meaning', '…', 'run | work on a document'],
  },
  {
    name: 'prose rather than code that is not announced',
    question: 'What is the weight of the pump?',
    text: "pump = api('/pumps', { fields: ['weight'] });\n\nThe weight of the pump is 12 kg, and that of its box is 2 kg more.",
    quoted: ['The weight of the pump is 12 kg, and that of its box is 2 kg more.'],
  },
  {
    name: 'the term above its definition',
    question: 'Was ist der Nachlauf?',
    text: 'Begriffe\n\nNachlauf\n\nZeit, in der das Gebläse nach dem Abschalten läuft.',
    quoted: ['Nachlauf\n\nZeit, in der das Gebläse nach dem Abschalten läuft.'],
  },
  {
    name: 'the first sentence of the answer below a question',
    question: 'Kann ich meinen Vertrag kündigen?',
    text: 'Kann ich kündigen?\n\nJa. Ein Vertrag endet zum Ende des Monats, in dem Sie schreiben.',
    quoted: ['Kann ich kündigen?\n\nJa. Ein Vertrag endet zum Ende des Monats, in dem Sie schreiben.'],
  },
  {
    name: 'a question in the same paragraph',
    question: '¿Puedo traer mi perro?',
    text: '¿Puedo traer mi perro?\nSí, por una tarifa de diez euros cada noche que se queda aquí.',
    quoted: ['¿Puedo traer mi perro?\nSí, por una tarifa de diez euros cada noche que se queda aquí.'],
  },
  {
    name: 'an item that is no sentence with the heading of its list',
    question: 'Do you take Mastercard?',
    text: 'Ways to pay\n\n- Visa\n- Mastercard',
    quoted: ['Ways to pay', '…', '- Mastercard'],
  },
  {
    name: 'a heading above the passage that has words of the question',
    question: 'What are the parking fees?',
    text: 'Five euro an hour, and at most thirty euro for a whole day.',
    headingPath: ['Visit', 'Parking fees'],
    quoted: ['Parking fees', '…', 'Five euro an hour, and at most thirty euro for a whole day.'],
  },
  {
    name: 'a Japanese table',
    question: 'プロの月額はいくらですか？',
    text: 'プラン | 月額\n基本 | 500円\nプロ | 900円',
    quoted: ['プラン | 月額', '…', 'プロ | 900円'],
  },
  {
    name: 'Chinese steps',
    question: '如何安装？',
    text: '如何安装？\n\n1. 下载安装包。\n2. 运行安装程序。',
    quoted: ['1. 下载安装包。\n2. 运行安装程序。'],
  },
  {
    name: 'a French list',
    question: 'Quels formats acceptez-vous ?',
    text: 'Nous acceptons ces formats :\n\n• PDF\n• Texte',
    quoted: ['Nous acceptons ces formats :\n\n• PDF\n• Texte'],
  },
];

describe('quoteMatches', () => {
  for (const { name, question, quoted, text, ...above } of CASES) {
    it(`quotes ${name}`, () => {
      const { best: quote } = quoteMatches(
        new AnalyzedQuestion(question).weights,
        { text, start: 9, ...above },
        360,
      );
      expect([...(quote?.lead ?? []), quote?.text]).toEqual(quoted);
      expect(quote?.text).toBe(text.slice((quote?.start ?? 0) - 9, (quote?.end ?? 0) - 9));
    });
  }
});

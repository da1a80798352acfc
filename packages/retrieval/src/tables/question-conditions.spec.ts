import { describe, expect, it } from '@jest/globals';
import { AnalyzedQuestion } from '../question/analyzed-question.js';
import { analyzedQuestions } from '../question/asked-questions.js';
import { detectLanguage } from '../question/detect-language.js';
import type { AskedColumn, AskedTable } from './asked-table.js';
import { tableConditions } from './question-conditions.js';

const column = (
  position: number,
  name: string,
  type: AskedColumn['type'],
  [least, greatest]: readonly [number | string, number | string] | readonly [] = [],
): AskedColumn => ({
  position,
  name,
  type,
  currency: type === 'money' ? 'EUR' : null,
  least: least ?? null,
  greatest: greatest ?? null,
});
const cells = (position: number, ...values: string[]) => values.map((value) => ({ position, value }));

const ORDERS: AskedTable = {
  names: ['orders_Bestellungen-pedidos 注文.csv'],
  columns: [
    column(1, 'Order no.', 'text'),
    column(2, 'Date', 'date', ['2025-11-03', '2026-09-23']),
    column(3, 'Customer', 'text'),
    column(4, 'Status', 'text'),
    column(5, 'Amount', 'money', [10, 9000]),
    column(6, 'Quantity', 'number', [1, 40]),
    column(7, 'Region', 'text'),
  ],
  texts: [
    ...cells(1, 'N-1078', 'N-1079'),
    ...cells(3, 'Müller GmbH', 'Müller GmbH & Co. KG', 'Schmidt AG', 'Costa', 'Will', 'Uhr', 'Schild'),
    ...cells(4, 'open', 'In', 'Delivered', 'offen', 'livrée', 'not paid'),
    ...cells(7, 'North', 'North West', 'West', '北京'),
  ],
  numbers: [
    { position: 5, value: 1250.5 },
    { position: 5, value: 500 },
    { position: 5, value: 2026 },
    { position: 6, value: 3 },
  ],
};

/** `Customer=Müller GmbH; Date=2026-05-01..2026-06-01` */
function read(text: string, table = ORDERS, question = new AnalyzedQuestion(text)): string | null {
  const found = tableConditions(question, table, detectLanguage(text));
  if (found === null) return null;
  const lines = found.conditions.map(({ position, texts, numbers, ranges }) => {
    const values = [...texts, ...numbers, ...ranges.map(({ from, to }) => `${from}..${to}`)];
    return `${table.columns[position - 1]?.name}=${values.join('|')}`;
  });
  return lines.join('; ');
}

describe('tableConditions', () => {
  it.each([
    // A value in several words; the longest one wins.
    ['How many orders of Müller GmbH?', 'Customer=Müller GmbH'],
    ['How many orders of mueller gmbh & co kg?', null],
    ['How many orders of Müller GmbH & Co. KG?', 'Customer=Müller GmbH & Co. KG'],
    ['orders from the North West', 'Region=North West'],
    ['orders from North and West', 'Region=North|West'],
    // A name that begins a value.
    ['How many orders of Schmidt are there?', 'Customer=Schmidt AG'],
    ['orders Schmidt AG', 'Customer=Schmidt AG'],
    ['open orders for the company Schmidt AG', 'Customer=Schmidt AG; Status=open'],
    // All conditions together; values of a column are alternatives.
    [
      'Open orders of Müller GmbH in May 2026',
      'Date=2026-05-01..2026-06-01; Customer=Müller GmbH; Status=open',
    ],
    ['Sum of Müller GmbH and Schmidt AG', 'Customer=Müller GmbH|Schmidt AG'],
    // Inflected forms, in several languages.
    ['Which orders were opened?', 'Status=open'],
    ['Zeig mir die offenen Bestellungen von Schmidt', 'Customer=Schmidt AG; Status=offen'],
    ['Combien de commandes livrées en mai 2026 ?', 'Date=2026-05-01..2026-06-01; Status=livrée'],
    ['北京有多少订单？', 'Region=北京'],
    ['Bestellungen zu Uhren und Schildern', 'Customer=Uhr|Schild'],
    ['a watch and its uhren', null],
    ['Combien de commandes au North West ?', 'Region=North West'],
    // Ordinary words are no values, and neither are words that only sound like them.
    ['What will it cost in total?', null],
    ['Which costs are in there?', null],
    ['What are the opening hours?', null],
    ['How many orders are there?', null],
    [
      'How many visits to North West in May 2026 for orders?',
      'Date=2026-05-01..2026-06-01; Region=North West',
    ],
    // A word that negates may be part of a value.
    ['Which orders are not paid?', 'Status=not paid'],
  ])('finds values of cells: %s', (question, expected) => {
    expect(read(question)).toBe(expected);
  });

  it.each([
    ['How many orders in May?', 'Date=2026-05-01..2026-06-01'],
    ['May we order more?', null],
    ['How many orders may be late?', null],
    ['How many orders in November?', 'Date=2025-11-01..2025-12-01'],
    ['Wie viele Bestellungen im Mai?', 'Date=2026-05-01..2026-06-01'],
    ['¿Cuántos pedidos en mayo?', 'Date=2026-05-01..2026-06-01'],
    ['5月の注文は何件ですか？', 'Date=2026-05-01..2026-06-01'],
    ['五月的注文', 'Date=2026-05-01..2026-06-01'],
    // In another language than the rest.
    ['orders in juin', 'Date=2026-06-01..2026-07-01'],
    ['orders im März', 'Date=2026-03-01..2026-04-01'],
    ['orders Juli', 'Date=2026-07-01..2026-08-01'],
    ['orders in 2026-05', 'Date=2026-05-01..2026-06-01'],
    ['orders in 05/2026', 'Date=2026-05-01..2026-06-01'],
    ['orders in Q2 2026', 'Date=2026-04-01..2026-07-01'],
    ['Bestellungen im 2. Quartal 2026', 'Date=2026-04-01..2026-07-01'],
    ['orders in 2025', 'Date=2025-01-01..2026-01-01'],
    ['orders in May and June 2026', 'Date=2026-05-01..2026-06-01|2026-06-01..2026-07-01'],
    ['orders in May, 2026', 'Date=2026-05-01..2026-06-01'],
    ['orders on 3 May 2026', 'Date=2026-05-03..2026-05-04'],
    ['Bestellungen am 3.5.2026', 'Date=2026-05-03..2026-05-04'],
    // The day or the month may be first.
    ['orders on 3/5/2026', null],
    // Perhaps of another table.
    ['How many accidents in May?', null],
  ])('reads dates: %s', (question, expected) => {
    expect(read(question)).toBe(expected);
  });

  it.each([
    ['Who ordered N-1078?', 'Order no.=N-1078'],
    ['Which order has 1,250.50 €?', 'Amount=1250.5'],
    ['Welche Bestellung hat 1.250,50 €?', 'Amount=1250.5'],
    ['orders with quantity 3', 'Quantity=3'],
    ['orders with amount 2026', 'Amount=2026'],
    // Three orders, not a quantity of three.
    ['the 3 largest orders of Schmidt AG', null],
    ['orders of Schmidt AG with 77 €', null],
  ])('finds numbers: %s', (question, expected) => {
    expect(read(question)).toBe(expected);
  });

  it.each([
    'orders not from Müller GmbH',
    'orders without Müller GmbH',
    'Bestellungen außer Müller GmbH',
    'orders over 500 €',
    'orders of at least 500 €',
    'orders of 500 € or more',
    'Bestellungen über 500 €',
    'commandes de plus de 500 €',
    'orders before May 2026',
    'Bestellungen seit Mai 2026',
    'commandes avant mai 2026',
    'orders between March and May 2026',
    'orders from March to May 2026',
    'orders March–May 2026',
    'first half of 2026',
    'Anfang Mai 2026',
    '500円以上の注文',
    'orders of Müller GmbH or in May',
    // In no cell.
    'How many orders of Huber Ltd in May?',
    'Wie viele Bestellungen von Huber im Mai?',
    'orders of Müller GmbH with 812 pieces',
    'orders of Müller GmbH last month',
    'Bestellungen der Müller GmbH von heute',
    'orders of Müller GmbH per week',
    // Others than a value.
    'all but the open orders',
    'anything but open orders',
    'customers outside North West',
    'Bestellungen außerhalb von North West',
    'commandes hors de North West',
    'orders other than those of Schmidt AG',
    'Bestellungen anderer Kunden als Schmidt AG',
    'all but open orders',
    'alle Bestellungen bis auf Schmidt AG',
    'orders up to and including May 2026',
    'Bestellungen bis einschließlich Mai 2026',
    // Two values that are compared, and no alternatives.
    'How many orders did Schmidt AG place compared to Müller GmbH?',
    'difference between Schmidt AG and Müller GmbH',
    'Schmidt AG versus Müller GmbH',
    // In English, a planet.
    'open orders on Mars',
    // What the cells may not say.
    'orders of Schmidt AG with express shipping',
    'open orders of Schmidt AG by phone',
    'orders of Schmidt AG for a museum',
    'Bestellungen der Schmidt AG mit Rabatt',
    'commandes de Schmidt AG avec une remise',
    // The value of another column.
    'orders with the status Schmidt AG',
  ])('refuses what the conditions cannot say: %s', (question) => {
    expect(read(question)).toBeNull();
  });

  it.each([
    [
      'How many orders of Müller GmbH in May?',
      'And in June?',
      'Date=2026-06-01..2026-07-01; Customer=Müller GmbH',
    ],
    [
      'How many orders of Müller GmbH in May?',
      'And Schmidt AG?',
      'Date=2026-05-01..2026-06-01; Customer=Schmidt AG',
    ],
    // What was not said is not left out.
    ['How many orders over 500 €?', 'And of Schmidt AG?', null],
    ['How many orders in May?', 'How many of Schmidt AG?', 'Customer=Schmidt AG'],
  ])('continues %s', (earlier, text, expected) => {
    const [question] = analyzedQuestions(text);
    expect(read(text, ORDERS, question?.after([new AnalyzedQuestion(earlier)]))).toBe(expected);
  });

  it.each([
    ['How many open orders?', []],
    ['Total amount of the open orders', []],
    ['Anzahl der offenen Bestellungen', []],
    ['Wie viele Bestellungen gab es im Mai?', []],
    ['¿Cuántos orders hubo en mayo?', []],
    ['Quantos orders houve em maio?', []],
    ['orders minus the open ones', ['minus']],
    ['orders, open ones aside', ['aside']],
    ['Bestellungen abzüglich der offenen', ['abzüglich']],
    ['commandes, livrées mises à part', ['commandes', 'mises', 'part']],
    ['orders that Schmidt AG refused', ['refused']],
    ['扣除北京的注文', ['扣除']],
    ['How many orders of Schmidt AG are there? Only the open ones.', ['open']],
    ['Orders before May do not count. How many orders of Schmidt AG are there?', ['May']],
    ['My printer is broken. How many orders of Schmidt AG are there?', []],
  ])('tells the words that no condition uses: %s', (text, expected) => {
    const [question = new AnalyzedQuestion(text)] = analyzedQuestions(text);
    expect(tableConditions(question, ORDERS, detectLanguage(text))?.unused).toEqual(expected);
  });

  it('chooses between columns by the name of one that stands near', () => {
    const deliveries: AskedTable = {
      names: ['tasks.csv'],
      columns: [
        column(1, 'Order date', 'date', ['2026-01-01', '2026-12-31']),
        column(2, 'Lieferdatum', 'date', ['2026-01-01', '2026-12-31']),
        column(3, 'Owner', 'text'),
        column(4, 'Reviewer', 'text'),
      ],
      texts: [...cells(3, 'Anna'), ...cells(4, 'Anna')],
      numbers: [],
    };
    expect(read('How many were ordered in May?', deliveries)).toBe('Order date=2026-05-01..2026-06-01');
    expect(read('Was wurde im Mai geliefert?', deliveries)).toBe('Lieferdatum=2026-05-01..2026-06-01');
    expect(read('What was reviewed by the reviewer Anna?', deliveries)).toBe('Reviewer=Anna');
    expect(read('What happened in May?', deliveries)).toBeNull();
    expect(read('tasks of Anna', deliveries)).toBeNull();
  });

  it('takes the name of a column for no part of a time', () => {
    const projects: AskedTable = {
      ...ORDERS,
      columns: [column(1, 'Name', 'text'), column(2, 'Start', 'date', ['2026-01-01', '2026-12-31'])],
    };
    expect(read('Which projects start in June?', projects)).toBe('Start=2026-06-01..2026-07-01');
    expect(read('names at the start of June', projects)).toBeNull();
    expect(read('start June', projects)).toBeNull();
  });

  it('finds years in a column of years, and takes the year of a name for none', () => {
    const country = column(2, 'Country', 'text');
    const text = column(1, 'Capital', 'text');
    const figures: AskedTable = {
      names: ['report 2026.xlsx'],
      columns: [column(1, 'Year', 'number', [2019, 2025]), country],
      texts: cells(2, 'France'),
      numbers: [{ position: 1, value: 2024 }],
    };
    expect(read('France in 2024', figures)).toBe('Year=2024; Country=France');
    expect(read('population of France', figures)).toBe('Country=France');
    expect(read('France in the report 2026', { ...figures, numbers: [], columns: [text, country] })).toBe(
      'Country=France',
    );
  });
});

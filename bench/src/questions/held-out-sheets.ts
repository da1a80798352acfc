// The sheets of the questions in `held-out-questions.ts`.
import { buildPdf, buildXlsx } from '@citewell/documents/test-files';
import type { Row, Sheet } from './table-questions.js';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const COUNT = 36;

type Cell = string | number;

const pick = (values: readonly string[], at: number, step = 1): string =>
  values[(at * step + Math.floor(at / values.length)) % values.length] ?? '';
const money = (at: number, step: number): number => 20 + ((at * step * 41) % 2_300) + ((at * 25) % 100) / 100;
const day = (at: number, step: number): string =>
  `2026-${String(1 + ((at * step) % 12)).padStart(2, '0')}-${String(1 + ((at * 11) % 28)).padStart(2, '0')}`;

function rowsOf<One extends Row>(count: number, row: (at: number) => One): One[] {
  return Array.from({ length: count }, (_, at) => row(at));
}

function amount(value: number, language: string, currency?: string): string {
  return new Intl.NumberFormat(language, {
    minimumFractionDigits: 2,
    ...(currency === undefined ? {} : { style: 'currency', currency }),
  }).format(value);
}

function spoken(iso: string, language: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(new Date(iso));
}

function sheetXml(rows: readonly (readonly Cell[])[]): string {
  return rows
    .map((row, at) => {
      const cells = row.map((cell, column) => {
        const place = `${String.fromCharCode(65 + column)}${at + 1}`;
        if (cell === '') return '';
        return typeof cell === 'number'
          ? `<c r="${place}"><v>${cell}</v></c>`
          : `<c r="${place}" t="inlineStr"><is><t>${cell.replaceAll('&', '&amp;')}</t></is></c>`;
      });
      return `<row r="${at + 1}">${cells.join('')}</row>`;
    })
    .join('');
}

const projects = rowsOf(COUNT, (at) => ({
  Project: `Apollo ${at + 1}`,
  Lead: pick(['Nina Park', 'Omar Diaz', 'Lena Vogt'], at),
  Phase: pick(['design', 'build', 'test', 'build'], at, 3),
  Start: day(at, 5),
  'Hours / planned': 40 + ((at * 13) % 90),
  'Hours / spent': 10 + ((at * 29) % 130),
}));

const expenses = rowsOf(COUNT + 9, (at) => ({
  Date: day(at, 7),
  Category: pick(['travel', 'meals', 'software'], at),
  Employee: pick(['Tom Becker', 'Priya Shah', 'Ana Ruiz', 'Joe Lind'], at, 3),
  Status: pick(['approved', 'rejected'], at, 1),
  Amount: at % 7 === 3 ? -money(at, 3) : money(at, 3),
}));

const income = rowsOf(24, (at) => ({
  Table: 'Income',
  Client: pick(['Bluebird Media', 'Quarry Foods', 'Lakeside Clinic'], at),
  Date: day(at, 5),
  Amount: money(at, 7),
}));
const costs = rowsOf(20, (at) => ({
  Table: 'Costs',
  Supplier: pick(['Delta Hosting', 'Metro Print', 'Sigma Legal'], at),
  Date: day(at, 7),
  Amount: money(at, 11),
}));

const mieten = rowsOf(COUNT + 4, (at) => ({
  Mieter: pick(['Praxis Dr. Sommer', 'Familie Krug', 'Weinladen Ott', 'Kanzlei Berg'], at),
  Objekt: pick(['Lindenhof', 'Marktplatz 3', 'Alte Post'], at),
  'Fällig am': day(at, 5),
  Miete: 400 + money(at, 5),
  Status: pick(['bezahlt', 'offen', 'gemahnt'], at, 2),
  Nachlass: (at % 5) * 2.5,
}));

const energie = rowsOf(COUNT, (at) => ({
  Zähler: `Z-${310 + at}`,
  Standort: pick(['Halle Nord', 'Büro West', 'Lager'], at),
  Monat: `2026-${String(1 + (at % 6)).padStart(2, '0')}-01`,
  Tarif: pick(['Tag', 'Nacht'], at),
  'Verbrauch (kWh)': Math.round(money(at, 9) * 10) / 10,
}));

const stock = rowsOf(24, (at) => ({
  Item: `${pick(['Hammer', 'Saw', 'Drill', 'Wrench', 'Level'], at)} ${at + 1}`,
  Bin: `B${1 + (at % 8)}`,
  Supplier: pick(['Orion Tools', 'Kestrel Parts'], at),
  Pieces: 5 + ((at * 7) % 60),
  Price: 3 + ((at * 5) % 40) + 0.5,
}));

const budget = rowsOf(COUNT, (at) => ({
  Poste: `Poste ${100 + at}`,
  Date: day(at, 5),
  Service: pick(['Accueil', 'Voirie', 'Écoles'], at),
  Montant: at % 9 === 4 ? -money(at, 3) : money(at, 13),
  TVA: pick(['20 %', '5,5 %', '10 %'], at, 2),
}));

const NAMES = ['Yves Kerjean', 'Anne Le Goff', 'Paul Riou', 'Maëlle Tanguy'];
const members = rowsOf(COUNT, (at) => ({
  Nom: at < NAMES.length ? (NAMES[at] ?? '') : `Membre ${at}`,
  Parrain: pick(NAMES, at + 1),
  Ville: pick(['Rennes', 'Quimper', 'Vannes'], at),
  Inscription: day(at, 7),
  Cotisation: 30 + (at % 6) * 7.5,
}));

const csv = (rows: readonly (readonly Cell[])[], mark: string): Uint8Array =>
  Buffer.from(rows.map((row) => row.join(mark)).join('\n'));
const sumOf = (rows: readonly Row[], column: string): number =>
  Math.round(rows.reduce((sum, row) => sum + Number(row[column]), 0) * 100) / 100;

/** Two header rows, of which the first is merged over two columns, and a total. */
const projectsXlsx = buildXlsx([
  {
    name: 'Projects',
    rows: sheetXml([
      ['Project', 'Lead', 'Phase', 'Start', 'Hours', ''],
      ['', '', '', '', 'planned', 'spent'],
      ...projects.map((row) => Object.values(row)),
      ['Total', '', '', '', sumOf(projects, 'Hours / planned'), sumOf(projects, 'Hours / spent')],
    ]),
    after:
      '<mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="B1:B2"/><mergeCell ref="C1:C2"/><mergeCell ref="D1:D2"/><mergeCell ref="E1:F1"/></mergeCells>',
  },
]);

const ledgerXlsx = buildXlsx([
  {
    name: 'Ledger',
    rows: sheetXml([
      ['Income', '', ''],
      ['Client', 'Date', 'Amount'],
      ...income.map(({ Client, Date, Amount }) => [Client, Date, Amount]),
      ['Total', '', sumOf(income, 'Amount')],
      ['', '', ''],
      ['Costs', '', ''],
      ['Supplier', 'Date', 'Amount'],
      ...costs.map(({ Supplier, Date, Amount }) => [Supplier, Date, Amount]),
      ['Total', '', sumOf(costs, 'Amount')],
    ]),
  },
]);

const energieHtml = `<!doctype html><html lang="de"><title>Energie</title><body><h1>Energieverbrauch</h1>
<p>Die Werte aller Zähler unserer Standorte.</p><table><tr>${Object.keys(energie[0] ?? {})
  .map((name) => `<th>${name}</th>`)
  .join('')}</tr>${energie
  .map(
    (row) =>
      `<tr>${[
        row.Zähler,
        row.Standort,
        new Intl.DateTimeFormat('de', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
          new Date(row.Monat),
        ),
        row.Tarif,
        new Intl.NumberFormat('de', { minimumFractionDigits: 1 }).format(row['Verbrauch (kWh)']),
      ]
        .map((text) => `<td>${text}</td>`)
        .join('')}</tr>`,
  )
  .join('')}</table></body></html>`;

const stockPdf = buildPdf([
  [
    { text: 'Stock of the workshop', x: 72, y: 740, size: 16 },
    ...[
      Object.keys(stock[0] ?? {}),
      ...stock.map(({ Item, Bin, Supplier, Pieces, Price }) => [
        Item,
        Bin,
        Supplier,
        String(Pieces),
        `$${Price.toFixed(2)}`,
      ]),
    ].flatMap((cells, line) =>
      cells.map((text, column) => ({ text, x: [72, 180, 250, 380, 460][column] ?? 0, y: 700 - 20 * line })),
    ),
  ],
]);

const visits = (year: number, step: number): Row[] =>
  rowsOf(COUNT, (at) => ({
    Site: pick(['York', 'New York', 'Bath', 'Bathurst'], at, step),
    Guide: pick(['Iris Moor', 'Ben Hale', 'Cara York'], at),
    Day: day(at, 5).replace('2026', String(year)),
    Guests: 2 + ((at * 17) % 30),
  }));
const visits2026 = visits(2026, 1);
const visits2025 = visits(2025, 3);

/** Every fifth row is hidden, which people do to rows that they do not want to see at the moment. */
const visitsXlsx = buildXlsx([
  {
    name: 'Visits',
    rows: sheetXml([
      Object.keys(visits2026[0] ?? {}),
      ...visits2026.map((row) => Object.values(row)),
    ]).replaceAll(/<row r="(\d*[05])">/g, '<row r="$1" hidden="1">'),
  },
]);

export const HELD_OUT_SHEETS: readonly Sheet[] = [
  { name: 'projects.xlsx', mimeType: XLSX, content: projectsXlsx, rows: projects },
  {
    name: 'expenses.csv',
    mimeType: 'text/csv',
    content: csv(
      [
        Object.keys(expenses[0] ?? {}),
        ...expenses.map(({ Date: date, Amount, ...row }, at) => [
          spoken(date, 'en-GB'),
          ...Object.values(row),
          amount(Amount, 'en-GB', at % 3 === 0 ? 'USD' : 'EUR').replaceAll(',', ''),
        ]),
      ],
      ',',
    ),
    rows: expenses,
  },
  { name: 'ledger.xlsx', mimeType: XLSX, content: ledgerXlsx, rows: [...income, ...costs] },
  {
    name: 'Mieten.csv',
    mimeType: 'text/csv',
    content: csv(
      [
        Object.keys(mieten[0] ?? {}),
        ...mieten.map((row) => [
          row.Mieter,
          row.Objekt,
          row['Fällig am'].split('-').toReversed().join('.'),
          amount(row.Miete, 'de', 'EUR'),
          row.Status,
          `${amount(row.Nachlass, 'de')} %`,
        ]),
      ],
      ';',
    ),
    rows: mieten,
  },
  { name: 'Energie.html', mimeType: 'text/html', content: Buffer.from(energieHtml), rows: energie },
  { name: 'stock.pdf', mimeType: 'application/pdf', content: stockPdf, rows: stock },
  {
    name: 'budget.csv',
    mimeType: 'text/csv',
    content: csv(
      [
        Object.keys(budget[0] ?? {}),
        ...budget.map((row) => [
          row.Poste,
          spoken(row.Date, 'fr'),
          row.Service,
          amount(row.Montant, 'fr', 'EUR'),
          row.TVA,
        ]),
        ['Total', '', '', amount(sumOf(budget, 'Montant'), 'fr', 'EUR'), ''],
      ],
      ';',
    ),
    rows: budget,
  },
  {
    name: 'adhérents.csv',
    mimeType: 'text/csv',
    content: csv(
      [
        Object.keys(members[0] ?? {}),
        ...members.map(({ Cotisation, ...row }) => [...Object.values(row), amount(Cotisation, 'fr')]),
      ],
      ';',
    ),
    rows: members,
  },
  { name: 'visits 2026.xlsx', mimeType: XLSX, content: visitsXlsx, rows: visits2026 },
  {
    name: 'visits 2025.csv',
    mimeType: 'text/csv',
    content: csv([Object.keys(visits2025[0] ?? {}), ...visits2025.map((row) => Object.values(row))], ','),
    rows: visits2025,
  },
];

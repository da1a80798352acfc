import { expect, it } from '@jest/globals';
import { typedTables } from './typed-tables.js';

/** Sheets as people export them. */
const SHEETS: readonly (readonly [
  title: string,
  delimiter: string,
  types: string,
  lines: readonly string[],
])[] = [
  [
    'bank de',
    ';',
    'date, date, text, number, number',
    [
      'Buchungstag | Wertstellung | Verwendungszweck | Betrag | Saldo',
      '02.01.2026 | 02.01.2026 | Miete Januar | -1.250,00 | 3.412,77',
      '05.01.2026 | 06.01.2026 | REWE SAGT DANKE 1234 | -87,43 | 3.325,34',
      '15.01.2026 | 15.01.2026 | Gehalt | 3.950,00 | 7.275,34',
      '31.01.2026 | 31.01.2026 | Strom | -112,9 | 7.162,44',
    ],
  ],
  [
    'payroll us',
    ',',
    'text, text, date, money $, percent',
    [
      'Employee ID | SSN | Hire Date | Salary | Bonus %',
      '00017 | 123-45-6789 | 03/15/2019 | $85,000.00 | 5%',
      '00018 | 987-65-4321 | 11/02/2021 | $92,500.50 | 7.5%',
      '00203 | 555-12-1212 | 07/30/2015 | $110,000.00 | 0%',
    ],
  ],
  [
    'ambiguous dates',
    ',',
    'number, text, text',
    [
      'Ticket | Opened | Closed',
      '1 | 03/04/2026 | 05/04/2026',
      '2 | 04/04/2026 | 06/04/2026',
      '3 | 05/04/2026 | 12/04/2026',
    ],
  ],
  [
    'inventory fr',
    ';',
    'text, money EUR, number, percent',
    [
      'Article | Prix unitaire | Quantité | TVA',
      'Café moulu | 4,90 € | 120 | 5,5 %',
      'Thé vert | 12,00 € | 1 200 | 5,5 %',
      'Sucre | 0,99 € | 15 000 | 20 %',
      'Total |  | 16 320 | ',
    ],
  ],
  [
    'weather',
    ',',
    'date, time, number, number, text',
    [
      'date | time | temp_c | humidity | wind',
      '2026-01-01 | 00:00 | -3.2 | 81 | NW',
      '2026-01-01 | 06:00 | -4.0 | 83 | NW',
      '2026-01-01 | 12:00 | 1.5 | 70 | W',
      '2026-01-01 | 18:00 |  | 75 | ',
    ],
  ],
  [
    'scores',
    ',',
    'text, text, text, number',
    [
      'Home | Away | Score | Attendance',
      'Ajax | PSV | 2-1 | 54,000',
      'Feyenoord | AZ | 0-0 | 47,500',
      'Utrecht | Twente | 3-2 | 21,321',
    ],
  ],
  [
    'elements',
    ',',
    'text, number, number, number',
    [
      'Symbol | Atomic number | Mass | Discovered',
      'H | 1 | 1.008 | 1766',
      'He | 2 | 4.0026 | 1868',
      'Au | 79 | 196.967 | Ancient',
      'U | 92 | 238.029 | 1789',
    ],
  ],
  [
    'swiss',
    ';',
    'number, text, money CHF, money CHF',
    [
      'Konto | Bezeichnung | Budget CHF | Ist CHF',
      "4000 | Material | 120'000.00 | 98'450.55",
      "5000 | Lohn | 450'000.00 | 451'200.10",
      "6500 | Büro | 8'500.00 | 9'012.45",
      " | Total | 578'500.00 | 558'663.10",
    ],
  ],
  [
    'indian',
    ',',
    'text, money INR',
    ['State | Sales', 'Kerala | ₹12,34,567.00', 'Goa | ₹3,45,678.50', 'Assam | ₹98,765.00'],
  ],
  [
    'mixed currency',
    ',',
    'text, money mixed',
    ['Invoice | Amount', 'A1 | €100.00', 'A2 | $200.00', 'A3 | £50.00'],
  ],
  [
    'japan',
    ',',
    'date, text, money JPY, number',
    [
      '日付 | 商品 | 金額 | 数量',
      '2026年1月5日 | りんご | 1,200円 | 3',
      '2026年1月6日 | みかん | 800円 | 10',
      '2026年1月7日 | ぶどう | 2,500円 | 1',
      '合計 |  | 4,500円 | 14',
    ],
  ],
  [
    'phones',
    ';',
    'text, text, text, text',
    [
      'Name | Telefon | PLZ | Ort',
      'Anna | 030 1234567 | 10115 | Berlin',
      'Bernd | 0351/998877 | 01067 | Dresden',
      'Carla | +49 89 5554433 | 80331 | München',
    ],
  ],
  [
    'survey',
    ',',
    'number, number, number, number, text',
    [
      'Respondent | Q1 | Q2 | Q3 | Comment',
      '1 | 5 | 4 | n/a | good',
      '2 | 3 | n/a | 2 | bad, really',
      '3 | 4 | 4 | 5 | ',
      '4 | 5 | 5 | 4 | ok',
    ],
  ],
  [
    'servers',
    'tab',
    'text, text, number, percent, text',
    [
      'host | ip | port | uptime | version',
      'web1 | 10.0.0.1 | 443 | 99.95% | 1.2.3',
      'web2 | 10.0.0.2 | 443 | 98.10% | 1.2.10',
      'db1 | 10.0.0.9 | 5432 | 100% | 14.5',
    ],
  ],
  [
    'quarters',
    ',',
    'text, number, number, number',
    [
      'Region | 2023 | 2024 | 2025',
      'North | 120 | 135 | 150',
      'South | 80 | 95 | 100',
      'East | 60 |  | 75',
      'Total | 260 | 230 | 325',
    ],
  ],
  [
    'subtotals',
    ',',
    'text, text, number',
    [
      'Abteilung | Monat | Kosten',
      'IT | Januar | 1000',
      'IT | Februar | 1200',
      'Zwischensumme IT |  | 2200',
      'HR | Januar | 500',
      'HR | Februar | 450',
      'Zwischensumme HR |  | 950',
      'Gesamt |  | 3150',
    ],
  ],
  [
    'log',
    ',',
    'date, text, number',
    [
      'timestamp | level | ms',
      '2026-03-01T12:00:01.123Z | INFO | 12',
      '2026-03-01T12:00:02.456Z | WARN | 1043',
      '2026-03-01T12:00:03.789Z | ERROR | 30000',
    ],
  ],
  [
    'units',
    ',',
    'text, number g, number mm',
    ['Part | Weight | Length', 'Bolt | 12 g | 3.5 mm', 'Nut | 5 g | 2.0 mm', 'Plate | 250 g | 100.25 mm'],
  ],
  ['units mixed', ',', 'text, text', ['Part | Weight', 'Bolt | 12 g', 'Plate | 1.2 kg', 'Beam | 33 kg']],
  [
    'negative paren',
    ',',
    'text, number, number',
    [
      'Line | FY25 | FY24',
      'Revenue | 1,204 | 1,150',
      'Cost | (804) | (790)',
      'Tax | (12) | (9)',
      'Net | 388 | 351',
    ],
  ],
  [
    'dates named',
    ',',
    'text, date',
    ['Event | When', 'Kickoff | Jan 5, 2026', 'Review | Feb 17, 2026', 'Launch | March 3, 2026'],
  ],
  [
    'months',
    ',',
    'date, number',
    ['Month | Visitors', 'Jan 2026 | 1204', 'Feb 2026 | 998', 'Mar 2026 | 1500'],
  ],
  [
    'sap',
    ';',
    'text, number',
    ['Beleg | Betrag', '0090001 | 1.204,50-', '0090002 | 300,00', '0090003 | 15,25-'],
  ],
  ['sci', ',', 'text, number', ['sample | conc', 'a | 1.2e-5', 'b | 3E-4', 'c | 0.002']],
  [
    'isbn',
    ',',
    'text, text, number, number',
    [
      'Title | ISBN | Year | Price',
      'Emma | 978-0141439587 | 1815 | 9.99',
      'Dune | 978-0441013593 | 1965 | 10.50',
    ],
  ],
  [
    'isbn digits',
    ',',
    'text, text, number',
    ['Title | ISBN13 | Rating', 'Emma | 9780141439587 | 4.1', 'Dune | 9780441013593 | 4.3'],
  ],
  [
    'lap times',
    ',',
    'text, time, number',
    ['Driver | Lap | Gap', 'HAM | 1:23.456 | +0.000', 'VER | 1:23.789 | +0.333', 'LEC | 1:24.001 | +0.545'],
  ],
  [
    'spanish',
    ';',
    'date, text, money EUR, percent',
    [
      'Fecha | Cliente | Importe | IVA',
      '3 de enero de 2026 | García S.L. | 1.250,00 € | 21 %',
      '14 de febrero de 2026 | López y Cía. | 980,50 € | 21 %',
      '1 de marzo de 2026 | Núñez | 12,00 € | 10 %',
    ],
  ],
  [
    'booleans',
    ',',
    'text, text, number',
    ['Feature | Enabled | Since', 'A | true | 2020', 'B | false | 2021', 'C | true | '],
  ],
  [
    'percent points',
    ',',
    'text, percent, number',
    ['Party | Share (%) | Seats', 'A | 41.5 | 230', 'B | 30.2 | 150', 'C | 28.3 | 120'],
  ],
  [
    'geo',
    ',',
    'text, number, number',
    ['city | lat | lon', 'Munich | 48.137 | 11.575', 'Oslo | 59.914 | 10.752', 'Rome | 41.902 | 12.496'],
  ],
  [
    'geo de',
    ';',
    'text, text, text',
    [
      'Stadt | Breite | Länge',
      'München | 48.137 | 11.575',
      'Oslo | 59.914 | 10.752',
      'Rom | 41.902 | 12.496',
    ],
  ],
  [
    'thousands de',
    ';',
    'text, text',
    ['Gemeinde | Einwohner', 'Aach | 2.345', 'Aalen | 68.456', 'Achern | 25.678'],
  ],
  [
    'ranks',
    ',',
    'text, text, time',
    ['Rank | Name | Time', '1st | Ann | 12:01', '2nd | Bob | 12:44', '3rd | Cyd | 13:10'],
  ],
  [
    'german mio',
    ';',
    'text, money EUR Mio.',
    ['Firma | Umsatz', 'A AG | 1,2 Mio. €', 'B AG | 13,5 Mio. €', 'C AG | 0,8 Mio. €'],
  ],
  ['us m b', ',', 'text, text', ['Company | Cap', 'A | $1.2B', 'B | $350M', 'C | $12M']],
  ['two digit', ',', 'number, date', ['Id | Date', '1 | 12/31/25', '2 | 01/15/26', '3 | 02/01/26']],
  ['yyyymmdd', ',', 'number, date', ['Id | Datum', '1 | 20260131', '2 | 20260201', '3 | 20251224']],
];

it.each(SHEETS)('reads the columns of: %s', (_title, delimiter, types, lines) => {
  const text = lines.map((line) => line.replace(/[ |]+$/, '').trimStart()).join('\n');
  const headerEnd = text.indexOf('\n');
  const block = { kind: 'table', start: 0, end: text.length, headingPath: [], headerEnd };
  const [table] = typedTables({ text, language: null, blocks: [block] }, { isSpreadsheet: true, delimiter });
  const described = table?.columns.map(({ type, currency, mixedCurrencies, unit }) =>
    [type, currency, unit, mixedCurrencies === true ? 'mixed' : null].filter(Boolean).join(' '),
  );
  expect(described?.join(', ')).toBe(types);
});

/** A sheet with its rows as values, and as a file. */
export interface Sheet {
  readonly name: string;
  readonly mimeType: string;
  readonly content: Uint8Array;
  readonly rows: readonly Row[];
}

export type Row = Readonly<Record<string, string | number>>;

export interface TableQuestion {
  readonly kind: 'filter' | 'count' | 'sum' | 'month' | 'several' | 'none';
  readonly text: string;
  /** Null: no rows may be counted. */
  readonly sheet: string | null;
  /** The rows that are meant. */
  readonly where: (row: Row) => boolean;
  /** The column whose sum the answer must have. */
  readonly sum?: string;
  /** Of a question that was written before the rules were tried on it: in which round, from 1. */
  readonly round?: number;
}

/** How a language writes numbers and dates. */
type Style = 'en' | 'de' | 'fr';
type Cell = (at: number) => string | number;

/** A column without a unit; `€` for money. */
interface ColumnPlan {
  readonly name: string;
  readonly unit?: '€' | '$';
  readonly isDate?: true;
  readonly cell: Cell;
}

const pick =
  (step: number, ...values: string[]): Cell =>
  (at) =>
    values[(at * step + Math.floor(at / values.length)) % values.length] ?? '';
const amount =
  (least: number, step: number): Cell =>
  (at) =>
    least + ((at * step * 37) % 4_000) + ((at * 25) % 100) / 100;
const whole =
  (least: number, count: number, step = 7): Cell =>
  (at) =>
    least + ((at * step) % count);
/** A day of 2026, as `2026-05-03`. */
const day =
  (step: number, months = 12): Cell =>
  (at) =>
    `2026-${String(1 + ((at * step) % months)).padStart(2, '0')}-${String(1 + ((at * 5) % 28)).padStart(2, '0')}`;

function sheet(name: string, style: Style, count: number, columns: readonly ColumnPlan[]): Sheet {
  const rows = Array.from({ length: count }, (_, at) =>
    Object.fromEntries(columns.map((column) => [column.name, column.cell(at)])),
  );
  const mark = style === 'en' ? ',' : ';';
  const lines = rows.map((row) =>
    columns.map((column) => written(row[column.name] ?? '', column, style)).join(mark),
  );
  const csv = [columns.map((column) => column.name).join(mark), ...lines].join('\n');
  return { name, rows, mimeType: 'text/csv', content: Buffer.from(csv) };
}

function written(value: string | number, { unit, isDate }: ColumnPlan, style: Style): string {
  if (typeof value === 'string') {
    if (!isDate || style === 'en') return value;
    const [year, month, date] = value.split('-');
    return style === 'de' ? `${date}.${month}.${year}` : `${date}/${month}/${year}`;
  }
  if (unit === undefined) return String(value);
  const plain = value.toFixed(2);
  return style === 'en' ? `${unit}${plain}` : `${plain.replace('.', ',')} ${unit}`;
}

const EN = ['Harper Ltd', 'Miller & Sons', 'Northwind Traders', 'Oakfield Dairy'];
const DE = ['Müller GmbH', 'Schmidt AG', 'Bäckerei Vogel', 'Stadtwerke Ulm'];
const FR = ['Dupont SA', 'Librairie Martin', 'Garage Lefèvre', 'Mairie de Brest'];

export const SHEETS: readonly Sheet[] = [
  sheet('orders.csv', 'en', 60, [
    { name: 'Order', cell: (at) => `N-${1_000 + at}` },
    { name: 'Date', isDate: true, cell: day(5) },
    { name: 'Customer', cell: pick(3, ...EN) },
    { name: 'Status', cell: pick(1, 'open', 'shipped', 'cancelled') },
    { name: 'Amount', unit: '$', cell: amount(50, 3) },
  ]),
  sheet('employees.csv', 'en', 40, [
    {
      name: 'Name',
      cell: (at) =>
        `${['Alice', 'Brian', 'Carla', 'David'][at % 4]} ${['Stone', 'Reed', 'Hill', 'Ford', 'Lake', 'Marsh', 'Penn', 'Quill', 'Rowe', 'Tate'][at % 10]}`,
    },
    { name: 'Department', cell: pick(1, 'Sales', 'Research', 'Finance') },
    { name: 'City', cell: pick(1, 'London', 'Leeds', 'York', 'Bristol', 'Bath') },
    { name: 'Salary', unit: '$', cell: amount(30_000, 11) },
  ]),
  sheet('support tickets.csv', 'en', 50, [
    { name: 'Ticket', cell: (at) => `T${500 + at}` },
    { name: 'Opened', isDate: true, cell: day(7, 6) },
    { name: 'Priority', cell: pick(1, 'high', 'medium', 'low') },
    { name: 'Product', cell: pick(2, 'Pump P200', 'Valve V10', 'Filter F3') },
    { name: 'Minutes', cell: whole(5, 90) },
  ]),
  sheet('inventory.csv', 'en', 36, [
    { name: 'Article', cell: (at) => `Part ${String.fromCharCode(65 + (at % 26))}${at}` },
    { name: 'Warehouse', cell: pick(1, 'North', 'North West', 'South') },
    { name: 'Quantity', cell: whole(1, 80, 13) },
  ]),
  sheet('Bestellungen.csv', 'de', 60, [
    { name: 'Nummer', cell: (at) => `B-${2_000 + at}` },
    { name: 'Datum', isDate: true, cell: day(7) },
    { name: 'Kunde', cell: pick(3, ...DE) },
    { name: 'Status', cell: pick(1, 'offen', 'geliefert', 'storniert') },
    { name: 'Betrag', unit: '€', cell: amount(80, 7) },
  ]),
  sheet('Rechnungen.csv', 'de', 45, [
    { name: 'Rechnung', cell: (at) => `R${3_000 + at}` },
    { name: 'Rechnungsdatum', isDate: true, cell: day(5) },
    { name: 'Bezahlt am', isDate: true, cell: day(7) },
    { name: 'Lieferant', cell: pick(1, 'Papier Huber', 'Elektro Kraus', 'Holz Brandl') },
    { name: 'Summe netto', unit: '€', cell: amount(20, 5) },
  ]),
  sheet('Fuhrpark.csv', 'de', 30, [
    { name: 'Kennzeichen', cell: (at) => `UL-AB ${100 + at}` },
    { name: 'Fahrzeug', cell: pick(1, 'Transporter', 'Kombi', 'Lastwagen') },
    { name: 'Standort', cell: pick(1, 'Ulm', 'Augsburg', 'Kempten', 'Biberach') },
    { name: 'Kilometer', cell: whole(1_000, 90_000, 7_919) },
  ]),
  sheet('Kurse.csv', 'de', 32, [
    { name: 'Kurs', cell: (at) => `${['Yoga', 'Pilates', 'Fechten', 'Rudern'][at % 4]} ${at + 1}` },
    { name: 'Wochentag', cell: pick(1, 'Montag', 'Dienstag', 'Freitag') },
    { name: 'Teilnehmer', cell: whole(4, 20, 3) },
  ]),
  sheet('ventes.csv', 'fr', 60, [
    { name: 'Vente', cell: (at) => `V-${4_000 + at}` },
    { name: 'Date', isDate: true, cell: day(5) },
    { name: 'Client', cell: pick(3, ...FR) },
    { name: 'Région', cell: pick(1, 'Bretagne', 'Alsace', 'Provence') },
    { name: 'Montant', unit: '€', cell: amount(60, 9) },
  ]),
  sheet('factures.csv', 'fr', 42, [
    { name: 'Facture', cell: (at) => `F${7_000 + at}` },
    { name: 'Échéance', isDate: true, cell: day(11) },
    { name: 'État', cell: pick(1, 'payée', 'impayée', 'annulée') },
    { name: 'Total', unit: '€', cell: amount(40, 13) },
  ]),
  sheet('inscriptions.csv', 'fr', 38, [
    {
      name: 'Élève',
      cell: (at) =>
        `${['Chloé', 'Louis', 'Manon', 'Hugo'][at % 4]} ${['Roux', 'Petit', 'Blanc', 'Garnier', 'Faure'][at % 5]} ${at}`,
    },
    { name: 'Atelier', cell: pick(1, 'poterie', 'danse', 'théâtre') },
    { name: 'Heures', cell: whole(2, 30, 11) },
  ]),
  sheet('livraisons.csv', 'fr', 44, [
    { name: 'Colis', cell: (at) => `C${9_000 + at}` },
    { name: 'Expédié le', isDate: true, cell: day(7, 6) },
    { name: 'Ville', cell: pick(1, 'Lyon', 'Lille', 'Nantes', 'Nice') },
    { name: 'Poids', cell: whole(1, 40, 17) },
  ]),
];

const is =
  (column: string, ...values: (string | number)[]) =>
  (row: Row): boolean =>
    values.includes(row[column] ?? '');
const month =
  (column: string, ...months: string[]) =>
  (row: Row): boolean =>
    months.some((one) => String(row[column]).startsWith(one));
const all =
  (...tests: ((row: Row) => boolean)[]) =>
  (row: Row): boolean =>
    tests.every((test) => test(row));
const never = (): boolean => false;

type Line = readonly [TableQuestion['kind'], string, string | null, TableQuestion['where'], string?];

const LINES: readonly Line[] = [
  [
    'count',
    'How many orders of Northwind Traders are there?',
    'orders.csv',
    is('Customer', 'Northwind Traders'),
  ],
  ['count', 'How many orders were cancelled?', 'orders.csv', is('Status', 'cancelled')],
  ['month', 'How many orders in May?', 'orders.csv', month('Date', '2026-05')],
  ['month', 'orders in March 2026', 'orders.csv', month('Date', '2026-03')],
  ['month', 'Which orders came in Q3 2026?', 'orders.csv', month('Date', '2026-07', '2026-08', '2026-09')],
  [
    'sum',
    'What is the total amount of the orders of Harper Ltd?',
    'orders.csv',
    is('Customer', 'Harper Ltd'),
    'Amount',
  ],
  [
    'several',
    'open orders of Miller & Sons',
    'orders.csv',
    all(is('Customer', 'Miller & Sons'), is('Status', 'open')),
  ],
  [
    'several',
    'How much did Oakfield Dairy order in June?',
    'orders.csv',
    all(is('Customer', 'Oakfield Dairy'), month('Date', '2026-06')),
    'Amount',
  ],
  ['filter', 'Show me order N-1017', 'orders.csv', is('Order', 'N-1017')],
  ['filter', 'Who works in Research?', 'employees.csv', is('Department', 'Research')],
  ['count', 'How many employees are in York?', 'employees.csv', is('City', 'York')],
  ['sum', 'average salary in Finance', 'employees.csv', is('Department', 'Finance'), 'Salary'],
  [
    'several',
    'employees of Sales in Leeds',
    'employees.csv',
    all(is('Department', 'Sales'), is('City', 'Leeds')),
  ],
  ['count', 'How many tickets have high priority?', 'support tickets.csv', is('Priority', 'high')],
  [
    'sum',
    'How many minutes did tickets about the Pump P200 take?',
    'support tickets.csv',
    is('Product', 'Pump P200'),
    'Minutes',
  ],
  [
    'several',
    'high priority tickets for Valve V10 in April',
    'support tickets.csv',
    all(is('Priority', 'high'), is('Product', 'Valve V10'), month('Opened', '2026-04')),
  ],
  ['filter', 'What is stored in the North West warehouse?', 'inventory.csv', is('Warehouse', 'North West')],
  ['sum', 'quantity in warehouse South', 'inventory.csv', is('Warehouse', 'South'), 'Quantity'],
  ['none', 'orders over $3000', null, never],
  ['none', 'orders before May 2026', null, never],
  ['none', 'orders that are not cancelled', null, never],
  ['none', 'How many orders did Zenith Corp place in May?', null, never],
  ['count', 'Wie viele Bestellungen hat die Müller GmbH?', 'Bestellungen.csv', is('Kunde', 'Müller GmbH')],
  ['count', 'Wie viele Bestellungen wurden storniert?', 'Bestellungen.csv', is('Status', 'storniert')],
  ['filter', 'Zeig mir alle offenen Bestellungen', 'Bestellungen.csv', is('Status', 'offen')],
  ['month', 'Wie viele Bestellungen gab es im Mai?', 'Bestellungen.csv', month('Datum', '2026-05')],
  [
    'month',
    'Bestellungen im 2. Quartal 2026',
    'Bestellungen.csv',
    month('Datum', '2026-04', '2026-05', '2026-06'),
  ],
  [
    'sum',
    'Wie hoch ist der Betrag aller Bestellungen der Stadtwerke Ulm?',
    'Bestellungen.csv',
    is('Kunde', 'Stadtwerke Ulm'),
    'Betrag',
  ],
  [
    'several',
    'Offene Bestellungen von Schmidt AG im August',
    'Bestellungen.csv',
    all(is('Status', 'offen'), is('Kunde', 'Schmidt AG'), month('Datum', '2026-08')),
  ],
  [
    'several',
    'Gelieferte Bestellungen der Bäckerei Vogel',
    'Bestellungen.csv',
    all(is('Status', 'geliefert'), is('Kunde', 'Bäckerei Vogel')),
  ],
  ['filter', 'Wer hat B-2031 bestellt?', 'Bestellungen.csv', is('Nummer', 'B-2031')],
  [
    'count',
    'Wie viele Rechnungen kamen von Elektro Kraus?',
    'Rechnungen.csv',
    is('Lieferant', 'Elektro Kraus'),
  ],
  [
    'month',
    'Welche Rechnungen haben ein Rechnungsdatum im Juni?',
    'Rechnungen.csv',
    month('Rechnungsdatum', '2026-06'),
  ],
  [
    'sum',
    'Summe der Rechnungen von Papier Huber',
    'Rechnungen.csv',
    is('Lieferant', 'Papier Huber'),
    'Summe netto',
  ],
  ['count', 'Wie viele Lastwagen gibt es?', 'Fuhrpark.csv', is('Fahrzeug', 'Lastwagen')],
  [
    'sum',
    'Wie viele Kilometer haben die Fahrzeuge in Kempten?',
    'Fuhrpark.csv',
    is('Standort', 'Kempten'),
    'Kilometer',
  ],
  [
    'several',
    'Kombis am Standort Augsburg',
    'Fuhrpark.csv',
    all(is('Fahrzeug', 'Kombi'), is('Standort', 'Augsburg')),
  ],
  ['filter', 'Welche Kurse sind am Freitag?', 'Kurse.csv', is('Wochentag', 'Freitag')],
  [
    'sum',
    'Wie viele Teilnehmer haben die Kurse am Dienstag?',
    'Kurse.csv',
    is('Wochentag', 'Dienstag'),
    'Teilnehmer',
  ],
  ['none', 'Bestellungen über 500 €', null, never],
  ['none', 'Bestellungen seit Mai 2026', null, never],
  ['none', 'Bestellungen außer Schmidt AG', null, never],
  ['none', 'Anfang Mai 2026 bestellt', null, never],
  ['count', 'Combien de ventes pour Dupont SA ?', 'ventes.csv', is('Client', 'Dupont SA')],
  ['count', 'Combien de ventes en Bretagne ?', 'ventes.csv', is('Région', 'Bretagne')],
  ['month', 'Combien de ventes en mai ?', 'ventes.csv', month('Date', '2026-05')],
  ['month', 'Les ventes de février 2026', 'ventes.csv', month('Date', '2026-02')],
  [
    'sum',
    'Quel est le montant des ventes à la Librairie Martin ?',
    'ventes.csv',
    is('Client', 'Librairie Martin'),
    'Montant',
  ],
  [
    'several',
    'Ventes du Garage Lefèvre en Alsace',
    'ventes.csv',
    all(is('Client', 'Garage Lefèvre'), is('Région', 'Alsace')),
  ],
  [
    'several',
    'Montant des ventes à la Mairie de Brest en Provence',
    'ventes.csv',
    all(is('Client', 'Mairie de Brest'), is('Région', 'Provence')),
    'Montant',
  ],
  ['count', 'Combien de factures sont impayées ?', 'factures.csv', is('État', 'impayée')],
  ['sum', 'Total des factures annulées', 'factures.csv', is('État', 'annulée'), 'Total'],
  ['month', 'Quelles factures ont leur échéance en juillet ?', 'factures.csv', month('Échéance', '2026-07')],
  [
    'count',
    'Combien d’élèves sont inscrits à l’atelier poterie ?',
    'inscriptions.csv',
    is('Atelier', 'poterie'),
  ],
  ['sum', 'Combien d’heures de danse ?', 'inscriptions.csv', is('Atelier', 'danse'), 'Heures'],
  ['count', 'Combien de colis pour Nantes ?', 'livraisons.csv', is('Ville', 'Nantes')],
  [
    'several',
    'Colis expédiés à Lyon en mars',
    'livraisons.csv',
    all(is('Ville', 'Lyon'), month('Expédié le', '2026-03')),
    'Poids',
  ],
  ['none', 'ventes de plus de 500 €', null, never],
  ['none', 'ventes avant mai 2026', null, never],
  ['none', 'ventes sauf la Bretagne', null, never],
];

export const QUESTIONS: readonly TableQuestion[] = LINES.map(([kind, text, name, where, sum]) => ({
  kind,
  text,
  sheet: name,
  where,
  ...(sum === undefined ? {} : { sum }),
}));

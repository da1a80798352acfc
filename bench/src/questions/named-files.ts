/** A file, and how people ask for it. */
export interface NamedFile {
  readonly name: string;
  readonly text: string;
  readonly queries: readonly string[];
}

/** Files of a few kinds; those of one kind have the same text. */
interface Kind {
  readonly text: string;
  /** With `{}` for what differs. */
  readonly name: string;
  readonly queries: readonly string[];
  /** What differs: in the name, and in the queries. */
  readonly differences: readonly (readonly [inName: string, inQueries: string])[];
}

const MONTHS: Readonly<Record<string, readonly string[]>> = {
  en: 'January February March April May June July August September October November December'.split(' '),
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '),
  zh: Array.from({ length: 12 }, (_, month) => `${month + 1}月`),
};
const YEARS = [2023, 2024];
const INVOICES = Array.from({ length: 24 }, (_, n) => String(10_031 + n));
const MODELS = ['P-200', 'P-300', 'P-400', 'X12', 'X14', 'K7', 'K9', 'R-1050', 'R-1060', 'T500'];
const PRICE_YEARS = Array.from({ length: 9 }, (_, n) => String(2017 + n));
const VERSIONS = ['v1', 'v2', 'v3', 'v4', 'v5'];

const same = (differences: readonly string[]): Kind['differences'] =>
  differences.map((difference) => [difference, difference]);
const months = (language: string, join: (year: number, month: string) => string): Kind['differences'] =>
  YEARS.flatMap((year) =>
    (MONTHS[language] ?? []).map(
      (month, n) => [`${year}-${String(n + 1).padStart(2, '0')}-14`, join(year, month)] as const,
    ),
  );
const underscored = (names: readonly string[]): Kind['differences'] =>
  names.map((name) => [name.replaceAll(' ', '_'), name]);

const KINDS: Readonly<Record<string, readonly Kind[]>> = {
  en: [
    {
      text: 'The management met and approved the agenda. The budget was discussed, and the next date was agreed.',
      name: 'Minutes_{}.docx',
      queries: ['the {} minutes', 'What was decided in the minutes of {}?'],
      differences: months('en', (year, month) => `${month} ${year}`),
    },
    {
      text: 'We charge for the delivered goods. The amount is due within 14 days.',
      name: 'Invoice_{}.pdf',
      queries: ['invoice {}', 'can you find invoice no. {} please?'],
      differences: same(INVOICES),
    },
    {
      text: 'Switch the device off before you clean it. Keep the device away from water.',
      name: 'Manual {} (final).pdf',
      queries: ['manual for the {}', '{} manual'],
      differences: same(MODELS),
    },
    {
      text: 'All prices are in euros without tax. Discounts are possible for large orders.',
      name: 'price-list-{}.xlsx',
      queries: ['price list {}', 'the {} price list'],
      differences: same(PRICE_YEARS),
    },
    {
      text: 'The parties agree on maintenance services for one year. The contract renews itself.',
      name: 'Contract_{}.pdf',
      queries: ['contract with {}', 'Do we have a contract with {}?'],
      differences: underscored([
        'Acme',
        'Globex',
        'Initech',
        'Umbrella',
        'Harper Bros',
        'Northwind',
        'Stark',
      ]),
    },
    {
      text: 'Studied business administration. Worked in sales for several years. Speaks two languages.',
      name: 'CV_{}.pdf',
      queries: ['CV of {}', "{}'s CV"],
      differences: underscored([
        'Jane Doe',
        'Tom Baker',
        'Amy Winter',
        'Luke Shaw',
        'Mary Long',
        'Omar Aziz',
      ]),
    },
    {
      text: 'Employees may work from home if their manager agrees.',
      name: 'Remote_work_policy_{}.docx',
      queries: ['{} of the remote work policy', 'remote work policy {}'],
      differences: same(VERSIONS),
    },
  ],
  de: [
    {
      text: 'Die Leitung traf sich und genehmigte die Tagesordnung. Das Budget wurde besprochen.',
      name: 'Protokoll_{}.docx',
      queries: ['Protokoll {}', 'Was steht im Protokoll vom {}?'],
      differences: months('de', (year, month) => `${month} ${year}`),
    },
    {
      text: 'Wir berechnen die gelieferten Waren. Der Betrag ist nach 14 Tagen fällig.',
      name: 'Rechnung_RE-{}.pdf',
      queries: ['Rechnung {}', 'Finde bitte die Rechnung Nr. {}'],
      differences: same(INVOICES),
    },
    {
      text: 'Schalten Sie das Gerät vor der Reinigung aus. Halten Sie das Gerät von Wasser fern.',
      name: 'Bedienungsanleitung {} (final).pdf',
      queries: ['Bedienungsanleitung {}', 'Anleitung für {}'],
      differences: same(MODELS),
    },
    {
      text: 'Alle Preise in Euro ohne Steuer. Rabatte sind bei großen Bestellungen möglich.',
      name: 'Preisliste-{}.xlsx',
      queries: ['Preisliste {}', 'die Preisliste von {}'],
      differences: same(PRICE_YEARS),
    },
    {
      text: 'Wir bieten Ihnen die Wartung für ein Jahr an. Das Angebot ist unverbindlich.',
      name: 'Angebot_{}.pdf',
      queries: ['Angebot {}', 'Haben wir ein Angebot für {}?'],
      differences: underscored(['Müller', 'Weiß GmbH', 'Schröder', 'Yıldız', 'Kaiser', 'Öttl', 'Groß']),
    },
    {
      text: 'Studium der Betriebswirtschaft. Mehrere Jahre im Vertrieb. Spricht zwei Sprachen.',
      name: 'Lebenslauf_{}.pdf',
      queries: ['Lebenslauf {}', 'der Lebenslauf von {}'],
      differences: underscored([
        'Anna Berger',
        'Jürgen Köhler',
        'Eva Winter',
        'Olaf Lang',
        'Mia Kurz',
        'Ali Demir',
      ]),
    },
    {
      text: 'Mitarbeitende dürfen zu Hause arbeiten, wenn die Leitung zustimmt.',
      name: 'Richtlinie_Homeoffice_{}.docx',
      queries: ['{} der Richtlinie Homeoffice', 'Homeoffice-Richtlinie {}'],
      differences: same(VERSIONS),
    },
  ],
  zh: [
    {
      text: '管理层开会并通过了议程。会上讨论了预算，并约定了下次时间。',
      name: '会议纪要_{}.docx',
      queries: ['{}的会议纪要', '{}的会议纪要里决定了什么？'],
      differences: months('zh', (year, month) => `${year}年${month}`),
    },
    {
      text: '我们对所交付的货物收取费用。款项应在14天内支付。',
      name: '发票_{}.pdf',
      queries: ['发票{}', '请帮我找一下发票 {}'],
      differences: same(INVOICES),
    },
    {
      text: '清洁前请关闭设备。设备请勿接触水。',
      name: '使用说明书 {}（定稿）.pdf',
      queries: ['{} 的使用说明书', '{} 说明书'],
      differences: same(MODELS),
    },
    {
      text: '所有价格均为不含税价。大批量订购可享受折扣。',
      name: '价格表-{}.xlsx',
      queries: ['{}年的价格表', '价格表 {}'],
      differences: same(PRICE_YEARS),
    },
    {
      text: '双方约定一年的维护服务。合同自动续签。',
      name: '合同_{}.pdf',
      queries: ['和{}的合同', '{}合同'],
      differences: same(['大华公司', '远东贸易', '蓝天科技', '长城物流', '金龙食品', '海星电器', '东方纺织']),
    },
    {
      text: '学习工商管理。从事销售工作多年。会两种语言。',
      name: '简历_{}.pdf',
      queries: ['{}的简历', '找{}的简历'],
      differences: same(['王小明', '李思雨', '张大伟', '陈静', '赵国强', '孙丽华']),
    },
    {
      text: '经主管同意，员工可以居家办公。',
      name: '居家办公政策_{}.docx',
      queries: ['居家办公政策 {}', '{} 版的居家办公政策'],
      differences: same(VERSIONS),
    },
  ],
};

/** Files by language. */
export function namedFiles(): Record<string, NamedFile[]> {
  return Object.fromEntries(
    Object.entries(KINDS).map(([language, kinds]) => [
      language,
      kinds.flatMap(({ text, name, queries, differences }) =>
        differences.map(([inName, inQueries]) => ({
          text,
          name: name.replace('{}', inName),
          queries: queries.map((query) => query.replace('{}', inQueries)),
        })),
      ),
    ]),
  );
}

import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { type Asked, agentOf, converse, type Library } from './asked/scenario.js';
import { Tenant } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';

/** A library, with conversations about it. Each conversation is one or more questions. */
interface Scenario {
  readonly name: string;
  readonly library: Library;
  readonly conversations: readonly (readonly Asked[])[];
}

const PRICES: Library = {
  Ferry: 'A ferry ticket for adults is 22 euros. A ferry ticket for children is 3 euros.',
  Tower: 'A tower ticket for adults is 14 euros. A tower ticket for children is 7 euros.',
  Notice: 'The notice period is three months to the end of a quarter.',
  Ines: 'Ines Varga is a cartographer. She was born in 1983 in Pecs. Her office is in Linz.',
  Osei: 'Osei Brandt is a bridge engineer. He was born in 1974 in Kumasi. His workshop is in Graz.',
};

const device = (name: string, place: string, warranty: string, cleaner: string, price: number): string =>
  `The ${name} is made in ${place}. The warranty is ${warranty}. Clean it with ${cleaner}. A replacement filter costs ${price} euros.`;
const DEVICES: Library = {
  A: device('Alto kettle', 'Porto', 'three years', 'vinegar and water', 12),
  B: device('Brio toaster', 'Turin', 'one year', 'a dry brush', 9),
  C: device('Corvo grinder', 'Gdansk', 'five years', 'rice grains', 17),
  D: device('Dorado oven', 'Lyon', 'two years', 'baking soda', 31),
};

const FIRST: readonly Asked[] = [
  { question: 'How much is a ferry ticket for adults?', first: '22' },
  { question: 'Who is Ines Varga?', first: 'cartographer' },
  { question: 'What is the notice period?', first: 'three months' },
  { question: 'When was Osei Brandt born?', first: '1974' },
];
const UNANSWERED = [
  'Is there a swimming pool?',
  'Who repairs the lift?',
  'Which bank do you use?',
  'And the password of the printer?',
  'Where can guests of the hotel park their electric bicycles overnight?',
  'And what about parental leave?',
];

const PREISE: Library = {
  Fähre: 'Eine Fahrkarte für die Fähre kostet für Erwachsene 22 Euro. Für Kinder kostet sie 3 Euro.',
  Frist: 'Die Kündigungsfrist beträgt drei Monate zum Quartalsende.',
  Ines: 'Ines Varga ist Kartografin. Sie wurde 1983 in Pecs geboren.',
};
const PRIX: Library = {
  Bac: 'Un billet pour le bac coûte 22 euros pour les adultes. Pour les enfants, il coûte 3 euros.',
  Délai: 'Le préavis est de trois mois.',
};
const VERSIONS = ['2021', '2023', '2024'].map((year, at): [string, string] => [
  `Price list ${year}`,
  `Prices of the workshop. An oil change costs ${60 + at * 5} euros. A new tyre costs ${80 + at * 5} euros.`,
]);
const SHEETS: Library = {
  'Data sheet 100': 'Small circulation pump. The rated current is 2 A. The weight is 3 kg.',
  'Data sheet 500': 'Pressure pump. The rated current is 6 A. The weight is 9 kg.',
  'Data sheet 900': 'Sewage pump. The rated current is 11 A. The weight is 31 kg.',
};

const COURSES = [
  ['Fencing', 'Friday', 21],
  ['Judo', 'Monday', 15],
  ['Chess', 'Friday', 9],
  ['Rowing', 'Tuesday', 30],
  ['Yoga', 'Friday', 12],
  ['Pottery', 'Monday', 25],
  ['Baking', 'Wednesday', 18],
  ['Choir', 'Friday', 4],
  ['Drama', 'Thursday', 11],
  ['Sailing', 'Saturday', 44],
  ['Dancing', 'Tuesday', 16],
  ['Knitting', 'Sunday', 8],
] as const;
const ALL_ON_FRIDAY: readonly (readonly Asked[])[] = [
  'Which courses take place on Friday?',
  'How many courses take place on Friday?',
  'List all courses on Friday.',
].map((question) => [
  {
    question,
    first: 'Friday',
    quotes: ['Fencing', 'Chess', 'Yoga', 'Choir'],
    without: ['Judo', 'Rowing', 'Pottery', 'Knitting', 'Baking'],
  },
]);

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'a question without an answer in a conversation',
    library: PRICES,
    conversations: FIRST.flatMap((first) => UNANSWERED.map((question) => [first, { question, first: null }])),
  },
  {
    name: 'the same in German',
    library: PREISE,
    conversations: [
      'Gibt es ein Schwimmbad?',
      'Wer repariert den Aufzug?',
      'Welche Bank nutzen Sie?',
      'Wie lautet das Passwort für den Drucker?',
    ].flatMap((question) => [
      [
        { question: 'Was kostet die Fähre für Erwachsene?', first: '22' },
        { question, first: null },
      ],
      [
        { question: 'Wann wurde Ines Varga geboren?', first: '1983' },
        { question, first: null },
      ],
    ]),
  },
  {
    name: 'the same in French',
    library: PRIX,
    conversations: ['Y a-t-il une piscine ?', "Qui répare l'ascenseur ?", 'Où puis-je garer mon vélo ?'].map(
      (question) => [
        { question: 'Combien coûte un billet pour le bac ?', first: '22' },
        { question, first: null },
      ],
    ),
  },
  {
    name: 'a complete second question',
    library: PRICES,
    conversations: [
      [FIRST[0]!, { question: 'What is the notice period?', first: 'three months', without: ['ticket'] }],
      [FIRST[3]!, { question: 'How much is a tower ticket for children?', first: '7 euros' }],
      [FIRST[2]!, { question: 'Who is Osei Brandt?', first: 'engineer', without: ['notice'] }],
    ],
  },
  {
    name: 'an ellipsis',
    library: PRICES,
    conversations: [
      [
        { question: 'How much is a tower ticket for adults?', first: '14' },
        { question: 'And for children?', first: 'tower ticket for children is 7' },
      ],
      [
        { question: 'When was Ines Varga born?', first: '1983' },
        { question: 'And Osei Brandt?', first: '1974', without: ['Ines'] },
        { question: 'And where does he work?', first: 'Graz', without: ['Ines'] },
      ],
    ],
  },
  {
    name: 'the subject of a conversation',
    library: DEVICES,
    conversations: [
      ['Alto kettle', 'Porto', 'three years', 'vinegar', '12'],
      ['Brio toaster', 'Turin', 'one year', 'dry brush', '9'],
      ['Corvo grinder', 'Gdansk', 'five years', 'rice', '17'],
      ['Dorado oven', 'Lyon', 'two years', 'baking soda', '31'],
    ].map(([name = '', place = '', warranty = '', cleaner = '', price = '']) => [
      { question: `Where is the ${name} made?`, first: place },
      { question: 'How long is the warranty?', first: warranty },
      { question: 'How do I clean it?', first: cleaner },
      { question: 'What does a replacement filter cost?', first: `${price} euros` },
    ]),
  },
  {
    name: 'a subject that changes',
    library: DEVICES,
    conversations: [
      [
        { question: 'Where is the Alto kettle made?', first: 'Porto' },
        { question: 'And the Brio toaster?', first: 'Turin' },
        { question: 'How long is the warranty?', first: 'one year' },
      ],
    ],
  },
  {
    name: 'the same of another document',
    library: Object.fromEntries(
      [
        ['VW Golf', 310, 220],
        ['Fiat 500', 280, 190],
        ['Opel Corsa', 295, 205],
      ].map(([car, windscreen, brakes]) => [
        `${car}`,
        `${car}\n\nThe ${car} is one of the cars that we repair.\n\nA new windscreen costs ${windscreen} euros.\n\nNew brakes cost ${brakes} euros.`,
      ]),
    ),
    conversations: [
      [
        { question: 'What does a new windscreen for the VW Golf cost?', first: '310' },
        { question: 'And for the Fiat 500?', first: '280' },
        { question: 'What about the Opel Corsa?', first: '295' },
        { question: 'And the brakes?', first: '205' },
        { question: 'Thanks!', first: null, answer: 'Ask a question' },
      ],
    ],
  },
  {
    name: 'a property that has the word of a newest version',
    library: SHEETS,
    conversations: [
      [{ question: 'What is the rated current of the small circulation pump?', first: '2 A' }],
      [{ question: 'What is the current of the sewage pump?', first: '11 A' }],
    ],
  },
  {
    name: 'the newest version',
    library: Object.fromEntries(VERSIONS),
    conversations: [
      [{ question: 'How much is an oil change in the latest price list?', first: '70' }],
      [{ question: 'What does a new tyre cost, by the current price list?', first: '90' }],
    ],
  },
  {
    name: 'negation',
    library: {
      Rules:
        'Interns may use the company car. Trainees may not use the company car. Managers may use the company car.',
      North: 'The north gate is open on Sundays.',
      South: 'The south gate is closed on Sundays.',
      East: 'The east gate is open on Sundays.',
      Soup: 'The soup contains gluten.',
      Risotto: 'The risotto is free of gluten.',
      Pie: 'The pie contains gluten.',
    },
    conversations: [
      [{ question: 'Who may not use the company car?', first: 'Trainees' }],
      [{ question: 'Which gate is not open on Sundays?', first: 'south' }],
      [{ question: 'Which dish does not contain gluten?', first: 'risotto' }],
    ],
  },
  {
    name: 'everything that satisfies a condition',
    library: Object.fromEntries(
      COURSES.map(([course, day, fee]) => [
        course,
        `${course} takes place on ${day} at six. The fee is ${fee} euros.`,
      ]),
    ),
    conversations: ALL_ON_FRIDAY,
  },
  {
    name: 'everything in a table that satisfies a condition',
    library: { 'courses.csv': ['course,day,fee', ...COURSES.map((row) => row.join(','))].join('\n') },
    conversations: [
      ...ALL_ON_FRIDAY,
      [
        {
          question: 'What do the courses on Friday cost?',
          first: 'Friday',
          answer: '**4 rows** of courses.csv where day = Friday',
        },
      ],
    ],
  },
  {
    name: 'everything in a list that satisfies a condition',
    library: {
      Courses: `Courses\n\n${COURSES.map(([course, day, fee]) => `- ${course}: ${day} at six, ${fee} euros`).join('\n')}`,
    },
    conversations: ALL_ON_FRIDAY,
  },
  {
    name: 'documents that contradict each other',
    library: {
      Monday: 'The boarding of flight 12 is at gate A.',
      Tuesday: 'The boarding of flight 12 is at gate C.',
      Other: 'The boarding of flight 30 is at gate B.',
    },
    conversations: [
      [
        {
          question: 'At which gate is the boarding of flight 12?',
          first: 'gate',
          quotes: ['gate A', 'gate C'],
          without: ['gate B'],
        },
      ],
    ],
  },
  {
    name: 'copies of a text',
    library: {
      ...Object.fromEntries(
        Array.from({ length: 9 }, (_, at) => [
          `Copy ${at}`,
          'Travel policy. Hotel nights are refunded up to 140 euros.',
        ]),
      ),
      Exception: 'In Oslo and Zurich a hotel may cost 190 euros, as an exception from the travel policy.',
    },
    conversations: [
      [{ question: 'How much is refunded for hotel nights?', first: '140', without: ['190'] }],
      [{ question: 'Where may a hotel cost 190 euros?', first: 'Oslo', without: ['140'] }],
    ],
  },
  {
    name: 'amounts, dates and units',
    library: {
      Budget: 'The budget of the museum is $1.8 million. The grant of the city is 24 000 euros.',
      Rents: 'Date,Tenant,Area\n2024-07-04,Quill,120 m²\n2024-07-05,Varga,88 m²\n2024-10-31,Brandt,64 m²\n',
      'sun.csv': ['Date,Sunrise', '2024-07-03,04:51', '2024-07-04,04:52', '2024-10-31,06:58'].join('\n'),
    },
    conversations: [
      [{ question: 'Who has a budget of $1,800,000?', first: 'museum' }],
      [{ question: 'Which grant is €24,000?', first: 'city' }],
      [{ question: 'Which grant is 24k euros?', first: 'city' }],
      [{ question: 'What was the sunrise on 4 July 2024?', first: '04:52' }],
      [{ question: 'Sunrise on October 31, 2024?', first: '06:58' }],
      [{ question: 'Welcher Sonnenaufgang (sunrise) war am 31. Oktober 2024?', first: '06:58' }],
    ],
  },
  {
    name: 'identifiers and symbols',
    library: {
      A: 'The bracket KX200B carries 40 kg.',
      B: 'The bracket KX200C carries 55 kg.',
      C: 'The screw M8x40 has a torque of 25 Nm.',
      D: 'The screw M8x60 has a torque of 27 Nm.',
      E: 'The vehicle AA 00 1111 belongs to Linz.',
      F: 'The operator == compares values after a conversion.',
      G: 'The operator === compares values and types.',
      H: 'C# is taught in the spring. C is taught in the autumn.',
    },
    conversations: [
      [{ question: 'How much does the KX 200 B carry?', first: '40 kg' }],
      [{ question: 'How much does the KX-200C carry?', first: '55 kg' }],
      [{ question: 'What is the torque of M8 x 60?', first: '27' }],
      [{ question: 'To which town does the vehicle AA001111 belong?', first: 'Linz' }],
      [{ question: 'What does the operator === compare?', first: 'types' }],
      [{ question: 'What does == compare?', first: 'conversion' }],
      [{ question: 'When is C# taught?', first: 'spring' }],
    ],
  },
  {
    name: 'everything there is',
    library: {
      'tariff.md': '# Tariff\n\nThe tariff of the cable car.\n\n## Families\n\nA family pays 31 euros.\n',
      'lost.csv': 'Item,Shelf\nUmbrella,4\nGlove,9\n',
      Note: 'The cable car stops at wind speeds above 70 km/h.',
    },
    conversations: [
      [
        {
          question: 'Hello!',
          first: '',
          quotes: ['The tariff of', 'stops at wind'],
          answer: 'documents: 3 (',
        },
        { question: 'Thanks!', first: null, answer: 'Ask a question' },
        { question: 'What is in my documents?', first: '', quotes: ['Umbrella', '70 km/h'] },
        { question: 'What does “tariff.md” say about “Families”?', first: '31 euros' },
      ],
      [{ question: 'Which documents do you have?', first: '', answer: '1 CSV' }],
      [{ question: 'Was steht in meinen Dokumenten?', first: '', answer: 'Dokumente: 3' }],
      [{ question: 'Which item is on shelf 9?', first: 'Glove', without: ['tariff of'] }],
    ],
  },
  {
    name: 'Traditional and simplified characters',
    library: {
      會議室: '會議室在二樓東側。',
      員工證: '員工證遺失請聯絡總務處。',
      图书馆: '图书馆开放时间为早上九点。',
    },
    conversations: [
      [{ question: '会议室在哪里？', first: '二樓' }],
      [{ question: '员工证遗失怎么办？', first: '總務處' }],
      [{ question: '圖書館開放時間？', first: '九点' }],
    ],
  },
  {
    name: 'typing errors',
    library: {
      Leave: 'Full-time staff have 28 days of paid vacation a year.',
      Frist: 'Die Kündigungsfrist beträgt drei Monate zum Quartalsende.',
      Network: 'Employees reach the internal network over the VPN gateway, which listens on port 1194.',
      Hotel: 'A hotel night is refunded up to 140 euros.',
      Lift: 'The lift is serviced by Brandt in March.',
    },
    conversations: [
      [{ question: 'How many vacaton days do I get?', first: '28', answer: 'vacation' }],
      [{ question: 'How many vaction days do I get', first: '28' }],
      [{ question: 'Wie lang ist die Kündigungfrist?', first: 'drei Monate' }],
      [{ question: 'Which port does the VNP use?', first: '1194' }],
    ],
  },
];

describe('what people ask', () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await startEmbedded({});
  });
  afterAll(() => deployment.stop());

  it.each(SCENARIOS)('$name', async ({ library, conversations }) => {
    const tenant = await Tenant.create(deployment);
    const agentId = await agentOf(tenant, library);
    const faults: string[] = [];
    for (const asked of conversations)
      await converse(tenant, agentId, asked).catch((error: unknown) => faults.push((error as Error).message));
    if (faults.length > 0)
      throw new Error(`${faults.length} of ${conversations.length}:\n${faults.join('\n')}`);
  });
});

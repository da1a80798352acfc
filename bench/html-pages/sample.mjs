// The sample project: a guide in prose, and two classes with their documentation. `markup.mjs` and
// `source-code.mjs` write it in the syntax of each generator. `name` is code in backticks.

/** Blocks of the guide. */
export const GUIDE = [
  { heading: 1, text: 'Descaling guide' },
  {
    text: 'Lime slows a kettle down, because it keeps the heat away from the water. A kettle that boils a litre in three minutes needs more than four after a year of hard water. This guide explains how to remove the lime without damage to the seals.',
  },
  {
    text: 'The program `kettle` runs on the base station and talks to the heater through a serial port. It never heats an empty kettle, and it stops when somebody lifts the lid.',
  },
  { heading: 2, text: 'Before you start' },
  { text: 'You need the following things within reach before the program starts:' },
  {
    list: [
      'half a litre of cold water and twenty grams of citric acid,',
      'a soft brush, because steel wool scratches the heating plate,',
      'a sink that nobody needs for an hour.',
    ],
  },
  {
    note: 'warning',
    text: 'Never mix citric acid with bleach. The mixture sets free a gas that irritates the lungs.',
  },
  { heading: 2, text: 'Install the program' },
  { text: 'Install the command with the package manager and ask it for the version:' },
  {
    code: 'sh',
    text: 'kettle install --channel stable\n# prints the version of the base station\nkettle --version',
  },
  {
    text: 'The first start takes a minute, because the program measures how long an empty heater needs to cool down. Later starts read that number from a file.',
  },
  { heading: 2, text: 'Run a cycle' },
  { text: 'A script is the simplest way to run several cycles. Each cycle ends with a rinse:' },
  {
    code: 'python',
    text: 'from kettle import Kettle\n\nkettle = Kettle(port="/dev/ttyUSB0")\nfor cycle in range(3):\n    kettle.descale(minutes=20)  # waits until the plate is cold\n    kettle.rinse()',
  },
  {
    text: 'Watch the first cycle. If foam reaches the spout, there is too much acid in the water: stop, pour half of it away, and fill up with cold water.',
  },
  { heading: 3, text: 'Options of a cycle' },
  {
    table: [
      ['Option', 'Default', 'Meaning'],
      ['minutes', '20', 'how long the acid stays in the kettle'],
      ['temperature', '60', 'degrees Celsius while the acid works'],
      ['rinses', '2', 'how often fresh water runs through afterwards'],
    ],
  },
  {
    note: 'tip',
    text: 'Lower temperatures take longer but spare the seals of older models.',
  },
  { heading: 2, text: 'Comments and corrections' },
  {
    text: 'Readers often ask whether vinegar works as well. It does, but the smell stays in the lid for days, and vinegar attacks the rubber of the water gauge.',
  },
  {
    text: 'Readers with a copper kettle should use the short program. Copper reacts with acid after ten minutes, and the surface turns pink.',
  },
];

/** Blocks of a second page: a list of related topics belongs to its text. */
export const REFERENCE = [
  { heading: 1, text: 'Error codes' },
  {
    text: 'The base station shows a code of two digits when a cycle ends early. The table lists the codes and what to do; a code that is not in the table comes from a damaged cable.',
  },
  {
    table: [
      ['Code', 'Cause', 'Remedy'],
      ['11', 'the lid is open', 'close the lid and press the button twice'],
      ['12', 'there is less than a cup of water', 'fill the kettle up to the lower mark'],
      ['27', 'the sensor reports no temperature', 'clean the contacts below the plate'],
    ],
  },
  { heading: 2, text: 'Share the log' },
  {
    text: 'The support team asks for the log of the last three cycles. The command `kettle log` prints it without serial numbers, so that the file can be sent by mail:',
  },
  { code: 'sh', text: 'kettle log --cycles 3 > kettle.log' },
  { heading: 2, text: 'Related tools' },
  {
    text: 'A water hardness tester tells how often the kettle needs a cycle. With soft water, twice a year is enough; with hard water, every forty litres.',
  },
  {
    list: [
      'The tester measures grams of lime in a cubic metre.',
      'The scale counts the litres that the kettle has boiled.',
    ],
  },
  { heading: 2, text: 'Reset the counter' },
  {
    text: 'After a cycle that somebody ended by hand, the counter still shows the old number of litres. Hold the button for ten seconds until the lamp blinks blue. The counter then begins again, and the next reminder comes after forty litres.',
  },
];

/** The classes. Types are `text`, `number` and `flag`. */
export const CLASSES = [
  {
    name: 'Kettle',
    description: [
      'A kettle with a base station, a heater and a lid. All methods wait until the station has confirmed the command, and fail when the cable is pulled out meanwhile.',
      'The station remembers the last state of the heater. A program that ends early therefore never leaves a hot plate behind: the station switches it off after half a minute of silence.',
      'One program at a time may talk to a station. A second program that opens the same port receives an error at once instead of waiting, because a person who stands in front of a silent kettle wants to know why it is silent.',
      'Volumes are litres and temperatures are degrees Celsius, also on stations that were sold in countries with other units. The station converts them before it shows them.',
    ],
    methods: [
      {
        name: 'boil',
        description: [
          'Heats the water until steam reaches the sensor in the lid. A litre takes about three minutes. The call returns as soon as the heater is off, not when the water has stopped moving.',
          'Below two hundred millilitres the sensor is unreliable, so the station refuses the command. Above one and a half litres hot water would leave through the spout, and the station refuses that, too.',
          'On a mountain water boils at a lower temperature. The sensor measures steam instead of heat, so the height of the place does not matter.',
        ],
        parameters: [['litres', 'number', 'how much water the kettle holds, rounded to the next cup']],
        returns: ['number', 'the seconds until the water boiled'],
      },
      {
        name: 'descale',
        description: [
          'Removes lime with citric acid at a low temperature. The plate stays warm, never hot, because boiling acid attacks the seals around the water gauge.',
          'The method does not rinse. Most people look at the plate first and repeat the cycle if brown spots are left, and rinsing before the second cycle would waste the acid that is still strong enough.',
        ],
        parameters: [
          ['minutes', 'number', 'how long the acid stays in the kettle'],
          ['gently', 'flag', 'whether to spare copper, which takes twice as long'],
        ],
        returns: ['flag', 'whether the plate shines again'],
      },
      {
        name: 'label',
        description: [
          'Gives the kettle a name that the station shows beside the lamp. Names with more than twelve letters scroll, which is hard to read from the other side of a kitchen.',
          'The name survives a power cut. It is lost when somebody resets the station, as are the counter and the wheel position.',
        ],
        parameters: [['words', 'text', 'the name, without line breaks']],
        returns: ['text', 'the name as the station shows it'],
      },
      {
        name: 'weigh',
        description: [
          'Weighs the kettle on its base. The scale is made for cups and not for letters: it is right within twenty grams, and after a year somebody should set it to zero with an empty kettle.',
          'While the heater is on, bubbles shake the scale. The station then returns the last weight from before the heater was switched on.',
        ],
        parameters: [
          ['repetitions', 'number', 'how many measurements the station averages, ten milliseconds apart'],
        ],
        returns: ['number', 'grams of water without the kettle itself'],
      },
    ],
  },
  {
    name: 'Thermostat',
    description: [
      'Keeps the water warm after it has boiled. It switches the heater on for a few seconds whenever the water is two degrees too cold, and counts how often that happens.',
      'Several thermostats may share one station. Each holds the heater for as short a time as possible, and the others wait in the order in which they asked.',
      'A thermostat costs electricity. Keeping a litre at eighty degrees for an hour takes as much as boiling half a litre of cold water, and an open lid doubles that. The counter is there so that people notice.',
      'The temperature of the plate is not that of the water. After the heater has been on, the plate needs a quarter of a minute until both are equal, and the thermostat waits for that before it measures.',
    ],
    methods: [
      {
        name: 'hold',
        description: [
          'Holds a temperature until somebody lifts the kettle from its base. Tea needs eighty degrees, coffee needs ninety, and a hot water bottle never more than sixty.',
          'When the kettle comes back within a minute, the thermostat continues as if nothing had happened. After that it assumes that the water is new, and asks for the temperature again.',
        ],
        parameters: [['degrees', 'number', 'the temperature of the water, not that of the plate']],
        returns: ['number', 'how often the heater was switched on'],
      },
      {
        name: 'forget',
        description: [
          'Removes the stored temperature. The next start then asks the person at the station, who has a minute to turn the wheel before the lamp goes out.',
          'Children like the wheel. Parents therefore set a highest temperature on the back of the station, with a screwdriver, and no command of this library can raise it.',
        ],
        parameters: [['silently', 'flag', 'whether to skip the beep that confirms the removal']],
        returns: ['flag', 'whether a temperature had been stored'],
      },
      {
        name: 'explain',
        description: [
          'Explains the present state in a sentence, for people who find the lamp too terse. The sentence names the temperature, the time since the last heating, and the reason why the thermostat waits if it does.',
          'Sentences exist in four languages. For all others the station answers in English, as its manual does.',
        ],
        parameters: [['language', 'text', 'the code of the language, two letters']],
        returns: ['text', 'a sentence that ends with a full stop'],
      },
    ],
  },
];

const setting = (name, text, parameter, value) => ({
  name,
  description: [text],
  parameters: [parameter],
  returns: value,
});

/** A class with short comments: most of its page are declarations. */
export const SETTINGS = {
  name: 'Settings',
  description: ['What the station remembers. Settings take effect with the next command.'],
  methods: [
    setting(
      'loudness',
      'Sets the loudness of the beep.',
      ['decibels', 'number', 'at most seventy'],
      ['number', 'the old loudness'],
    ),
    setting(
      'brightness',
      'Sets the brightness of the lamp.',
      ['percent', 'number', 'zero is dark'],
      ['number', 'the old brightness'],
    ),
    setting(
      'language',
      'Chooses the language of sentences.',
      ['code', 'text', 'two letters'],
      ['text', 'the old code'],
    ),
    setting(
      'childlock',
      'Locks the wheel.',
      ['locked', 'flag', 'false opens the lock'],
      ['flag', 'whether it was locked'],
    ),
    setting(
      'hardness',
      'Tells the station how hard the water is.',
      ['degree', 'number', 'German degrees'],
      ['number', 'litres until the next cycle'],
    ),
    setting(
      'timezone',
      'Sets the clock of the log.',
      ['zone', 'text', 'such as UTC'],
      ['text', 'the old zone'],
    ),
  ],
};

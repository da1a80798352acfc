/** The first words of reasoning whose begin mark is part of the prompt, as models write them, in lower case. */
const CLEAR_OPENINGS = [
  'okay',
  'ok,',
  'alright',
  'hmm',
  'wait,',
  'let me ',
  'let’s ',
  "let's ",
  'we need to ',
  'we are asked',
  'we are given',
  'i need to ',
  'i should ',
  'thinking process',
  'thought process',
  '好的',
  '嗯',
  '首先，用户',
  '首先，我',
  '用户',
  '我需要',
  '我们需要',
  'まず、ユーザー',
  'ユーザー',
  "d'accord, ",
  "l'utilisateur",
  'l’utilisateur',
  'el usuario',
  'der nutzer',
  'der benutzer',
];
/** Answers begin like these, too. */
const OTHER_OPENINGS = [
  'the user',
  'the question',
  'the human',
  'so, ',
  'so the ',
  'so i ',
  'well, ',
  'first, i ',
  'first, the user',
  'got it',
  'looking at ',
  'now, i ',
  'i think ',
  'i have to ',
  'i will ',
  "i'll ",
  'i’ll ',
  'we should ',
  'let us ',
  'to answer ',
  'die frage',
];
const ALL_OPENINGS = [...CLEAR_OPENINGS, ...OTHER_OPENINGS];

/**
 * Whether an answer begins as models do that think aloud. `maybe`: more text is necessary.
 *
 * @param text the start of the answer, without white space before it
 * @param isClear leaves out openings with which answers begin, too
 */
export function thinksAloud(text: string, isClear: boolean): 'yes' | 'no' | 'maybe' {
  const start = text.slice(0, 24).toLowerCase();
  const openings = isClear ? CLEAR_OPENINGS : ALL_OPENINGS;
  if (openings.some((opening) => start.startsWith(opening))) return 'yes';
  return openings.some((opening) => opening.startsWith(start)) ? 'maybe' : 'no';
}

import iconv from 'iconv-lite';

/**
 * Frequent characters of the languages whose encodings use two bytes, roughly by falling frequency. Written down by hand,
 * so neither complete nor counted: the order only has to tell text from garbage. The traditional characters are those of
 * the simplified list.
 */
const FREQUENT_CHARACTERS = {
  simplified:
    '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔',
  traditional:
    '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運',
  kanji:
    '日一人年大十二本中長出三時行見月後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西電校語土木聞食車何南万毎白天母火右読友左休父雨会同事自社発者地業方新場員立開手力問代明動京目通言理体田主題意不作用度強公持野以思家世多正安院心界教文元重近考画海売知道集別物使品計死特私始朝運終台広住無真有口少町料工建空急止送切転研足究楽起着店病質待試族銀早映親験英医仕去味写字答夜音注帰古歌買悪図週室歩風紙黒花春赤青館屋色走秋夏習駅洋旅服夕借曜飲肉貸堂鳥飯勉冬昼茶弟牛魚兄犬妹姉漢取引部要関決全表戦経最現調化当約首法性制成機能対記保政治連区平内府回定実第議民数次世米報進原選産数設管価格検査情結果登録番号',
  kana: 'のにはをたがでてとしれさいなるもからこすりあまんっきくおえせうちだよけつどわそみめほじ',
  hangul:
    '이다는을를가에의고하지한로기도서사대자인어아리나스시부정보만일은과라해수요제상전그구장으습니있여주원것용관위들무성공연동년안조선신문화비진생내방중세발명번호회계물데분개소적우유까면오야와출학실결국입재점려드음마트게김박최강임윤권황홍영민현준철희숙경혜석환남북산울포창품객처월간받쪽줄목차례된됩않없같많큰새좋',
} as const;

/** An encoding of two bytes for most characters, with the characters of its language. */
export interface TwoByteCandidate {
  readonly name: string;
  readonly language: 'zh' | 'ja' | 'ko';
  readonly rarity: number;
  /** The negative natural logarithm of the probability of each character. */
  readonly costs: ReadonlyMap<string, number>;
}

/** A character that its encoding has, but hardly any text. */
const RARE = 14;
const INVALID = 30;
/** A letter or digit of ASCII beside a character of two bytes: wrong encodings leave many. */
const ASCII_BESIDE = 3;
/** Single ones are what the letters of other encodings look like; after another one they are a word. */
const HALF_WIDTH_KATAKANA = 11;
const NEXT_HALF_WIDTH_KATAKANA = 4.5;

const PUNCTUATION = [...'，。、；：？！“”‘’（）《》「」『』【】・ー〜～—…·　％'];
const FULL_WIDTH = range(0xff10, 0xff5a);
const HIRAGANA = range(0x3041, 0x3096);
const KATAKANA = range(0x30a1, 0x30fc);

const BIG5_TRAILS = [
  [0x40, 0x7e],
  [0xa1, 0xfe],
] as const;

let candidates: readonly TwoByteCandidate[] | undefined;

/** The characters of the first level of a standard are the frequent ones, those of the second level the rare ones. */
export function twoByteCandidates(): readonly TwoByteCandidate[] {
  return (candidates ??= [
    {
      name: 'gb18030',
      language: 'zh',
      rarity: 0,
      costs: costsOf(
        [FREQUENT_CHARACTERS.simplified, { share: 0.65 }],
        [PUNCTUATION, 5],
        [level('gb2312', 0xb0, 0xd7, [[0xa1, 0xfe]]), 9],
        [level('gb2312', 0xd8, 0xf7, [[0xa1, 0xfe]]), 12],
        [FULL_WIDTH, 9],
      ),
    },
    {
      name: 'big5',
      language: 'zh',
      rarity: 0.5,
      costs: costsOf(
        [FREQUENT_CHARACTERS.traditional, { share: 0.65 }],
        [PUNCTUATION, 5],
        [level('big5', 0xa4, 0xc6, BIG5_TRAILS), 9],
        [level('big5', 0xc9, 0xf9, BIG5_TRAILS), 12.5],
        [FULL_WIDTH, 9],
      ),
    },
    ...['shift_jis', 'euc-jp'].map((name, rarity) => ({
      name,
      language: 'ja' as const,
      rarity,
      costs: costsOf(
        [FREQUENT_CHARACTERS.kana, { share: 0.4 }],
        [PUNCTUATION, 4.5],
        [FREQUENT_CHARACTERS.kanji, { share: 0.2 }],
        [HIRAGANA, 6],
        [KATAKANA, 5.5],
        [level('euc-jp', 0xb0, 0xcf, [[0xa1, 0xfe]]), 9.5],
        [level('euc-jp', 0xd0, 0xf4, [[0xa1, 0xfe]]), 13],
        [FULL_WIDTH, 8.5],
        [range(0xff61, 0xff9f), HALF_WIDTH_KATAKANA],
      ),
    })),
    {
      name: 'euc-kr',
      language: 'ko',
      rarity: 0.5,
      costs: costsOf(
        [FREQUENT_CHARACTERS.hangul, { share: 0.7 }],
        [level('euc-kr', 0xb0, 0xc8, [[0xa1, 0xfe]]), 9.2],
        [PUNCTUATION, 6],
        [level('euc-kr', 0xca, 0xfd, [[0xa1, 0xfe]]), 13],
      ),
    },
  ]);
}

/** The negative logarithm of the probability of a text in the language of a candidate. */
export function eastAsianCost(text: string, { costs }: TwoByteCandidate): number {
  let total = 0;
  let isBesideWide = false;
  let previous = '';
  for (const character of text) {
    if (character <= '\u007f') {
      if (isBesideWide && /[A-Za-z\d@-`{-~]/.test(character)) total += ASCII_BESIDE;
      isBesideWide = false;
      previous = '';
      continue;
    }
    const isNextHalfWidth = isHalfWidth(character) && isHalfWidth(previous) && costs.has(character);
    total += isNextHalfWidth ? NEXT_HALF_WIDTH_KATAKANA : (costs.get(character) ?? costOfOther(character));
    isBesideWide = true;
    previous = character;
  }
  return total;
}

function isHalfWidth(character: string): boolean {
  return character >= '\uff61' && character <= '\uff9f';
}

function costOfOther(character: string): number {
  return /^[\p{Cc}\p{Cn}\p{Co}\ufffd]$/u.test(character) ? INVALID : RARE;
}

/** @param groups characters and what each of them costs; the first group with a character decides */
function costsOf(
  ...groups: readonly (readonly [characters: Iterable<string>, cost: number | Zipf])[]
): ReadonlyMap<string, number> {
  const costs = new Map<string, number>();
  for (const [characters, cost] of groups) {
    const all = [...characters];
    const sum = all.reduce((total, _, rank) => total + 1 / (rank + 10), 0);
    for (const [rank, character] of all.entries()) {
      if (costs.has(character)) continue;
      costs.set(character, typeof cost === 'number' ? cost : -Math.log(cost.share / (rank + 10) / sum));
    }
  }
  return costs;
}

/** Characters of falling frequency (Zipf's law) that together have a share of a text. */
interface Zipf {
  readonly share: number;
}

function level(
  encoding: string,
  first: number,
  last: number,
  trails: readonly (readonly [number, number])[],
): ReadonlySet<string> {
  const bytes: number[] = [];
  for (let lead = first; lead <= last; lead += 1) {
    for (const [from, to] of trails) {
      for (let trail = from; trail <= to; trail += 1) bytes.push(lead, trail);
    }
  }
  const characters = new Set(iconv.decode(Buffer.from(bytes), encoding));
  characters.delete('\ufffd');
  return characters;
}

function range(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));
}

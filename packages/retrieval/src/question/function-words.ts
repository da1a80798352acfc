/** Languages of the product's own messages. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'ru', 'zh', 'ja', 'ko', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * Function words of questions: articles, pronouns, prepositions, auxiliaries, question words. They identify
 * the language, and are ignored when the coverage of a question is measured. Chinese, Japanese and Korean
 * have none: their text is analyzed as bigrams, see `QUESTION_CHARACTERS`.
 */
const FUNCTION_WORDS: Readonly<Record<Language, string>> = {
  en: `a about above after again against all also am an and any are as at be because been before being between both
    but by can could did do does doing done during each for from had has have having he her here him his how i if in
    into is it its just kind many may me might more most much my name no nor not of off on one only or other our out
    over own please same shall she should so some such tell than that the their them then there these they this those
    through to too two type under until up us very was we were what when where which while who whom whose why will
    with would you your explain describe`,
  de: `aber alle als am an auch auf aus bei beim bin bis bist bitte da damit darf das dass dein dem den denn der des dich
    die dies diese diesem diesen dieser dieses dir doch du durch dürfen dürft ein eine einem einen einer eines er es
    etwas euch für gegen gibt haben habe hast hat hatte hatten heißen heißt ich ihm ihn ihnen ihr ihre im in ins ist ja
    jemand kann kannst kein keine keinem keinen keiner können könnte könnten man mein meine meinem meinen meiner mich
    mir mit möchte möchten muss musst müssen nach nicht noch nur ob oder ohne sehr sein seine seit sich sie sind so soll
    sollen sollte sollten über um und uns unser unsere unter viel viele vom von vor wann war waren warum was wegen
    welche welchem welchen welcher welches wem wen wenn wer werde werden weshalb wessen wie wieso wieviel will wir wird
    wo wofür woher wohin wollen womit woran worin worum wurde wurden würde würden zu zum zur zwischen`,
  fr: `à au aux avec avez avoir ce cela ces cet cette comment combien dans de des dont du elle elles en entre est et
    était étaient être eu fait il ils je la le les leur leurs lors lui ma mais me même mes moi mon ne nos notre nous on
    ont ou où par pas peut plus pour pourquoi quand que quel quelle quelles quels qui quoi sa sans se ses si son sont
    sous sur ta te tes toi ton tu un une vos votre vous dois doit devons devez doivent puis peux pouvons pouvez peuvent
    pourrais pourrait pourrions faut`,
  es: `al algo ante antes como cómo con cual cuál cuales cuáles cuando cuándo cuanto cuánto cuánta cuántas cuántos de
    del desde donde dónde durante e el él ella ellas ellos en entre era eran es esa ese eso esta está están este esto
    fue fueron ha hace han hasta hay la las le les lo los más me mi muy no nos o para pero por porque puede que qué
    quien quién quienes se según ser si sin sobre son su sus también tiene tu un una uno unos y ya yo mis tus nuestro
    nuestra nuestros nuestras puedo puedes podemos pueden podría podrías debo debe debemos deben debería tengo tienes
    tenemos tienen`,
  it: `a ad agli ai al alla alle anche che chi ci come con così cosa cui da dal dalla dalle de degli dei del della delle
    di dove e è era erano fra fu furono gli ha hanno i il in io la le lei li lo loro lui ma mi nei nel nella nelle noi
    non o ogni per perché più può qual quale quali quando quanta quante quanti quanto quello questa questi questo se
    si sono sono stata stato su sua sugli sui sul sulla suo tra tu un una uno vi voi`,
  pt: `a ao aos as até com como da das de dela dele depois do dos e é ela elas ele eles em entre era eram essa esse esta
    está este eu foi foram há isso isto já lhe mais mas me mesmo meu minha muito na nas não no nos nós o onde os ou
    para pela pelo por porque pode qual quais quando quanta quantas quanto quantos que quê quem são se sem ser seu sua
    também tem teve um uma você`,
  ru: `а без бы был была были было быть в вам вас весь во вот все вы где для до его ее ей ему если есть еще же за зачем
    и из или им их к как какая какие каким каких какого какое какой каком какую ко когда кого который которая которое
    которые кому кто куда ли меня мне может можно мы на над нам нас не него нее нет ни них но о об он она они оно от
    откуда по под почему при с свой сколько со так также такой там тем то того тоже той только том ты у уже чего чей
    чем через что чтобы чья эта эти это этого этой этом этот я`,
  zh: '',
  ja: '',
  ko: '',
  ar: `إلى إن أن أو أي أين أية التي الذي الذين ب بعد بين تم ثم حتى حول دون ذلك سوف عدد عن عند على عليه عليها عما غير في
    فيها فيه قبل قد كان كانت كانوا كل كم كما كيف ل لا لأن لدى لقد لكن لم لماذا لن له لها ليس ما ماذا متى مثل مع من مما
    منذ منه منها نحن هذا هذه هل هم هنا هناك هو هي و يكون يمكن`,
};

const WORDS = new Map<Language, ReadonlySet<string>>(
  LANGUAGES.map((language) => [language, new Set(FUNCTION_WORDS[language].split(/\s+/).filter(Boolean))]),
);

const NONE: ReadonlySet<string> = new Set();

export function functionWords(language: Language): ReadonlySet<string> {
  return WORDS.get(language) ?? NONE;
}

/**
 * Function and question words of Chinese, Japanese and Korean. A bigram that overlaps one of them does not
 * describe the subject of a question. 能, 要, 会, 请, 有, 个 and 在 are also parts of other words (功能, 要求, 会议, 申请, 有效,
 * 个人, 在线), where they are kept.
 */
export const QUESTION_CHARACTERS =
  /多久|一?次|可以|可否|能否|能不能|会不会|是否|怎样|怎樣|如何|应该|應該|需要|必须|必須|为何|為何|为什么|為什麼|(?<![功性智技职職机機才本潜核电電热熱动動])能(?![源量力耗级級])|(?<![主重必首概摘纪紀])要(?![求点點素塞件])|(?<![社协協大开開机機议議委工国國宴])会(?![议計计员員社场場])|(?<![申邀聘])[请請](?![假求])|有(?![效限])|[个個](?!人)|在(?![职職线線])|[什么麼多少久哪谁誰何怎吗嗎呢吧的是了和几幾该\p{Script=Hiragana}]|무엇|어디|언제|누구|얼마|왜|어떻|어떤|인가|입니|니까|나요/gu;

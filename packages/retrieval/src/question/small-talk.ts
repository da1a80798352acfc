// Words of messages that do not describe the subject of a question, in the languages of the product. They are compared without
// case, diacritics and repeated letters: "heyyy" is "hey". A word alone proposes; what stands around it decides: see
// `message-words.ts`.

const words = (text: string): readonly string[] => text.split(/\s+/).filter(Boolean);

/** Words that ask for something. They are polite, too. */
export const PLEASE = words(`please pls plz kindly bitte svp stp plaît favor porfa prego пожалуйста فضلك`);

/** Thanks, apologies and greetings at the end. They are small talk wherever a sentence begins or ends with them. */
export const POLITE =
  words(`thanks thank thx ty cheers ta regards sincerely faithfully bye goodbye lol lmao haha
  hehe xd tbh btw asap appreciated sorry sry apologies apologise apologize pardon
  danke dankeschön dank vielen gruß grüße grüßen mfg lg vg tschüss entschuldigung entschuldige entschuldigen
  verzeihung
  verzeih hochachtungsvoll
  merci cordialement salutations désolé désolée navré navrée dsl mdr ptdr remercie remercions
  excuses
  gracias saludo saludos atentamente adiós perdón perdona perdone perdonen disculpa disculpe disculpen
  siento jaja jeje
  grazie scusi scusa cordiali saluti obrigado obrigada desculpe atenciosamente cumprimentos
  спасибо извините простите уважением благодарю
  شكرا عفوا سمحت تحياتي التحية`);

/** Greetings and words of speech at the beginning. A name may follow a greeting. */
export const GREETINGS = words(`hi hello hey hiya howdy yo greetings dear
  hallo hallöchen moin servus grüezi liebe lieber liebes sehr geehrte geehrter guten 
  bonjour bjr bonsoir salut slt coucou cher chère chers chères
  hola buenos buenas estimado estimada estimados estimadas querido querida
  ciao salve buongiorno buonasera gentile gentili egregio olá oi bom boa prezado prezada
  здравствуйте привет добрый доброе уважаемый уважаемая уважаемые
  مرحبا السلام عليكم أهلا صباح مساء`);

/** The same, without a name. Also words that join a sentence to the one before it. */
export const OPENERS =
  words(`um umm uh erm hm ugh ok okay well alright anyway so and but also then finally yeah yes actually basically
  fyi firstly secondly thirdly lastly
  äh ähm öh tja naja und aber auch ja na boah übrigens erstens zweitens drittens zuletzt schließlich außerdem
  abschließend wg
  euh ben bah voilà et mais donc alors oui enfin pff ensuite premièrement deuxièmement troisièmement
  eh em pues bueno vale pero uf además luego finalmente
  allora dunque então ну так итак а но и`);

/** Words that ask for information: "could you tell me". */
export const ASKING =
  words(`tell know knows ask asking wonder wondering curious explain inform advise remind clarify confirm understand information
  info details enquire inquire
  sagen sag sage sagt mitteilen verraten erklären erkläre erklär wissen weiß wüsste wüssten frage fragen frag fragt erfahren herausfinden
  informationen infos auskunft
  dire dites dis expliquer expliquez indiquer indiquez préciser savoir sauriez sais savez connaître demander demande demandais
  informations renseigner informer rappeler
  decir decirme decirnos dígame dime explicar explicarme explique indicar indicarme informar informarme aclarar saber sabe sabes sabría
  conocer preguntar preguntarle pregunto información dijera indicara explicara
  sapere chiedere dirmi spiegarmi informazioni perguntar dizer
  скажите подскажите знать узнать спросить
  أعرف أسأل تخبرني أخبرني`);

/** Other words about asking and answering, about hurry, and about the author. */
export const CHAT = words(`asked question questions query help helping assist assistance need
  want wanted like love look looking looked find out check show give send let hear
  heard told figure idea favour mind possibly quick quickly short simple silly dumb stupid
  basic urgent urgently hurry rush stuck lost sure new reply answer answering respond response pointers hint hints
  welcome appreciate
  grateful thankful glad happy helped hope hoping day week weekend nice great good morning afternoon evening everyone everybody
  all team
  support sir madam assistant friend guys folks time patience forward hearing soon advance lot bunch best kind warm
  wishes truly
  yours bother bothering disturb disturbing trouble interrupt concern finds writing try trying again
  here pointing point direction another thing things following one just right now next first second third last sentence sentences word words list
  table bullet
  points bit finish conclude closing mean means come brief briefly concise english german french spanish yesterday before already possible perhaps maybe
  really happen something anything somewhere someone somebody anyone anybody believe guess think thoughts below
  attached wait waiting
  nennen nenne zeigen zeig geben gib schreiben schreib helfen hilf hilfe
  weiterhelfen gefragt wollte gerne gern mal kurz kurze schnell dringend
  eilig eilt eile sofort beeilung blöde blödes dumme einfache kleine gesucht suche brauche bräuchte braucht
  interessiert neu hier sicher
  sicherheit unsicher antwort antworten antworte antwortet beantworten rückmeldung dankbar freundlicherweise hoffe
  hoffentlich geht
  freue freundlichen freundliche besten beste schöne schönen tag abend morgen woche wochenende zusammen alle damen
  herren herr
  frau kollegen assistent freund störung störe stören verständnis hilft geholfen zeit geduld mühe voraus vorab gestern schon nochmal
  noch
  etwas folgende folgendes folgender nun dann gut eben eigentlich vielleicht irgendwie jemand lieb guck gucken
  schau schauen
  nachsehen nachschauen prüfen satz sätzen worten liste stichpunkten tabelle deutsch englisch französisch
  ausführlich knapp hinweis tipp verstehe ahnung schluss abschluss tun machen bedeutet heißt bald wäre wären folgenden genannt ehrlich gesagt möglich baldige euch ihr ihre
  donner donnez montrer envoyer aider aide aidez
  demandé voudrais voulais aimerais souhaite cherche besoin petite rapide
  vite pressé pressée bête idée confirmer vérifier réponse répondre répondez
  réponds reconnaissant reconnaissante serais serait finir terminer conclure faire signifie très tout suite ça déjà été éclairer aucune vrai bien vouloir espère espérant allez journée soirée semaine tous toutes monde
  madame monsieur
  mesdames messieurs équipe ami amis déranger dérangement temps avance attente encore autre chose juste
  suivante suivant quelque quelqu beaucoup agréer bientôt revoir plus phrase phrases mots français anglais détail
  service
  rendre bon peut être bonne dit nouveau perdu
  confirmar confirme
  ayudar ayudarme ayuda ayudas preguntado pregunta preguntas duda dudas
  terminar acabar concluir hacer hago significa orientarme harías haga quisiera quería quiero gustaría necesito necesita busco rápido rápida urgente prisa tonta tontería respuesta
  responder responda responde conteste contesta agradecería agradezco agradece espero días tardes noches día semana
  todos todas
  señor señora señores señoras equipo asistente amigo amigos molestar molestia tiempo paciencia antemano espera ayer
  otra otro vez cosa
  solo siguiente algo alguien muchas mucho posible quedo así este breve breves frase frases palabras lista
  español inglés detalle
  mirar ver verificar cualquier pista dijeron perdido nuevo mil cordiales encuentren amable
  aiutarmi domanda vorrei dica aiuto risposta rispondere tutti tempo pazienza
  anticipo pergunta gostaria queria ajuda resposta
  вопрос помогите помощь хотел хотела нужно срочно день утро вечер делать ответ ответьте заранее
  سؤال مساعدة عاجل الخير`);

/** After these words a preamble is over: "sorry for this one, but …". */
export const CONTRASTS = words(`but aber mais pero ma mas но`);

/** Words by which authors speak of themselves: what stands with them before a question is background. */
export const SELF = words(`i we my our me us mine ours
  ich wir bin hab habe bräuchte brauche suche mein meine meinem meinen meiner unser unsere unserem unseren unserer mir
  mich uns
  je j m nous mon ma mes notre nos moi
  yo nosotros nosotras mi mis nuestro nuestra nuestros nuestras soy estoy tenemos tuvimos somos fuimos necesito
  io noi mio mia miei mie nostro nostra eu nós meu meus minha minhas nosso nossa
  я мы мой моя моё мои моего мне меня мной наш наша наши нас нам
  أنا نحن لدي عندي 我 我们 咱们`);

/** Words that address the reader. */
export const YOU = words(`you u your yours someone somebody anyone anybody
  du dir dich dein deine deiner deinen deinem ihr ihre ihrer ihren ihrem euch sie ihnen jemand vous tu te toi quelqu usted ustedes tú le les alguien puede puedes podría
  podrías sabe sabes
  lei voi vi você lhe вы ты вам тебе أنت harías 你 您 你们 大家 有人 有没有人 どなたか 誰か`);

/** First words of a condition, which belongs to the question after it. */
export const CONDITIONS = words(`if when whenever in unless after before while once suppose assuming given
  wenn falls sofern nachdem bevor während sobald angenommen bei
  si quand lorsque lorsqu après avant pendant dès au cuando después antes mientras una
  se quando dopo prima mentre caso depois если когда после до إذا عندما بعد قبل`);

/** Question words, compared as they are written. Most of them are relative pronouns, too. */
export const QUESTION_WORDS = words(`what which who whose whom where when why how
  was wann wo wer wem wen wessen wie warum wieso weshalb wohin woher wofür womit wieviel welche welcher welches welchem welchen
  où quand qui quoi combien comment pourquoi quel quelle quels quelles
  qué cuál cuáles cuánto cuánta cuántos cuántas cuanto cuanta cuantos cuantas cómo cuándo dónde quién quiénes
  quale quali quanto quanta quanti quante dove perché chi qual quais quantos quantas onde quem
  как какой какая какое какие каков сколько когда где почему зачем кто куда откуда
  كم متى أين لماذا كيف هل ماذا`);

/** Prepositions that belong to the question word after them. */
export const PREPOSITIONS =
  words(`from for at by in on until to since ab an bis seit für mit von zu auf unter nach aus bei
  à de dans pour sur avec depuis en sous partir jusqu a para con por desde hasta di da per до с на в`);

/** Words between small talk and what is asked: "tell me about", "know whether". */
export const LINKS = words(`me us you about on of if whether that regarding concerning for to with from
  mir uns dir ihnen euch ob dass über zu zum zur nach bei darüber dazu hierzu
  nous vous si sur à de que concernant m d le les sobre acerca se لي عن`);

/**
 * The same of languages without spaces, as parts of words. In Japanese, hiragana after them belongs to them.
 */
export const POLITE_CJK =
  words(`谢谢 多谢 谢了 谢啦 感谢 拜托 再见 回头见 麻烦 打扰 不好意思 抱歉 见谅 劳驾 此致 敬礼 祝好 顺祝 辛苦了
  ありがと 感謝 よろしく 宜しく すみません すいません ごめん 恐れ入り 失礼 お手数 お忙しい 助かり 助かる 幸い お願い願います
  감사 고맙 부탁 죄송 실례 수고`);
/** Greetings and fillers. */
export const GREETINGS_CJK =
  words(`嗯 呃 那个 那個 哎呀 哦 对了 好的 えっと えーと ええと あのー うーん じゃあ はい 음 어 저기 你好 您好 大家好 各位好 早上好 下午好 晚上好 早安 嗨 嘿 哈喽 哈啰 哈罗 在吗 在不在 有人吗 尊敬的 亲爱的 各位
  大家 皆さん こんにちは こんちは こんにちわ こんばんは おはよう はじめまして 初めまして お疲れ お世話 拝啓 どうも やあ
  안녕 안녕하세요 안녕하십니까`);
/** Words that join a sentence to the one before it, if a mark or other small talk follows. */
export const OPENERS_CJK = words(
  `就是说 另外 还有 首先 其次 最后 然后 所以 因此 那么 あの その では それと それから また あと 次に 最後に まず 그리고 그런데 또 혹시`,
);
export const ASKING_CJK =
  words(`请问一下 请问 請問 想请问 想问 问一下 请教 咨询 想知道 告诉 告诉我 介绍 查一下
  教え 知りたい 聞きたい お聞きしたい 伺い ご教示 お教え お知らせ お聞かせ 知って 알려 궁금`);
export const CHAT_CJK =
  words(`供参考 参考 问个 确认 说明 查查 帮我 帮忙 帮助 帮 问题 简单 一下 一个 下面 这个 这里 急 紧急 着急 马上 现在 立刻 赶时间 尽快 快点 回复 回答 答复 解决 搞不懂 不懂 清楚 希望 祝 一切
  顺利 安好 期待 静候 新来 有点 有人 有没有 又是 又来 一件 事 指点 提示 试试 朋友 昨天 这么 快 一句话 两句话 简短 简洁 要点 列表 先生 女士 助手 助理 需要 时间 耐心
  十分 非常 万分 帮个忙 以前 真是 疯 完全 質問 聞き 聞いて 分か わか 探し 調べ 確認 念のため 至急 急ぎ 急いで 早め 答え 返信 お返事 ご返答 お待ち 元気 ご存じ 新人
  混乱 誰か どなたか 方 変な 初歩的な 一つ もう一つ 次の こと 手伝 初めて 皆様 昨日 早速 友人 代わり くだらない 説明 一文 日本語 英語 箇条書き 簡潔 手短 だけ アシスタントさん
  私です ちょっと 少し 時間 いただき いただけ もらえ くださ ほしい 既出 질문 급합니다 빨리 간단히 짧게 답 知道 不知道 了解 解释 有人问 有没有人 只回答 再加 一句 老是 每次
  怎么回答 指点一下 小问题 傻问题 个问题 哈哈 完全不知道 看看 试一下 说 问 问过 人问 回头`);
/** Characters of function words in Chinese, which stand between small talk. Japanese writes them in hiragana. */
export const FUNCTIONS_CJK =
  words(`我 我们 你 您 你们 能 能不能 能否 可否 可以 可不可以 的 了 吗 嗎 呢 吧 啊 呀 嘛 啦 也 就 很 比较 请 在 是 有 个 给 向 或 和 将 会 到 都
  不 没 该 要 看 儿 过 这 那 从 让 去 来 点 w 笑 이 저 좀`);
export const QUESTION_WORDS_CJK =
  words(`什么 什麼 怎么 怎么样 怎样 哪里 哪儿 哪个 多少 多久 多长 多大 多高 几 哪 怎 如何 是否 为何 为什么 何 なに なん いつ どこ だれ どう どの どれ いくら いくつ なぜ 誰が
  무엇 뭐 언제 어디 누구 누가 왜 얼마 몇 어떻게 어떤`);

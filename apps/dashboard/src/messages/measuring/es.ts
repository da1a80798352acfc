import type { measuring as english } from './en.js';

export const measuring: Record<keyof typeof english, string> = {
  'search.placeholder': 'Buscar en esta biblioteca',
  'search.submit': 'Buscar',
  'search.query': 'Pregunta o palabras',
  'search.within': '¿Por qué no este documento?',
  'search.everywhere': 'Todos los documentos',
  'search.part': '¿Qué página o archivo?',
  'search.allParts': 'Todos',
  'search.choicesCut': 'Solo se muestran los {count} más recientes.',
  'search.text':
    'Muestra los fragmentos que encuentra una pregunta, su posición en la búsqueda por palabras y por significado, y cuáles de ellos lee un agente.',
  'search.terms': 'Palabras buscadas, tal como están indexadas: {terms}',
  'search.fused': 'Resultado',
  'search.fusedHint': 'Ambas búsquedas combinadas. Un agente lee los fragmentos por encima de su línea.',
  'search.line': 'Por encima: lo lee {agents}',
  'search.lineNothing': 'Nada de esto lo lee {agents}',
  'search.lineAgent': '{name} (relevancia desde {minimum}, los {count} primeros)',
  'search.newAgent': 'un agente con los ajustes habituales',
  'search.moreAgents': 'y {count} más',
  'search.words': 'Por palabras',
  'search.wordsHint':
    'Fragmentos con las palabras de la pregunta; las palabras poco frecuentes cuentan más (BM25).',
  'search.meaning': 'Por significado',
  'search.meaningHint':
    'Fragmentos de significado parecido, también con otras palabras (similitud del coseno).',
  'search.noMeaning': 'No hay ningún modelo de embeddings configurado, así que solo se busca por palabras.',
  'search.scoreHint':
    'Cuánto coincide el fragmento, de 0 a 1. Los agentes omiten los que coinciden demasiado poco.',
  'search.wordsScore': 'Puntuación BM25: {score}. Solo es comparable dentro de una misma búsqueda.',
  'search.meaningScore': 'Similitud del coseno: {score}. 1 significa idéntico.',
  'search.wordsRank': 'palabras: n.º {rank}',
  'search.meaningRank': 'significado: n.º {rank}',
  'search.overallRank': 'de todos: n.º {rank}',
  'search.overallScore':
    'Relevancia {score} entre todos los fragmentos de la biblioteca. Un agente la compara con su mínimo.',
  'search.overallNone': 'de todos: no está entre los {count} primeros',
  'search.wordsNone': 'palabras: no está entre los {count} primeros',
  'search.meaningNone': 'significado: no está entre los {count} primeros',
  'search.missing': 'Faltan: {terms}',
  'search.missingHint':
    'Palabras de la pregunta que no están ni en el fragmento ni en el nombre de su documento.',
  'search.rerankScore': 'reordenado: {score}',
  'search.rerankHint': 'Puntuación del modelo de reordenación, de 0 a 1. Decide el orden.',
  'search.none': 'Ningún fragmento coincide.',
  'search.score': 'Relevancia {score}',
};

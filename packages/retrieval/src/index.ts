export { analyze, LEXICAL_VERSION } from './analysis/analyzer.js';
export { type ChangedSentences, changedSentences } from './analysis/changed-sentences.js';
export { type DocumentNames, readableName, searchableNames } from './names/searchable-names.js';
export { asksForNewest, newestFirst } from './relevance/newest-version.js';
export { encodeDocumentTerms, type SparseVector, termId } from './sparse/sparse-encoder.js';
export { AnalyzedQuestion, encodeQueryTerms, searchedTerms } from './question/analyzed-question.js';
export {
  escapeDelimiters,
  fenced,
  type FrameLabel,
  labelText,
  type Passage,
  passageLabel,
} from './context/passage.js';
export { assembleContext, type AssembledContext } from './context/context-assembler.js';
export { countTokens } from './context/token-counter.js';
export { CitationStreamFilter } from './citations/citation-stream.filter.js';
export { AllowedLinks, LinkStreamFilter } from './links/link-stream.filter.js';
export {
  abstention,
  incompleteMessage,
  modelFailedMessage,
  noModelMessage,
  passagesMessage,
} from './answers/answer-messages.js';
export { overviewAnswer, type OverviewLibrary, overviewQuestion } from './answers/overview-answer.js';
export { detectLanguage, firstLanguage } from './question/detect-language.js';
export { ALIKE, likeness } from './question/alike-questions.js';
export type { Language } from './question/function-words.js';
export { analyzedQuestions, askedQuestions, isSmallTalk } from './question/asked-questions.js';
export {
  type AskedQuestion,
  ofSameSubject,
  type Quote,
  quoteAnswers,
  type QuotedTable,
  type QuoteOptions,
} from './answers/quote-answer.js';
export { quoteCitations } from './answers/quote-citations.js';
export type { PassageQuote, QuotablePassage } from './answers/quote-passage.js';
export {
  CosineScale,
  marginOf,
  relevanceOf,
  RELEVANT,
  UNRELATED_TEXTS,
  WORTH_ASKING,
} from './relevance/relevance.js';
export { QuestionCoverage } from './relevance/question-coverage.js';
export {
  documentsMeant,
  isAboutEverything,
  wholeDocumentQuestion,
  type WholeDocumentQuestion,
} from './answers/whole-document-question.js';
export { AbstentionFilter, abstentionInstruction } from './prompts/abstention-marker.js';
export { PromptEchoFilter, type ProtectedText } from './prompts/prompt-echo.filter.js';
export {
  CUSTOMER_SUPPORT_PREAMBLE,
  customerSupportPrompt,
  DEFAULT_SYSTEM_PROMPT,
  DEFAULT_USER_PROMPT,
  isRewriteOf,
  parseRerankReply,
  parseSummaries,
  PASSAGES_LINE,
  renderPrompt,
  rerankPrompt,
  rewritePrompt,
  summaryPrompt,
  type Turn,
  usesContext,
} from './prompts/prompts.js';
export { averagePrecision, hitAt, ndcgAt, recallAt, type Gains } from './metrics/ranking-metrics.js';
export { type AlignedStatement, alignStatements, type Contradiction } from './support/align-statements.js';
export { type QueriedRows, tableEvidence } from './support/table-evidence.js';
export type { AlignablePassage } from './support/evidence.js';
export { FrameStreamFilter } from './support/frame-stream.filter.js';
export { type Estimate, seededRandom, wilsonInterval } from './metrics/interval.js';
export { MAX_REFUSED, rocOf, type MinimumScorePoint } from './metrics/minimum-score.js';
export type { Difference } from './metrics/paired-test.js';
export { AnswerKey, type JudgeablePassage, measureQuestion } from './evaluation/answer-key.js';
export { compareSides, summarizeSide } from './evaluation/summarize-outcomes.js';
export {
  corrected,
  type Correction,
  nearestSpellings,
  questionTermIds,
  type UnknownWord,
  unknownWords,
} from './question/spelling.js';
export type { AskedColumn, AskedTable, TableCondition } from './tables/asked-table.js';
export { tableConditions } from './tables/question-conditions.js';
export { tableLookups, type TableLookups } from './tables/table-lookups.js';
export { type OtherRows, tableAnswer, type TableResult } from './tables/table-answer.js';

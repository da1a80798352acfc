export { analyze, LEXICAL_VERSION } from './analysis/analyzer.js';
export { type DocumentNames, readableName, searchableNames } from './names/searchable-names.js';
export { asksForNewest, newestFirst } from './relevance/newest-version.js';
export { encodeDocumentTerms, type SparseVector, termId } from './sparse/sparse-encoder.js';
export { encodeQueryTerms, searchedTerms } from './question/query-vector.js';
export type { Passage } from './context/passage.js';
export { assembleContext, type AssembledContext } from './context/context-assembler.js';
export {
  escapeDelimiters,
  fenced,
  type FrameLabel,
  labelText,
  passageLabel,
} from './context/passage-fence.js';
export { countTokens } from './context/token-counter.js';
export { CitationStreamFilter } from './citations/citation-stream.filter.js';
export { AllowedLinks } from './links/allowed-links.js';
export { LinkStreamFilter } from './links/link-stream.filter.js';
export { abstention, incompleteMessage, noModelMessage, passagesMessage } from './answers/answer-messages.js';
export { AnalyzedQuestion } from './question/analyzed-question.js';
export type { Language } from './question/function-words.js';
export { analyzedQuestions, askedQuestions, isSmallTalk } from './question/asked-questions.js';
export type { Quote } from './answers/quote-answer.js';
export { type AskedQuestion, quoteAnswers } from './answers/quote-answers.js';
export { quoteCitations } from './answers/quote-citations.js';
export type { PassageQuote, QuotablePassage } from './answers/quote-passage.js';
export { CosineScale, UNRELATED_TEXTS } from './relevance/cosine-scale.js';
export { ofSameSubject } from './relevance/same-subject.js';
export { QuestionCoverage } from './relevance/question-coverage.js';
export { marginOf, RELEVANT, relevanceOf, WORTH_ASKING } from './relevance/relevance.js';
export { documentsMeant } from './answers/documents-meant.js';
export { wholeDocumentQuestion, type WholeDocumentQuestion } from './answers/whole-document-question.js';
export { AbstentionFilter, abstentionInstruction } from './prompts/abstention-marker.js';
export { PromptEchoFilter, type ProtectedText } from './prompts/prompt-echo.filter.js';
export { renderPrompt, usesContext } from './prompts/prompt-template.js';
export {
  CUSTOMER_SUPPORT_PREAMBLE,
  customerSupportPrompt,
  DEFAULT_SYSTEM_PROMPT,
  DEFAULT_USER_PROMPT,
  PASSAGES_LINE,
} from './prompts/prompt-template.js';
export { parseRerankReply, rerankPrompt } from './prompts/rerank-prompt.js';
export { isRewriteOf, rewritePrompt, type Turn } from './prompts/question-rewrite.js';
export { averagePrecision, hitAt, ndcgAt, recallAt, type Gains } from './metrics/ranking-metrics.js';
export { alignStatements, type Contradiction } from './support/align-statements.js';
export type { AlignablePassage } from './support/evidence.js';
export { FrameStreamFilter } from './support/frame-stream.filter.js';
export { wilsonInterval, type Estimate } from './metrics/interval.js';
export { MAX_REFUSED, rocOf, type MinimumScorePoint } from './metrics/minimum-score.js';
export type { Difference } from './metrics/paired-test.js';
export { seededRandom } from './metrics/seeded-random.js';
export type { JudgeablePassage } from './evaluation/answer-key.js';
export { AnswerKey } from './evaluation/answer-key.js';
export { measureQuestion } from './evaluation/measure-question.js';
export { compareSides, summarizeSide } from './evaluation/summarize-outcomes.js';
export {
  corrected,
  type Correction,
  nearestSpellings,
  questionTermIds,
  type UnknownWord,
  unknownWords,
} from './question/spelling.js';

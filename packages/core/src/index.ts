export { type AnswerRequest, parseAnswerEnvelope, parseAnswerRequest } from './answer/answer-request.ts'
export { type AnswerState, missingIn } from './answer/answer-state.ts'
export {
  type AnswerTexts,
  answerTexts,
  decodeAnswers,
  encodeAnswers,
  questionTexts,
  unknownAnswers,
} from './answer/answer-text.ts'
export { type Draft, findQuestion, submittedResponses } from './answer/draft.ts'
export {
  byQuestion,
  type GivenResponse,
  isAnswer,
  isComplete,
  type QuestionResponse,
  type ResponseSource,
  type Responses,
  responseTo,
  type SkippedResponse,
  sameResponses,
  unansweredIds,
  withDefaults,
} from './answer/response.ts'
export {
  ASK_TOOL,
  type AskUserQuestionInput,
  type AskUserQuestionOutput,
  type ToolDefinition,
  type ToolSchema,
} from './answer/tool-definition.ts'
export { validateResponses } from './answer/validate-responses.ts'
export type {
  BoundAnswerFile,
  ChannelWarning,
  HostChannel,
  OpenOptions,
  QuestionState,
  ReadOptions,
  RunnerChannel,
} from './channel.ts'
export { checkOptions, type OptionNames } from './lib/check-options.ts'
export { type Clock, sleep, systemClock } from './lib/clock.ts'
export { digestOf } from './lib/digest.ts'
export {
  AskError,
  type AskErrorCode,
  type AskErrorDetails,
  type Fault,
  httpStatusOf,
  invalid,
} from './lib/errors.ts'
export { printable, printableLine, visible } from './lib/printable.ts'
export { filledText, parseJson, parseWith } from './lib/schema.ts'
export { parseQuestions } from './question/parse-questions.ts'
export {
  type AskedQuestion,
  allowsFreeText,
  findOption,
  isRequired,
  type NumberRange,
  numberFault,
  optionValue,
  QUESTION_LIMITS,
  type Question,
  type QuestionOption,
  sameQuestions,
} from './question/question.ts'
export { readQuestions } from './question/read-questions.ts'
export { ASK_TOOL_NAMES, isAskUserQuestionPart, isOver, type ToolPart } from './question/tool-part.ts'
export {
  type AnswerFile,
  type AnswerStatus,
  isFinal,
  isMeantFor,
  mayChange,
  parseAnswerFile,
  responsesOf,
} from './record/answer-file.ts'
export { isExpiry } from './record/expiry-marker.ts'
export { fileNameOf } from './record/file-name.ts'
export { toOlderFormat } from './record/older-format.ts'
export {
  describeOutcome,
  type Outcome,
  type OutcomeFacts,
  outcomeOf,
  submittedKind,
} from './record/outcome.ts'
export {
  type ApprovalSubject,
  type Asker,
  askerSchema,
  type ClosingReason,
  type ClosingRecord,
  closeRecord,
  isSameQuestion,
  isSettled,
  type OpenRecord,
  type OutcomeKind,
  parseQuestionRecord,
  type QuestionRecord,
  type Receipt,
  type SettledRecord,
  subjectSchema,
  type UnsettledRecord,
  withReceipt,
} from './record/question-record.ts'
export { isQuestionView, type QuestionView } from './record/question-view.ts'
export { isAccountedFor, isDisputed } from './record/receipt.ts'
export {
  ANSWER_TOKEN_TYPE,
  type AnswerClaims,
  answerClaims,
  answerFileOf,
  type MisplacedAnswer,
  misplaced,
  PUBLIC_KEYS_VARIABLE,
  parseAnswerClaims,
  questionDigestOf,
  SIGNATURE_ALGORITHM,
} from './record/signed-claims.ts'
export { LONGEST_TIMEOUT_MS, type TimeoutMs, timeoutSchema } from './record/timeout.ts'
export { viewOf } from './record/view-of.ts'
export { type AnswerTransport, connectToHost, type HostConnectionOptions } from './session/host-connection.ts'
export type { DraftKeeper, KeptDraft } from './session/kept-draft.ts'
export {
  type AskSession,
  type AskSessionOptions,
  type ConnectedSession,
  createAskSession,
  type HostConnection,
} from './session/session.ts'
export { type AskSnapshot, type AskStatus, isEnded, type SessionState } from './session/session-state.ts'
export type { Submission } from './session/submission.ts'

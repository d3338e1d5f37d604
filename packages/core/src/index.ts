export {
  ANSWER_KEYS_VARIABLE,
  ANSWER_TOKEN_TYPE,
  type AnswerClaims,
  answerClaims,
  approvalOf,
  askingDigest,
  type MisplacedAnswer,
  misplaced,
  parseAnswerClaims,
  SIGNATURE_ALGORITHM,
} from './answer-claims.ts'
export { type AnswerRequest, parseAnswerEnvelope, parseAnswerRequest } from './answer-request.ts'
export { type AnswerState, missingIn } from './answer-state.ts'
export {
  type AnswerTexts,
  answerKeys,
  answerTexts,
  decodeAnswers,
  encodeAnswers,
  unknownAnswerKeys,
} from './answer-text.ts'
export {
  type Approval,
  type ApprovalStatus,
  isFinal,
  isMeantFor,
  mayChange,
  parseApproval,
  responsesOf,
} from './approval.ts'
export { approvalFileName } from './approval-file-name.ts'
export type {
  BoundApproval,
  ChannelWarning,
  HostChannel,
  OpenOptions,
  QuestionState,
  ReadOptions,
  RunnerChannel,
} from './channel.ts'
export { checkOptions, type OptionNames } from './check-options.ts'
export { type Clock, sleep, systemClock } from './clock.ts'
export { digestOf } from './digest.ts'
export { type Draft, findQuestion, submittedResponses } from './draft.ts'
export {
  AskError,
  type AskErrorCode,
  type AskErrorDetails,
  type Fault,
  httpStatusOf,
  invalid,
} from './errors.ts'
export { isExpiry } from './expiry-marker.ts'
export { type AnswerTransport, type HostLinkOptions, linkToHost } from './host-link.ts'
export type { DraftKeeper, KeptDraft } from './kept-draft.ts'
export { forOlderRunner } from './older-files.ts'
export { describeOutcome, type Outcome, type OutcomeFacts, outcomeOf, submittedKind } from './outcome.ts'
export { parseQuestions } from './parse-questions.ts'
export { printable, printableLine, visible } from './printable.ts'
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
} from './question.ts'
export {
  type ApprovalSubject,
  type Asker,
  askerSchema,
  type ClosingReason,
  type ClosingRecord,
  closeRecord,
  isSettled,
  type OpenRecord,
  type OutcomeKind,
  parseQuestionRecord,
  type QuestionRecord,
  type SettledRecord,
  type Settlement,
  sameAsking,
  settleRecord,
  subjectSchema,
  type UnsettledRecord,
} from './question-record.ts'
export { isQuestionView, type QuestionView } from './question-view.ts'
export { readQuestions } from './read-questions.ts'
export { isAccountedFor, isDisputed } from './receipt.ts'
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
} from './response.ts'
export { filledText, parseJson, parseWith } from './schema.ts'
export {
  type AskSession,
  type AskSessionOptions,
  createAskSession,
  type HostLink,
  type LinkedSession,
} from './session.ts'
export { type AskSnapshot, type AskStatus, isEnded, type SessionState } from './session-state.ts'
export type { Submission } from './submission.ts'
export { LONGEST_TIMEOUT_MS, type TimeoutMs, timeoutSchema } from './timeout.ts'
export {
  ASK_TOOL,
  type AskUserQuestionInput,
  type AskUserQuestionOutput,
  type ToolDefinition,
  type ToolSchema,
} from './tool-definition.ts'
export { ASK_TOOL_NAMES, isAskUserQuestionPart, isOver, type ToolPart } from './tool-part.ts'
export { validateResponses } from './validate-responses.ts'
export { viewOf } from './view-of.ts'

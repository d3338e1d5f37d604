export type { AnswerRequest } from './answer/answer-request.ts'
export type { AnswerStatus } from './answer/answer-status.ts'
export type { AnswerTexts } from './answer/answer-text.ts'
export type { Answer, Answers } from './answer/answers.ts'
export type { Attachment } from './answer/files/attachment.ts'
export type { FileLoss, FilePlace } from './answer/files/file-loss.ts'
export type { PasskeyProof, PasskeySite } from './answer/passkey-proof.ts'
export type { QuestionResponse, Responses } from './answer/response.ts'
export {
  ASK_TOOL,
  type AskUserQuestionInput,
  type AskUserQuestionOutput,
  type ToolDefinition,
} from './answer/tools/tool-definition.ts'
export type {
  AnswerSubscription,
  BoundAnswerFile,
  HostChannel,
  OpenOptions,
  ReadOptions,
  RunnerChannel,
} from './channel.ts'
export { type Clock, systemClock } from './lib/clock.ts'
export { AskError, type AskErrorCode, type AskErrorDetails, type Fault } from './lib/errors.ts'
export type { ChannelWarning, OnWarning, WarningCode } from './lib/warnings/warning-codes.ts'
export { ATTACHMENT_LIMITS, QUESTION_LIMITS } from './question/limits.ts'
export { parseQuestions } from './question/parse-questions.ts'
export type {
  AskedQuestion,
  FileRules,
  Question,
  QuestionOption,
} from './question/question.ts'
export { ASK_TOOL_NAMES, isAskUserQuestionPart, type ToolPart } from './question/tool-part.ts'
export type { TypedAnswer } from './question/typed/typed-answer.ts'
export type { AnswerFile } from './record/answer-file/answer-file.ts'
export { parseAnswerFile } from './record/answer-file/parse-answer-file.ts'
export type { Outcome } from './record/outcome/outcome.ts'
export { describeOutcome } from './record/outcome/outcome-text.ts'
export type {
  HostPasskeys,
  Passkey,
  PasskeyFacts,
  RunPasskeys,
} from './record/people/passkey.ts'
export type { PolicyRule } from './record/people/policy-rule.ts'
export {
  type ApprovalSubject,
  type Asker,
  type OutcomeKind,
  parseQuestionRecord,
  type QuestionRecord,
  type Receipt,
} from './record/question-record.ts'
export type { QuestionState } from './record/question-state.ts'
export type { TimeoutMs } from './record/timeout.ts'
export type { QuestionView } from './record/view/question-view.ts'
export type { AskStatus } from './session/ask-status.ts'
export type { AutoSubmit } from './session/auto-submit.ts'
export type { AnswerTransport } from './session/connection-options.ts'
export type { OtherPerson } from './session/others.ts'
export {
  type AskSession,
  type AskSessionOptions,
  createAskSession,
} from './session/session.ts'
export type { AskSnapshot } from './session/snapshot.ts'

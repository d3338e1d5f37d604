export {
  type AnswerState,
  type AnswerTransport,
  type ApprovalSubject,
  AskError,
  type AskErrorCode,
  type AskedQuestion,
  type AskStatus,
  type AskUserQuestionInput,
  type AskUserQuestionOutput,
  type Fault,
  isAskUserQuestionPart,
  type OutcomeKind,
  type PageAnswer,
  type Question,
  type QuestionOption,
  type QuestionResponse,
  type QuestionView,
  questionTitle,
  type Responses,
  type ToolPart,
} from '@sandagent/core/internal'
export type { AnswersByText } from './answers-by-text.ts'
export { type ApprovalLabels, englishApprovalLabels } from './form/approval/approval-labels.ts'
export { ToolApproval, type ToolApprovalProps } from './form/approval/tool-approval.tsx'
export { AskUserQuestion, type AskUserQuestionProps } from './form/ask-user-question.tsx'
export type { AskLabels } from './form/labels/ask-labels.ts'
export { englishLabels } from './form/labels/english-labels.ts'
export type {
  AskComponents,
  AskForm,
  ButtonProps,
  FormPartProps,
  PreviewFormat,
  PreviewProps,
  QuestionPartProps,
  TextProps,
} from './form/state/ask-form.ts'
export {
  askToNotify,
  type QuestionNotificationOptions,
  useQuestionNotification,
} from './notify/question-notification.ts'
export { useTitleBadge } from './notify/title-badge.ts'
export { createHttpTransport, type HttpTransportOptions } from './transport/http-transport.ts'
export type { UseAskUserQuestionOptions } from './use-ask-session.ts'
export { type UseAskUserQuestionReturn, useAskUserQuestion } from './use-ask-user-question.ts'

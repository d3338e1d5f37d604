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
  type Attachment,
  type AutoSubmit,
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
export { type ChatLabels, englishChatLabels } from './chat/chat-labels.ts'
export { QuestionList, type QuestionListProps } from './chat/question-list.tsx'
export { type ComposerAnswer, useComposerAnswer } from './chat/use-composer-answer.ts'
export { type ChatMessage, type ListedQuestion, useListedQuestions } from './chat/use-listed-questions.ts'
export { WaitingBanner, type WaitingBannerProps } from './chat/waiting-banner.tsx'
export { type ChoiceProps, type Fields, type TextFieldProps, useFields } from './fields.ts'
export { englishPasskeyLabels, type PasskeyLabels } from './form/approval/allow/passkey-labels.ts'
export { signWithPasskey } from './form/approval/allow/sign-with-passkey.ts'
export { type ApprovalLabels, englishApprovalLabels } from './form/approval/approval-labels.ts'
export { englishPlanLabels, type PlanLabels } from './form/approval/call/plan-labels.ts'
export { type EditLabels, englishEditLabels } from './form/approval/edit/edit-labels.ts'
export { ToolApproval, type ToolApprovalProps } from './form/approval/tool-approval.tsx'
export { ToolCall, type ToolCallProps } from './form/approval/tool-call.tsx'
export { withCode } from './form/approval/with-code.tsx'
export { AskUserQuestion } from './form/ask-user-question.tsx'
export type { AskUserQuestionProps } from './form/ask-user-question-props.ts'
export { type AskBackLabels, englishAskBackLabels } from './form/labels/ask-back-labels.ts'
export { type AskLabels, englishLabels } from './form/labels/ask-labels.ts'
export { type AssumptionLabels, englishAssumptionLabels } from './form/labels/assumption-labels.ts'
export { englishFileLabels, type FileLabels } from './form/labels/file-labels.ts'
export { englishSecretLabels, type SecretLabels } from './form/labels/secret-labels.ts'
export { englishTypedLabels, type TypedLabels } from './form/labels/typed-labels.ts'
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
export type { AnswersByText } from './is-selected.ts'
export {
  askToNotify,
  type QuestionNotificationOptions,
  useQuestionNotification,
} from './notify/question-notification.ts'
export { useTitleBadge } from './notify/title-badge.ts'
export { useWaitingQuestions, type WaitingQuestion } from './page/waiting-questions.ts'
export type { HttpTransportOptions } from './transport/answer-api.ts'
export { createHttpTransport } from './transport/http-transport.ts'
export { downloadFile, type FilePlace, uploadFile } from './transport/upload-file.ts'
export type { AskedCall, AskOptions, UseAskUserQuestionOptions } from './use-ask-session.ts'
export { type UseAskUserQuestionReturn, useAskUserQuestion } from './use-ask-user-question.ts'
export { type OpenQuestions, type UseOpenQuestionsOptions, useOpenQuestions } from './use-open-questions.ts'

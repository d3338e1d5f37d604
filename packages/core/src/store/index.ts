export type { MirroredText } from './delivery.ts'
export { createHostChannel, type HostChannelOptions, type HostQuestions } from './host-channel.ts'
export type {
  ListedQuestion,
  ListPlace,
  QuestionStore,
  RecordFacts,
  StoredQuestion,
  StoredText,
  StoreListOptions,
  StoreSubscribeOptions,
} from './question-store.ts'
export { createRunnerChannel, type RunnerChannelOptions, type RunnerQuestions } from './runner-channel.ts'
export type { AnswerSource, AnswerWatcher, FoundAnswer } from './subscribed-answers.ts'
export { SubscribedAnswers } from './subscribed-answers.ts'

export type { FilePiece, FileRoom } from '../answer/files/stored-file.ts'
export type { ListPlace } from '../channel.ts'
export { createHostChannel, type HostChannelOptions } from './host-channel.ts'
export type {
  AnswerOptions,
  Candidates,
  HostQuestions,
  ListedQuestion,
  PublicKeys,
  QuestionStore,
  RecordFacts,
  RunnerQuestions,
  StoredFiles,
  StoredQuestion,
  StoredText,
  StoreListOptions,
  StoreSubscribeOptions,
  WatchedQuestions,
} from './question-store.ts'
export { checkRecordSize } from './record-size.ts'
export { endOf, type LogPiece, type RunLogs, type RunStart } from './run-logs.ts'
export { createRunnerChannel } from './runner-channel.ts'
export { listed, readableRecordIn } from './stored-texts.ts'
export type { AnswerWatcher, FoundAnswer } from './subscribed-answers.ts'
export { createWatchedChannel, type RunnerChannelOptions } from './watched-channel.ts'

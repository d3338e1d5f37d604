export { type AskingStreamOptions, askingStream } from './asking-stream.ts'
export { type FolderChat, type MessageDatabase, readMessages } from './folder-messages.ts'

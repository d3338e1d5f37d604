export { type ChatSinkOptions, createChatSink } from './chat-sink.ts'

export { type AskPendingOptions, askPending } from './agents/cognipeer/pending.ts'

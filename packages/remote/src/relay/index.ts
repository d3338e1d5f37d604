export { replacePredecessor } from './predecessor.ts'
export { type RelayOptions, serveRelay } from './serve-relay.ts'

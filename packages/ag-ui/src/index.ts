export { type AgUiHandler, createAgUiHandler } from './handler.ts'

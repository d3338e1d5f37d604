export {
  createElicitationHandler,
  type ElicitationHandler,
  type ElicitationHandlerOptions,
} from './mcp/elicitation.ts'

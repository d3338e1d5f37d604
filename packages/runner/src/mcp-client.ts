export {
  type ElicitationHandler,
  type ElicitationHandlerOptions,
  elicitationHandler,
} from './mcp/elicitation.ts'

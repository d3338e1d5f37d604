export {
  type ElicitationHandler,
  type ElicitationHandlerOptions,
  elicitationHandler,
} from './agents/mcp-elicitation.ts'

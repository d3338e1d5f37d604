export {
  type AnswerRegistry,
  type AnswerRegistryOptions,
  createAnswerRegistry,
  type NamedQuestion,
} from './answer-registry.ts'
export { createRespondHandler, type RespondHandler, type RespondHandlerOptions } from './respond-handler.ts'

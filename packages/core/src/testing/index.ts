// The parts of the test kit that need no Node. `@sandagent/sdk/testing` has those that users need, and all others.

export { createFakeClock, type FakeClock } from './fake-clock.ts'
export { allResponsesTo, responsesTo, type SaidAnswers } from './said-answers.ts'
export { createToolParts, type ToolParts, type ToolPartsOptions } from './tool-parts.ts'

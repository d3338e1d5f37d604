// The parts of the test kit that need neither Node nor a page. `@sandagent/sdk/testing` has those that users need, and the rest.

export { createFakeClock, type FakeClock } from './fake-clock.ts'
export { allResponsesTo, responsesTo, type SaidAnswers } from './said-answers.ts'
export { createToolParts, type ToolParts, type ToolPartsOptions } from './tool-parts.ts'

export type { ContractCase } from './contract-case.ts'
export { createFakeClock, type FakeClock } from './fake-clock.ts'
export { createMemoryChannel, type MemoryChannel, type MemoryChannelOptions } from './memory-channel.ts'
export type { Act, Reply, SeenCall } from './people/act.ts'
export {
  after,
  allows,
  answers,
  answersAfter,
  answersTwice,
  declines,
  denies,
  inOrder,
  leavesDraft,
  mayBeRefused,
  neverAnswers,
} from './people/acts.ts'
export { type Person, type PersonOptions, startPerson } from './people/start-person.ts'
export type { SaidAnswers } from './said-answers.ts'
export type { SandboxAbilities } from './sandbox/context.ts'
export { sandboxContract } from './sandbox-contract.ts'
export type { StoreAbilities, StoreHalves } from './store/context.ts'
export { answerFileFor, openRecord, receiptOf } from './store/records.ts'
export { storeContract } from './store-contract.ts'
export { createToolParts, type ToolParts, type ToolPartsOptions } from './tool-parts.ts'

export { answerFileFor, openRecord } from './channel/records.ts'
export type { ContractCase } from './contract-case.ts'
export type { SandboxAbilities } from './sandbox/context.ts'
export { sandboxContract } from './sandbox-contract.ts'

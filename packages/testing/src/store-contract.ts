import { bindCases, type ContractCase } from './contract-case.ts'
import { answerCases } from './store/answer-cases.ts'
import { closingCases } from './store/closing-cases.ts'
import { type StoreAbilities, type StoreHalves, withStore } from './store/context.ts'
import { fileCases } from './store/file-cases.ts'
import { hostileCases } from './store/hostile-cases.ts'
import { processCases } from './store/process-cases.ts'
import { questionCases } from './store/question-cases.ts'
import { signingCases } from './store/signing-cases.ts'
import { storeCases } from './store/store-cases.ts'
import { subscriptionCases } from './store/subscription-cases.ts'
import { writingCases } from './store/writing-cases.ts'

const CASES = [
  ...storeCases,
  ...questionCases,
  ...closingCases,
  ...answerCases,
  ...writingCases,
  ...subscriptionCases,
  ...signingCases,
  ...hostileCases,
  ...fileCases,
  ...processCases,
]

/**
 * What both halves of every store must do, alone and below the channels, as tests for any framework. Each waits up to 50
 * seconds for what must come.
 *
 * @example
 * for (const { name, run } of storeContract(makeStore, { remove })) test(name, run)
 *
 * @param makeStore makes a fresh store without questions. It is called once for each case.
 */
export const storeContract = <S extends StoreHalves>(
  makeStore: () => S | Promise<S>,
  abilities: StoreAbilities<S> = {},
): ContractCase[] => bindCases(CASES, abilities, (run) => withStore(makeStore, abilities, run))

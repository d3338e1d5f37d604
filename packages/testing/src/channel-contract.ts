import { answerCases } from './channel/answer-cases.ts'
import { closingCases } from './channel/closing-cases.ts'
import { type ChannelAbilities, type ChannelEnds, withChannel } from './channel/context.ts'
import { hostileCases } from './channel/hostile-cases.ts'
import { processCases } from './channel/process-cases.ts'
import { questionCases } from './channel/question-cases.ts'
import { signingCases } from './channel/signing-cases.ts'
import { subscriptionCases } from './channel/subscription-cases.ts'
import { writingCases } from './channel/writing-cases.ts'
import { bindCases, type ContractCase } from './contract-case.ts'

const CASES = [
  ...questionCases,
  ...closingCases,
  ...answerCases,
  ...writingCases,
  ...subscriptionCases,
  ...signingCases,
  ...hostileCases,
  ...processCases,
]

/**
 * What both ends of every channel must do, as tests for any framework. Each waits up to 50 seconds for what must come.
 *
 * @example
 * for (const { name, run } of channelContract(makeChannel, { remove })) test(name, run)
 *
 * @param makeChannel makes a fresh channel without questions. It is called once for each case.
 */
export const channelContract = <E extends ChannelEnds>(
  makeChannel: () => E | Promise<E>,
  abilities: ChannelAbilities<E> = {},
): ContractCase[] => bindCases(CASES, abilities, (run) => withChannel(makeChannel, abilities, run))

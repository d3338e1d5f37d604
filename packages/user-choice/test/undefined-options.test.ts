import type { Exact } from '@sandagent/fixtures/exact.ts'
import { expect, expectTypeOf, it } from 'vitest'
import {
  createUserChoiceRuntime,
  createUserChoiceTool,
  type RuntimeCall,
  type ToolOperation,
  type UserChoiceRuntimeOptions,
  type UserChoiceToolOptions,
} from '../src/index.ts'

it('every optional field of what a program hands in takes undefined', () => {
  expectTypeOf<
    Exact<RuntimeCall> | Exact<ToolOperation> | Exact<UserChoiceRuntimeOptions> | Exact<UserChoiceToolOptions>
  >().toBeNever()
})

it.each([
  ['createUserChoiceRuntime', createUserChoiceRuntime],
  ['createUserChoiceTool', createUserChoiceTool],
] as [string, (options: never) => unknown][])(
  '%s refuses an option that it does not have',
  async (_, create) => {
    const call = async (): Promise<unknown> => create({ typo: 1 } as never)
    await expect(call()).rejects.toMatchObject({ code: 'INVALID_REQUEST', faults: [{ path: 'typo' }] })
  },
)

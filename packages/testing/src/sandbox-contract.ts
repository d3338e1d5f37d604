import type { RunSandbox } from '@sandagent/sdk'
import { bindCases, type ContractCase } from './contract-case.ts'
import { type SandboxAbilities, withSandbox } from './sandbox/context.ts'
import { cutCases } from './sandbox/cut-cases.ts'
import { detachedCases } from './sandbox/detached-cases.ts'
import { environmentCases } from './sandbox/environment-cases.ts'
import { fileCases } from './sandbox/file-cases.ts'
import { handleCases } from './sandbox/handle-cases.ts'
import { logCases } from './sandbox/log-cases.ts'
import { pathCases } from './sandbox/path-cases.ts'
import { spawnCases } from './sandbox/spawn-cases.ts'
import { watchCases } from './sandbox/watch-cases.ts'
import { writerCases } from './sandbox/writer-cases.ts'

const CASES = [
  ...fileCases,
  ...pathCases,
  ...writerCases,
  ...logCases,
  ...watchCases,
  ...spawnCases,
  ...environmentCases,
  ...detachedCases,
  ...handleCases,
  ...cutCases,
]

/**
 * What every `RunSandbox` must do, as tests for any framework. The cases run programs in the sandbox: `node`, and for one of
 * them `mkfifo`. Each waits up to 50 seconds for what must come.
 *
 * @example
 * for (const { name, run } of sandboxContract(makeSandbox, { remove })) test(name, run)
 *
 * @param makeSandbox makes a fresh sandbox with an empty workdir. It is called once for each case.
 */
export const sandboxContract = <S extends RunSandbox>(
  makeSandbox: () => S | Promise<S>,
  abilities: SandboxAbilities<S> = {},
): ContractCase[] => bindCases(CASES, abilities, (run) => withSandbox(makeSandbox, abilities, run))

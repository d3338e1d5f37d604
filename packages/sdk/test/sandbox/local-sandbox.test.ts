import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sandboxContract } from '@sandagent/testing'
import { describe, it } from 'vitest'
import { type IsolationLevel, LocalSandbox } from '../../src/index.ts'
import { canIsolate } from '../support/isolated.ts'

const contractOf = (isolation: IsolationLevel) => {
  const open = (workdir: string) => new LocalSandbox({ workdir, isolation, onIsolation: () => {} })
  const remove = ({ workdir }: LocalSandbox) => rm(workdir, { recursive: true, force: true, maxRetries: 5 })
  return sandboxContract(async () => open(await realpath(await mkdtemp(join(tmpdir(), 'sandagent-test-')))), {
    remove,
    another: ({ workdir }) => open(workdir),
    loseWorkdir: remove,
  })
}

describe('a LocalSandbox without isolation', () => {
  for (const { name, run } of contractOf('none')) it(name, run)
})

describe.runIf(canIsolate)('a LocalSandbox with isolation', () => {
  for (const { name, run } of contractOf('strict')) it(name, run)
})

import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { canBeOther, OTHER_USER } from '@sandagent/fixtures/other-user.ts'
import type { ContractCase } from '@sandagent/testing'
import { beforeAll, describe, it } from 'vitest'
import { canContain, startContainer } from '../support/park/container.ts'
import { type Place, sandboxCases, storeCases } from '../support/remote/contracts.ts'

const folder = realpathSync(tmpdir())

/** The relay is the same everywhere, so its connection is cut at every message behind the pipe alone. */
const withoutCuts = (place: () => Place): ContractCase[] =>
  sandboxCases(place).filter(({ name }) => !name.includes(' is cut at any message'))

describe('a sandbox behind a pipe', () => {
  for (const { name, run } of sandboxCases(() => ({ folder }))) it(name, run)
})

describe('a channel behind a pipe', () => {
  for (const { name, run } of storeCases(() => ({ folder }))) it(name, run)
})

describe.runIf(canBeOther)('a sandbox whose programs are of another user', () => {
  for (const { name, run } of withoutCuts(() => ({ folder, agentUser: OTHER_USER }))) it(name, run)
})

describe.runIf(canContain)('in a container with namespaces of its own', () => {
  let place: Place = { folder }
  beforeAll(async () => {
    const { enter, stop } = await startContainer()
    place = { folder, through: enter }
    return stop
  })

  describe('a sandbox', () => {
    for (const { name, run } of withoutCuts(() => place)) it(name, run)
  })

  describe('a channel', () => {
    for (const { name, run } of storeCases(() => place)) it(name, run)
  })
})

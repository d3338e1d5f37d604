// Checks the sandbox against its contract: node --test examples/own-sandbox/contract.test.mjs
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sandboxContract } from '@sandagent/testing'
import { createSandbox } from './sandbox.mjs'

const makeSandbox = async () => createSandbox({ folder: await mkdtemp(join(tmpdir(), 'sandbox-')) })
const remove = (/** @type {{ workdir: string }} */ { workdir }) =>
  rm(workdir, { recursive: true, force: true })

const cases = sandboxContract(makeSandbox, {
  remove,
  loseWorkdir: remove,
  another: ({ workdir }) => createSandbox({ folder: workdir }),
})
for (const { name, run } of cases) test(name, run)

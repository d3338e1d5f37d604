import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'
import {
  createFileHostChannel,
  createFileRunnerChannel,
  createLocalFiles,
  type SandboxFiles,
} from '../../../src/index.ts'
import { answerFileFor, openRecord } from '../../records.ts'

const answerOf = (answeredBy: string) =>
  answerFileFor('toolu_1', { status: 'completed', nonce: 'nonce', revision: 1, answeredBy })

it('a host learns who was first when another host claims the final answer just before it', async () => {
  const workdir = await tempDir()
  await createFileRunnerChannel({ workdir }).open(openRecord('toolu_1'))
  // Each host has files of its own, as each process has.
  const filesOf = (): SandboxFiles => ({ ...createLocalFiles(workdir), id: undefined })
  const rival = createFileHostChannel({ files: filesOf() })
  const own = filesOf()
  const slow = createFileHostChannel({
    files: {
      ...own,
      async writeAtomic(...written) {
        await rival.write(answerOf('ada'), { expectedRevision: 0 })
        return own.writeAtomic(...written)
      },
    },
  })
  await expect(slow.write(answerOf('ben'), { expectedRevision: 0 })).rejects.toMatchObject({
    code: 'CONFLICT',
    facts: { answeredBy: 'ada', status: 'completed' },
  })
  expect(
    JSON.parse(await readFile(join(workdir, '.sandagent/approvals/toolu_1.json'), 'utf8')),
  ).toMatchObject({ answeredBy: 'ada' })
})

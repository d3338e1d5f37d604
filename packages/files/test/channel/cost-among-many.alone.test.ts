import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, vi } from 'vitest'
import {
  answerFilePath,
  createFileHostChannel,
  createFileRunnerChannel,
  createLocalFiles,
  questionRecordPath,
} from '../../src/internal.ts'
import { answerFileFor, openRecord } from '../records.ts'

/** What takes longer the more files a folder has: Linux visits those that it has in memory when a watch of it begins. */
const counts = vi.hoisted(() => ({ watches: 0, lists: 0 }))

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const watch = (...args: Parameters<typeof fs.watch>) => {
    counts.watches++
    return fs.watch(...args)
  }
  const opendir: typeof fs.promises.opendir = (...args) => {
    counts.lists++
    return fs.promises.opendir(...args)
  }
  return { ...fs, watch, promises: { ...fs.promises, opendir } }
})

vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>()
  const readdir = (...args: Parameters<typeof fs.readdir>) => {
    counts.lists++
    return fs.readdir(...args)
  }
  return { ...fs, readdir }
})

/** A folder with questions that ended. */
async function folderWith(stored: number): Promise<string> {
  const workdir = await tempDir()
  for (const [id, path] of [answerFilePath, questionRecordPath].entries())
    await mkdir(dirname(join(workdir, path(`${id}`))), { recursive: true })
  const names = Array.from({ length: stored }, (_, n) => `old-${n}`)
  for (const path of [answerFilePath, questionRecordPath])
    await Promise.all(names.map((name) => writeFile(join(workdir, path(name)), '{}')))
  return workdir
}

it.runIf(process.platform === 'linux')(
  'a question begins no watch and lists no folder, however many are stored',
  async () => {
    for (const stored of [200, 5000]) {
      const workdir = await folderWith(stored)
      const clock = createFakeClock()
      // A sweep lists them once an hour.
      const options = { sweepAfterMs: false, clock } as const
      const runner = createFileRunnerChannel({ workdir, ...options })
      const host = createFileHostChannel({ files: createLocalFiles(workdir), ...options })
      const ask = async (toolCallId: string): Promise<void> => {
        await runner.open(openRecord(toolCallId))
        const answers = runner.subscribe(toolCallId)
        const answered = answers.next()
        await vi.waitFor(() => expect(clock.pending()).toBe(2))
        // The record is looked after meanwhile.
        clock.advance(1000)
        await host.read(toolCallId)
        await host.write(answerFileFor(toolCallId, { nonce: 'nonce' }), { expectedRevision: 0 })
        expect(await answered).toMatchObject({ status: 'completed' })
        answers.close()
        await runner.settle(toolCallId, { state: 'answered', responses: {}, settledAt: 'now' })
      }
      // The first one looks for what killed programs left behind.
      await ask('first')
      const before = { ...counts }
      for (let n = 0; n < 20; n++) await ask(`next-${n}`)
      expect(counts).toEqual(before)
    }
  },
)

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  answerFilePath,
  createFileHostChannel,
  createFileRunnerChannel,
  createLocalFiles,
} from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { answerFileFor, openRecord } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

const SCRIPT = fileURLToPath(new URL('../support/programs/draft-and-freeze.mjs', import.meta.url))

/** A question whose final answer is published while another host is frozen before it writes a draft. */
async function frozenDraft() {
  const workdir = await tempDir()
  const runner = createFileRunnerChannel({ workdir })
  await runner.open(openRecord('t1'))
  const frozen = spawn(process.execPath, [SCRIPT, workdir, 't1'], { stdio: 'ignore' })
  onTestFinished(() => void frozen.kill('SIGKILL'))
  await vi.waitFor(async () => expect(await stateOf(frozen)).toBe('T'))
  const host = createFileHostChannel({ files: createLocalFiles(workdir) })
  const final = answerFileFor('t1', { status: 'completed' })
  await host.write(final, { expectedRevision: 0 })
  const shown = async () => JSON.parse(await readFile(join(workdir, answerFilePath('t1')), 'utf8')).status
  const thaw = async (): Promise<void> => {
    const gone = once(frozen, 'exit')
    frozen.kill('SIGCONT')
    await gone
  }
  return { runner, host, final, shown, thaw }
}

/** The letter by which Linux tells what a process does: `T` when it is stopped. */
async function stateOf({ pid }: ChildProcess): Promise<string | undefined> {
  return /\) (\w)/.exec(await readFile(`/proc/${pid}/stat`, 'utf8'))?.[1]
}

describe.runIf(process.platform === 'linux')(
  'the draft of a frozen host that comes after a final answer',
  () => {
    it('is no answer for any reader, and the final one is put back by the first host that looks', async () => {
      const { runner, host, final, shown, thaw } = await frozenDraft()
      await thaw()
      expect(await shown()).toBe('pending')
      expect(await runner.read('t1')).toEqual(final)
      expect((await host.read('t1')).answerFile).toEqual(final)
      expect(await shown()).toBe('completed')
    })

    it('is replaced by a host that follows the question, without being asked', async () => {
      const { host, final, shown, thaw } = await frozenDraft()
      const stop = new AbortController()
      const seen: unknown[] = []
      const following = (async () => {
        for await (const { answerFile } of host.subscribe(stop.signal, 't1')) seen.push(answerFile)
      })()
      await vi.waitFor(() => expect(seen).toEqual([final]))
      await thaw()
      await vi.waitFor(async () => expect(await shown()).toBe('completed'))
      stop.abort()
      await following
      expect(seen).toEqual([final])
    })
  },
)

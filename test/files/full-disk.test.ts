import { readdir, readFile, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChannelWarning } from '@sandagent/core'
import { answerFilePath, createFileRunnerChannel } from '@sandagent/files'
import { askUser, receiptsWritten } from '@sandagent/runner'
import { createAnswerHandler, LocalSandbox, listQuestions, type Run, readRun, startRun } from '@sandagent/sdk'
import { openRecord } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { questionFile } from '../support/question-files.ts'
import { post, serve } from '../support/servers/serve.ts'
import { canMount, smallDisk } from '../support/small-disk.ts'

const questions = [{ id: 'q1', question: 'Which language?', options: [{ label: 'A' }, { label: 'B' }] }]
const answer = { toolCallId: 't1', status: 'completed', responses: { q1: { selected: ['A'] } } }
const answered = { kind: 'answered', responses: { q1: { selected: ['A'] } } }

/** A workdir on a disk of its own, and the answer API of its host. */
async function host() {
  const disk = await smallDisk()
  const sandbox = new LocalSandbox({ workdir: disk.folder, isolation: 'none', onIsolation: () => {} })
  const channel = createFileRunnerChannel({ workdir: disk.folder })
  const url = await serve(createAnswerHandler({ sandbox, signingKeys: null, onError: () => {} }))
  /** Sends the answer; resolves to the status. */
  const send = async (): Promise<number> => (await post(url, answer)).status
  const inApprovals = (): Promise<string[]> => readdir(join(disk.folder, '.sandagent/approvals'))
  /** Asks as an agent does. */
  const ask = async (onWarning?: (warning: ChannelWarning) => void) => {
    const outcome = askUser(channel, { toolCallId: 't1', questions, runId: 'run-1' }, { onWarning })
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
    return { outcome }
  }
  return { disk, channel, send, inApprovals, ask }
}

describe.runIf(canMount)('on a full disk', () => {
  it('an answer that does not fit is not acknowledged, and is delivered once there is space', async () => {
    const { disk, send, inApprovals, ask } = await host()
    const { outcome } = await ask()
    disk.fill(0)
    expect([await send(), await send()]).toEqual([503, 503])
    expect(await inApprovals()).toEqual([])
    expect((await questionFile(disk.folder, 't1')).state).toBe('open')

    disk.free()
    expect(await send()).toBe(200)
    expect(await outcome).toMatchObject(answered)
    await receiptsWritten()
    expect((await questionFile(disk.folder, 't1')).state).toBe('answered')
  })

  it('a claim whose file does not fit is not acknowledged, reaches our runner, and is published later', async () => {
    const { disk, channel, send, inApprovals } = await host()
    await channel.open(openRecord('t1', { questions }))
    expect(await send()).toBe(200)
    // As a host leaves it that was stopped between the claim and the file.
    await rm(join(disk.folder, answerFilePath('t1')))
    disk.fill(0)
    expect([await send(), await send()]).toEqual([503, 503])
    expect(await inApprovals()).toEqual(['.t1.final'])
    expect(await channel.read('t1')).toMatchObject({ status: 'completed' })

    disk.free()
    expect(await send()).toBe(200)
    const published = await readFile(join(disk.folder, answerFilePath('t1')), 'utf8')
    expect(JSON.parse(published)).toMatchObject({ status: 'completed', responses: answer.responses })
  })

  it('the agent gets an answer whose receipt does not fit, and the receipt is written once there is space', async () => {
    const { disk, send, ask } = await host()
    const warnings: ChannelWarning[] = []
    const { outcome } = await ask((warning) => warnings.push(warning))
    // Space for the answer alone.
    disk.fill(1)
    const status = send()
    expect(await outcome).toMatchObject(answered)
    expect(await status).toBe(200)
    await vi.waitFor(() => expect(warnings).toMatchObject([{ toolCallId: 't1' }]))
    expect((await questionFile(disk.folder, 't1')).state).toBe('open')

    disk.free()
    await receiptsWritten()
    expect((await questionFile(disk.folder, 't1')).state).toBe('answered')
  })
})

describe.runIf(canMount)('a run whose disk gets full', () => {
  it('says that the disk is full, at once and after there is space again', async () => {
    const disk = await smallDisk()
    const sandbox = new LocalSandbox({ workdir: disk.folder, isolation: 'none' })
    const failures: unknown[] = []
    const run = await new Promise<Run>((resolve, reject) => {
      startRun(
        sandbox,
        {
          agent: 'command',
          args: ['--', 'yes', 'A line that takes space'],
          prompt: '',
          runId: 'r',
          runner: [process.execPath, join(root, 'packages/cli/dist/main.js')],
        },
        { signingKeys: null, onEnd: resolve, onError: (error) => void failures.push(error) },
      ).catch(reject)
    })
    const reason = expect.stringContaining('disk is full')
    expect(run).toMatchObject({ state: 'crashed', reason, exitCode: 74 })
    expect(failures).toMatchObject([{ code: 'ENOSPC' }])
    await truncate(join(disk.folder, '.sandagent/runs/r/1/stream.sse'))
    await vi.waitFor(async () =>
      expect(await readRun(sandbox, 'r')).toMatchObject({ state: 'crashed', reason, exitCode: 74 }),
    )
  })
})

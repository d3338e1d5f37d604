import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Outcome } from '@sandagent/core'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { answerFile, questionFile } from '../support/question-files.ts'
import { post } from '../support/servers/serve.ts'
import { bundledProgram } from './bundled-program.ts'
import { answerOf, asked } from './question.ts'
import { type Part, startPart } from './start-part.ts'

const answeredA = { kind: 'answered', responses: answerOf('A').responses }

let folder: string
let program: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandagent-test-'))
  program = await bundledProgram('part.mjs', folder)
})
afterAll(() => rm(folder, { recursive: true }))

/** A runner whose question waits. */
async function asking(
  workdir: string,
  options: { timeoutMs?: number; blockMs?: number } = {},
): Promise<Part> {
  const runner = startPart(program, 'runner', workdir, { request: asked, ...options })
  await runner.says('asked')
  return runner
}

const answer = async (url: string): Promise<number> => (await post(url, answerOf('A'))).status

describe('an answered question', () => {
  /** `-` kills. The answer is sent where it says so; a last runner asks again, as after a crash. */
  const ORDERS = [
    'runner host answer -runner -host runner',
    'runner -runner host answer -host runner',
    'runner host -runner answer runner -host',
    'host runner -runner runner answer -host',
  ]
  it.each(ORDERS)(
    'reaches the agent, once, in whatever order its processes are killed: %s',
    async (order) => {
      const workdir = await tempDir()
      let [runner, host, url]: [Part?, Part?, string?] = []
      for (const step of order.split(' ')) {
        if (step === 'runner') runner = startPart(program, 'runner', workdir, { request: asked })
        else if (step === '-runner') await (await waiting(runner)).kill('SIGKILL')
        else if (step === '-host') await host?.kill('SIGKILL')
        else if (step === 'host') {
          host = startPart(program, 'host', workdir)
          url = await host.says<string>('url')
        } else {
          await vi.waitFor(() => questionFile(workdir, 't1'))
          expect(await answer(url as string)).toBe(200)
        }
      }
      const last = startPart(program, 'runner', workdir, { request: asked })
      expect(await outcomeOf(last)).toMatchObject(answeredA)
      expect(await answerFile(workdir, 't1')).toMatchObject({ status: 'completed', ...answerOf('A') })
    },
  )

  /** A runner that is killed here has asked, or has got its answer. */
  async function waiting(runner: Part | undefined): Promise<Part> {
    if (runner === undefined) throw new Error('No runner was started')
    await runner.says('asked').catch(() => {})
    return runner
  }

  /** What a runner ends with, whether it has asked anew or found the answer. */
  async function outcomeOf(runner: Part): Promise<Outcome> {
    return runner.says<Outcome>('outcome').catch(() => runner.says<Outcome>('outcome'))
  }
})

describe('50 people in 4 processes who answer one question at once', () => {
  it('are told who won, all the same, and the agent gets that answer', async () => {
    const workdir = await tempDir()
    const runner = await asking(workdir)
    const texts = Array.from({ length: 50 }, (_, n) => `Answer ${n}`)
    const processes = [0, 13, 26, 38].map((first, n, all) => {
      const mine = texts.slice(first, all[n + 1])
      const answers = mine.map((text) => ({
        toolCallId: 't1',
        status: 'completed',
        responses: { q1: { selected: [], freeText: text, source: 'human' } },
      }))
      return startPart(program, 'people', workdir, { answers })
    })
    const codes = (await Promise.all(processes.map((people) => people.says<string[]>('codes')))).flat()
    expect(codes).toHaveLength(50)
    expect(codes.filter((code) => code === 'stored')).toHaveLength(1)
    expect(codes.filter((code) => code === 'CONFLICT')).toHaveLength(49)
    const winner = texts[codes.indexOf('stored')]
    const responses = { q1: { freeText: winner } }
    expect(await runner.says('outcome')).toMatchObject({ kind: 'answered', responses })
    expect(await answerFile(workdir, 't1')).toMatchObject({ responses })
  })
})

describe('two runners that ask with one id', () => {
  it('both get the one answer', async () => {
    const workdir = await tempDir()
    const runners = [await asking(workdir), await asking(workdir)]
    const host = startPart(program, 'host', workdir)
    expect(await answer(await host.says('url'))).toBe(200)
    for (const runner of runners) expect(await runner.says('outcome')).toMatchObject(answeredA)
  })
})

describe('an answer that is acknowledged while its runner does not run', () => {
  const TIMEOUT_MS = 2000

  it('reaches the runner past its deadline, after its event loop was blocked', async () => {
    const workdir = await tempDir()
    const host = startPart(program, 'host', workdir)
    const url = await host.says<string>('url')
    const runner = await asking(workdir, { timeoutMs: TIMEOUT_MS, blockMs: 2 * TIMEOUT_MS })
    await runner.says('blocked')
    const status = await answer(url)
    expectAsTold(status, await runner.says<Outcome>('outcome'))
  })

  it.skipIf(process.platform === 'win32')('reaches the runner past its deadline, after SIGSTOP', async () => {
    const workdir = await tempDir()
    const host = startPart(program, 'host', workdir)
    const url = await host.says<string>('url')
    const runner = await asking(workdir, { timeoutMs: TIMEOUT_MS })
    await runner.kill('SIGSTOP')
    const status = await answer(url)
    const { deadline } = await questionFile(workdir, 't1')
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(Date.parse(`${deadline}`)))
    await runner.kill('SIGCONT')
    expectAsTold(status, await runner.says<Outcome>('outcome'))
  })

  /** On a slow machine the answer may come too late. The person is told so then. */
  function expectAsTold(status: number, outcome: Outcome): void {
    if (status === 200) expect(outcome).toMatchObject(answeredA)
    else expect([status, outcome.kind]).toEqual([410, 'timed-out'])
  }
})

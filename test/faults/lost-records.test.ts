import { execFileSync } from 'node:child_process'
import { access, cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChannelWarning, Outcome } from '@sandagent/core'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { type AskOptions, askUser, receiptsWritten } from '@sandagent/runner'
import { createAnswerHandler, LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { questionFile } from '../support/question-files.ts'
import { post, serve } from '../support/servers/serve.ts'

const questions = [{ id: 'q1', question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }]
const answerTo = (toolCallId: string) => ({
  toolCallId,
  status: 'completed' as const,
  responses: { q1: { selected: ['A'], source: 'human' as const } },
})
const answered = { kind: 'answered', responses: { q1: { selected: ['A'] } } }

const hostOf = (workdir: string): LocalSandbox => new LocalSandbox({ workdir, isolation: 'none' })

const git = (workdir: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e', ...args], {
    cwd: workdir,
    encoding: 'utf8',
  })

async function repository(): Promise<string> {
  const workdir = await tempDir()
  git(workdir, 'init', '-q')
  git(workdir, 'commit', '-q', '--allow-empty', '-m', 'first')
  return workdir
}

/** An agent that asks, by a clock that the test moves. */
function agentIn(workdir: string) {
  const clock = createFakeClock()
  const warnings: ChannelWarning[] = []
  const channel = createFileRunnerChannel({ workdir, clock, onWarning: (each) => warnings.push(each) })
  const ask = (toolCallId: string, options: AskOptions = {}): Promise<{ outcome: Promise<Outcome> }> =>
    new Promise((resolve, reject) => {
      const outcome = askUser(
        channel,
        { toolCallId, runId: 'run-1', questions },
        { ...options, onAsked: () => resolve({ outcome }) },
      )
      outcome.catch(reject)
    })
  /** Lets time pass until it is so. */
  const until = (check: () => Promise<void>): Promise<void> =>
    vi.waitFor(async () => {
      clock.advance(1000)
      await check()
    })
  /** Lets time pass until the agent has its answer. */
  const ending = async (outcome: Promise<Outcome>): Promise<Outcome | undefined> => {
    let ended: Outcome | undefined
    const noted = outcome.then((value) => {
      ended = value
    })
    await until(async () => expect(ended).toBeDefined())
    await noted
    return ended
  }
  return { clock, warnings, ask, until, ending }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

const CLEANERS: Record<string, (workdir: string) => unknown> = {
  'git clean -fdx': (workdir) => git(workdir, 'clean', '-fdxq'),
  'git stash -a': (workdir) => git(workdir, 'stash', '-aq'),
  'rm -rf .sandagent/questions': (workdir) => rm(join(workdir, '.sandagent/questions'), { recursive: true }),
  'rm -rf .sandagent': (workdir) => rm(join(workdir, '.sandagent'), { recursive: true }),
  'rm of one file': (workdir) => rm(join(workdir, '.sandagent/questions/t1.json')),
}

describe('the record of a question that waits', () => {
  it.each(Object.keys(CLEANERS))(
    'is written again after %s, with a warning, and is answered',
    async (name) => {
      const workdir = await repository()
      const url = await serve(
        createAnswerHandler({
          sandbox: hostOf(workdir),
          signingKeys: null,
          authorize: () => true,
          onError() {},
        }),
      )
      const { warnings, ask, until, ending } = agentIn(workdir)
      const { outcome } = await ask('t1')
      const { nonce } = await questionFile(workdir, 't1')
      await CLEANERS[name]?.(workdir)
      expect([404, 503]).toContain((await post(url, answerTo('t1'))).status)
      await until(async () =>
        expect(await questionFile(workdir, 't1')).toMatchObject({ nonce, state: 'open' }),
      )
      await vi.waitFor(() =>
        expect(warnings).toMatchObject([
          { code: 'LOST_RECORD', toolCallId: 't1', message: expect.stringContaining('git clean -x') },
        ]),
      )
      expect((await post(url, answerTo('t1'))).status).toBe(200)
      expect(await ending(outcome)).toMatchObject(answered)
      await receiptsWritten()
    },
  )

  it.each([
    ['clean', '-fdq'],
    ['stash', '-uq'],
    ['add', '.'],
  ])('is not touched by git %s %s, which ignores its folder', async (...args) => {
    const workdir = await repository()
    const { ask, clock, ending } = agentIn(workdir)
    const { outcome } = await ask('t1')
    git(workdir, ...args)
    expect(git(workdir, 'status', '--porcelain')).toBe('')
    expect(await questionFile(workdir, 't1')).toMatchObject({ state: 'open' })
    await submitAnswer(hostOf(workdir), answerTo('t1'), { signingKeys: null })
    expect(await ending(outcome)).toMatchObject(answered)
    await receiptsWritten()
    expect(clock.pending()).toBe(0)
  })

  it('is written again with those of many others', async () => {
    const workdir = await tempDir()
    const { warnings, ask, until, ending } = agentIn(workdir)
    const ids = Array.from({ length: 60 }, (_, n) => `t${n}`)
    const outcomes = (await Promise.all(ids.map((id) => ask(id)))).map(({ outcome }) => outcome)
    await rm(join(workdir, '.sandagent'), { recursive: true })
    await until(async () => expect(await listQuestions(hostOf(workdir))).toHaveLength(60))
    await vi.waitFor(() => expect(warnings).toHaveLength(60))
    for (const id of ids) await submitAnswer(hostOf(workdir), answerTo(id), { signingKeys: null })
    for (const outcome of outcomes) expect(await ending(outcome)).toMatchObject(answered)
    await receiptsWritten()
  })

  it('does not bring back a workdir that is gone', async () => {
    const workdir = join(await tempDir(), 'workdir')
    const { clock, ask } = agentIn(workdir)
    const detach = new AbortController()
    const { outcome } = await ask('t1', { detachSignal: detach.signal })
    await rm(workdir, { recursive: true })
    for (let seconds = 0; seconds < 5; seconds++) {
      await clock.whenPending(2)
      clock.advance(1000)
    }
    expect(await isThere(workdir)).toBe(false)
    detach.abort()
    expect(await outcome).toMatchObject({ kind: 'aborted' })
    expect(clock.pending()).toBe(0)
  })
})

describe('a copy', () => {
  it('of a workdir says that nobody waits for an answer there, and the agent is answered in its own', async () => {
    const [workdir, folder] = [await tempDir(), await tempDir()]
    const { ask, ending } = agentIn(workdir)
    const { outcome } = await ask('t1')
    const copy = join(folder, 'copy')
    execFileSync('cp', ['-a', workdir, copy])
    expect(await listQuestions(hostOf(copy))).toMatchObject([{ toolCallId: 't1', runEnded: true }])
    const [own] = await listQuestions(hostOf(workdir))
    expect(own).toMatchObject({ toolCallId: 't1', state: 'open' })
    expect(own).not.toHaveProperty('runEnded')
    await submitAnswer(hostOf(workdir), answerTo('t1'), { signingKeys: null })
    expect(await ending(outcome)).toMatchObject(answered)
    await receiptsWritten()
  })

  it('that is put back in the place of the state folder asks nothing twice, and loses nothing that waits', async () => {
    const [workdir, folder] = [await tempDir(), await tempDir()]
    const [state, backup] = [join(workdir, '.sandagent'), join(folder, 'backup')]
    const { ask, until, ending } = agentIn(workdir)
    const earlier = await ask('earlier')
    const waiting = await ask('waiting')
    await cp(state, backup, { recursive: true })
    await submitAnswer(hostOf(workdir), answerTo('earlier'), { signingKeys: null })
    expect(await ending(earlier.outcome)).toMatchObject(answered)
    await receiptsWritten()
    const later = await ask('later')
    await rm(state, { recursive: true })
    execFileSync('cp', ['-a', backup, state])
    const endedIn = async (): Promise<unknown> =>
      Object.fromEntries(
        (await listQuestions(hostOf(workdir))).map(({ toolCallId, runEnded = false }) => [
          toolCallId,
          runEnded,
        ]),
      )
    await until(async () => expect(await endedIn()).toEqual({ earlier: true, waiting: false, later: false }))
    for (const id of ['waiting', 'later'])
      await submitAnswer(hostOf(workdir), answerTo(id), { signingKeys: null })
    expect(await ending(waiting.outcome)).toMatchObject(answered)
    expect(await ending(later.outcome)).toMatchObject(answered)
    await receiptsWritten()
  })
})

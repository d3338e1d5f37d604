import { chmod, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  type AnswerFile,
  describeOutcome,
  type Outcome,
  type QuestionRecord,
  type QuestionResponse,
  questionDigestOf,
  type Responses,
} from '@sandagent/core/internal'
import { sealSecret } from '@sandagent/core/secret'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type AskOptions,
  type AskRequest,
  askUser,
  handOverSecret,
  receiptsWritten,
  takeSecret,
} from '../../../src/index.ts'
import { createWorkspace, typed, type Workspace } from '../../workspace.ts'

const SECRET = 'correct horse battery staple'
const request: AskRequest = {
  toolCallId: 'call_1',
  runId: 'run_1',
  questions: [
    { id: 'user', question: 'Which user?' },
    { id: 'token', question: 'The token?', secret: true },
  ],
}

let space: Workspace
let folder: string
let withdraw: AbortController
beforeEach(async () => {
  space = await createWorkspace()
  withdraw = new AbortController()
  const state = await tempDir()
  vi.stubEnv('XDG_STATE_HOME', state)
  folder = join(state, 'sandagent/secrets')
})

const kept = (): Promise<string[]> => readdir(folder).catch(() => [])

const ask = (
  options: AskOptions = {},
  changed: Partial<AskRequest> = {},
  channel = space.channel,
  seen = (_: QuestionRecord): void => {},
) =>
  new Promise<{ outcome: Promise<Outcome>; record: QuestionRecord }>((resolve, reject) => {
    const onAsked = (record: QuestionRecord): void => {
      seen(record)
      resolve({ outcome, record })
    }
    const outcome = askUser(channel, { ...request, ...changed }, { ...options, onAsked })
    outcome.catch(reject)
  })

async function sealedFor(record: QuestionRecord, text = SECRET): Promise<Responses> {
  const { secret } = record.questions.find(({ id }) => id === 'token') ?? {}
  const place = {
    toolCallId: record.toolCallId,
    questionId: 'token',
    questionDigest: questionDigestOf(record),
  }
  const sealed = await sealSecret(text, (secret as { publicKey: string }).publicKey, place)
  return { user: typed('me'), token: { selected: [], sealed, source: 'human' } }
}

const sealedIn = (response: Responses[string] | undefined): string =>
  (response && 'sealed' in response && response.sealed) || ''

const withOtherWords = (record: QuestionRecord): QuestionRecord => ({
  ...record,
  questions: record.questions.map((question) => ({ ...question, header: 'Other' })),
})

const give = (record: QuestionRecord, responses: Responses, extra: Partial<AnswerFile> = {}): Promise<void> =>
  space.respond(record.toolCallId, responses, { questionDigest: questionDigestOf(record), ...extra })

describe('a secret', () => {
  it('is given once, to whoever has its id, and never in the outcome', async () => {
    const { outcome, record } = await ask()
    await give(record, await sealedFor(record))
    const given = await outcome
    const id = given.secrets?.token as string
    expect(given).toMatchObject({ kind: 'answered', unanswered: [], answers: { user: 'me' } })
    expect(describeOutcome(given)).toContain(
      `- "The token?": given as a secret. You cannot see it. A command gets it once, on its standard input: npx sandagent secret ${id} -- COMMAND`,
    )
    expect(JSON.stringify(given)).not.toMatch(/correct|sealed/)
    const taken = await Promise.allSettled([takeSecret(id), takeSecret(id)])
    expect(taken.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(taken).toContainEqual({ status: 'fulfilled', value: SECRET })
    await expect(takeSecret(id)).rejects.toMatchObject({ code: 'GONE' })
    expect(await kept()).toEqual([])
  })

  it('lies nowhere as it is, and its key is for this user alone', async () => {
    const { outcome, record } = await ask()
    await give(record, await sealedFor(record))
    await outcome
    const [name = ''] = await kept()
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
    expect(await readFile(join(folder, name), 'utf8')).not.toContain('correct')
  })

  it('has a key of the runner, whatever the asker writes', async () => {
    const foreign = `B${'A'.repeat(86)}`
    const questions = [{ id: 'token', question: 'The token?', secret: { publicKey: foreign } }]
    const { record } = await ask({}, { questions })
    expect(record.questions[0]?.secret).toEqual({ publicKey: expect.not.stringContaining(foreign) })
    expect(record.questions[0]?.allowFreeText).toBe(false)
  })

  it('cannot be read before it is given, nor by an id that is none', async () => {
    await ask()
    const [name = ''] = await kept()
    await expect(takeSecret(name.replace('.json', ''))).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(takeSecret('../../x')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    await expect(takeSecret('0123456789abcdef')).rejects.toMatchObject({ code: 'GONE' })
    expect(await kept()).toHaveLength(1)
  })

  it('stays if nobody took it, and says what went wrong first if it cannot', async () => {
    const { outcome, record } = await ask()
    await give(record, await sealedFor(record))
    const id = (await outcome).secrets?.token as string
    const fail = async (): Promise<never> => {
      throw new Error('no such command')
    }
    await expect(handOverSecret(id, fail)).rejects.toThrow(/^no such command$/)
    const failToKeep = async (): Promise<never> => {
      await rm(folder, { recursive: true })
      await writeFile(folder, '')
      return fail()
    }
    const lost = expect(handOverSecret(id, failToKeep)).rejects
    await lost.toThrow(/^no such command\. The secret could not be kept \(.*\), so it is lost: ask again$/)
  })

  it.each<[string, Partial<AskOptions>, (record: QuestionRecord) => unknown]>([
    ['declined', {}, (record) => give(record, {}, { status: 'declined' })],
    ['left out', {}, (record) => give(record, { user: typed('me'), token: { skipped: true } })],
    ['not given in time', { timeoutMs: 1 }, () => {}],
    ['withdrawn', {}, () => withdraw.abort()],
  ])('leaves no key behind when it is %s', async (_, options, act) => {
    const { outcome, record } = await ask({ signal: withdraw.signal, ...options })
    await act(record)
    expect((await outcome).secrets).toBeUndefined()
    expect(await kept()).toEqual([])
  })

  it('sealed for one question is no answer to another', async () => {
    const warned = vi.fn()
    const first = await ask()
    const second = await ask({ onWarning: warned }, { toolCallId: 'call_2' })
    await give(second.record, await sealedFor(first.record))
    await vi.waitFor(() =>
      expect(warned).toHaveBeenCalledWith(expect.objectContaining({ code: 'INVALID_ANSWERS' })),
    )
    expect((await space.record('call_2')).state).toBe('open')
  })

  it.each<[string, (record: QuestionRecord) => Promise<string>]>([
    [
      'sealed for another question with its key id',
      async (record) => {
        const other = await ask({}, { toolCallId: 'call_2' })
        return (
          sealedIn((await sealedFor(record)).token).slice(0, 16) +
          sealedIn((await sealedFor(other.record)).token).slice(16)
        )
      },
    ],
    [
      'sealed for its key and other words',
      async (record) => sealedIn((await sealedFor(withOtherWords(record))).token),
    ],
    [
      'sealed for another call with its key',
      async (record) => sealedIn((await sealedFor({ ...record, toolCallId: 'call_3' })).token),
    ],
  ])('%s is no answer: the person is asked again, with a new key', async (_, sealedSo) => {
    const [warned, onAsked] = [vi.fn(), vi.fn()]
    const { outcome, record } = await ask({ onWarning: warned }, {}, space.channel, onAsked)
    const sealed = await sealedSo(record)
    const before = await kept()
    await give(record, { user: typed('me'), token: { selected: [], sealed, source: 'human' } })
    const again = await vi.waitFor(async () => {
      const now = await space.record('call_1')
      expect([now.nonce === record.nonce, now.state]).toEqual([false, 'open'])
      return now
    })
    expect(again.questions[1]?.secret).not.toEqual(record.questions[1]?.secret)
    await vi.waitFor(() => expect(onAsked.mock.calls).toEqual([[record], [again]]))
    expect(warned).toHaveBeenCalledWith(expect.objectContaining({ code: 'INVALID_ANSWERS' }))
    await vi.waitFor(async () => expect(await kept()).toHaveLength(before.length))
    await give(again, await sealedFor(again))
    expect(await takeSecret((await outcome).secrets?.token as string)).toBe(SECRET)
  })

  it('that fits no question is asked for again after a restart, too', async () => {
    const stop = new AbortController()
    const first = await ask({ detachSignal: stop.signal })
    const { token } = await sealedFor({ ...first.record, toolCallId: 'call_3' })
    stop.abort()
    await first.outcome
    await give(first.record, { user: typed('me'), token: token as QuestionResponse })
    const { outcome } = await ask({}, {}, createFileRunnerChannel({ workdir: space.workdir }))
    const again = await vi.waitFor(async () => {
      const now = await space.record('call_1')
      expect(now.nonce).not.toBe(first.record.nonce)
      return now
    })
    await give(again, await sealedFor(again))
    expect(await takeSecret((await outcome).secrets?.token as string)).toBe(SECRET)
    expect(await kept()).toEqual([])
  })

  it('is refused by the runner if the question had another key for the person', async () => {
    const { outcome, record } = await ask({ timeoutMs: 200, timeoutPolicy: 'decline' })
    const other = await ask({}, { toolCallId: 'call_2' })
    const swapped = { ...record, questions: other.record.questions }
    await give(swapped, await sealedFor(swapped))
    expect(await outcome).toMatchObject({ kind: 'timed-out' })
  })
})

describe('after a restart', () => {
  const leave = async () => {
    const stop = new AbortController()
    const { outcome, record } = await ask({ detachSignal: stop.signal })
    stop.abort()
    expect(await outcome).toMatchObject({ kind: 'aborted' })
    return record
  }

  it('the question keeps its key, and what was given meanwhile counts', async () => {
    const record = await leave()
    await give(record, await sealedFor(record))
    const again = await ask({}, {}, createFileRunnerChannel({ workdir: space.workdir }))
    expect(again.record.nonce).toBe(record.nonce)
    expect(await takeSecret((await again.outcome).secrets?.token as string)).toBe(SECRET)
  })

  it('without the key, the question is asked again, and an answer to the old key is none', async () => {
    const record = await leave()
    await give(record, await sealedFor(record))
    vi.stubEnv('XDG_STATE_HOME', await tempDir())
    const again = await ask({}, {}, createFileRunnerChannel({ workdir: space.workdir }))
    expect(again.record.nonce).not.toBe(record.nonce)
    await give(again.record, await sealedFor(again.record, 'typed again'))
    expect(await takeSecret((await again.outcome).secrets?.token as string)).toBe('typed again')
  })

  it('without the key when the answer comes, the question is asked again', async () => {
    const warned = vi.fn()
    const { outcome, record } = await ask({ onWarning: warned })
    await rm(folder, { recursive: true })
    await give(record, await sealedFor(record))
    const again = await vi.waitFor(async () => {
      const now = await space.record('call_1')
      expect(now.nonce).not.toBe(record.nonce)
      return now
    })
    expect(warned).toHaveBeenCalledWith(expect.objectContaining({ code: 'INVALID_ANSWERS' }))
    await give(again, await sealedFor(again, 'typed again'))
    expect(await takeSecret((await outcome).secrets?.token as string)).toBe('typed again')
  })

  it.each([1, 2])(
    'start %s of a program asks again for a secret that an earlier one has read',
    async (starts) => {
      for (let start = 0; start <= starts; start++) {
        const channel = createFileRunnerChannel({ workdir: space.workdir })
        const before = await channel.recordOf('call_1')
        const asked = ask({ asksWithdrawn: true }, {}, channel)
        const record = await vi.waitFor(async () => {
          const now = await space.record('call_1')
          expect([now.state, now.nonce === before?.nonce]).toEqual(['open', false])
          return now
        })
        await give(record, await sealedFor(record, `typed ${start}`))
        const { secrets } = await (await asked).outcome
        await receiptsWritten()
        expect(await takeSecret(secrets?.token as string)).toBe(`typed ${start}`)
      }
    },
  )

  it('start again before a secret was read, a program gets it', async () => {
    const { outcome, record } = await ask({ asksWithdrawn: true })
    await give(record, await sealedFor(record))
    await outcome
    await receiptsWritten()
    const channel = createFileRunnerChannel({ workdir: space.workdir })
    const { secrets } = await (await ask({ asksWithdrawn: true }, {}, channel)).outcome
    expect(await takeSecret(secrets?.token as string)).toBe(SECRET)
  })

  it('an outcome stays the same, and its secret can be read if it was not', async () => {
    const { outcome, record } = await ask()
    await give(record, await sealedFor(record))
    const first = await outcome
    const second = await (await ask({}, {}, createFileRunnerChannel({ workdir: space.workdir }))).outcome
    expect(second.secrets).toEqual(first.secrets)
    expect(await takeSecret(second.secrets?.token as string)).toBe(SECRET)
    const third = await (await ask({}, {}, createFileRunnerChannel({ workdir: space.workdir }))).outcome
    expect(third.responses).toEqual(first.responses)
    await expect(takeSecret(third.secrets?.token as string)).rejects.toMatchObject({ code: 'GONE' })
  })
})

describe.skipIf(!process.getuid)('the keys of secrets are kept', () => {
  const refused = (why: RegExp) =>
    expect(askUser(space.channel, request)).rejects.toMatchObject({
      code: 'UNSAFE_PATH',
      message: expect.stringMatching(why),
    })

  it('in no folder that others may use', async () => {
    await mkdir(folder, { recursive: true })
    await chmod(folder, 0o777)
    await refused(/is open to others: make it yours alone, with mode 0700/)
    await chmod(folder, 0o700)
    expect((await ask()).record.state).toBe('open')
  })

  it.each(['sandagent', 'sandagent/secrets'])('behind no link: %s', async (path) => {
    const link = join(folder, '../..', path)
    await mkdir(dirname(link), { recursive: true })
    await symlink(await tempDir(), link)
    await refused(/is a link/)
  })

  it('in no workdir, but where the whole home is in it', async () => {
    vi.stubEnv('SANDAGENT_WORKDIR', space.workdir)
    vi.stubEnv('XDG_STATE_HOME', join(space.workdir, 'state'))
    await refused(/it is in the workdir/)
    vi.stubEnv('HOME', join(space.workdir, '.sandagent/home'))
    expect((await ask()).record.state).toBe('open')
  })

  it('in no workdir that one of the two names by a link', async () => {
    const link = join(await tempDir(), 'link')
    await symlink(space.workdir, link)
    for (const [workdir, state] of [
      [link, space.workdir],
      [space.workdir, link],
    ] as const) {
      vi.stubEnv('SANDAGENT_WORKDIR', workdir)
      vi.stubEnv('XDG_STATE_HOME', join(state, 'state'))
      await refused(/it is in the workdir/)
    }
  })
})

it('a secret that nobody read is removed after a week, and a key that waits is not', async () => {
  const { outcome, record } = await ask()
  await give(record, await sealedFor(record))
  await outcome
  await ask({}, { toolCallId: 'call_2' })
  const week = new Date(Date.now() - 8 * 24 * 3_600_000)
  for (const name of await kept()) await utimes(join(folder, name), week, week)
  await ask({}, { toolCallId: 'call_3' })
  expect(await kept()).toHaveLength(2)
})

it('a call without secrets keeps nothing for them', async () => {
  const { outcome, record } = await ask({}, { questions: [{ id: 'user', question: 'Which user?' }] })
  await give(record, { user: typed('me') })
  await outcome
  expect(await kept()).toEqual([])
})

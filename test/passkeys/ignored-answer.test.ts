import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type AnswerFile,
  approvalIn,
  ignoredText,
  type QuestionRecord,
  type QuestionState,
  type QuestionView,
  type Responses,
  viewOf,
} from '@sandagent/core/internal'
import { createInbox, createInboxHandler } from '@sandagent/inbox'
import { receiptsWritten } from '@sandagent/runner'
import { listQuestions, submitAnswer, watchQuestions } from '@sandagent/sdk'
import { channelOf } from '@sandagent/sdk/internal'
import { describe, expect, it, vi } from 'vitest'
import { allowed, denied, hostKeys, POLICY, proofOf, signedCalls, TOOL, vote } from './signed-calls.ts'

const { at, asking, plant } = signedCalls()

describe('where somebody allowed a call without a passkey, the host', () => {
  const look = async (): Promise<QuestionView | undefined> =>
    (await listQuestions(at.sandbox, { signingKeys: hostKeys }))[0]

  it.each([
    ['nobody signed', async () => ({})],
    ['a name stands alone', async () => ({ votes: [vote('Ada')] })],
    [
      'a proof names a passkey that the run knows, and is none',
      async (record: QuestionRecord) => ({
        votes: [vote('Ada', { ...proofOf(at.bob, record), id: at.ada.id })],
      }),
    ],
    [
      'a proof is for other words',
      async (record: QuestionRecord) => ({ votes: [vote('Ada', proofOf(at.ada, record, denied))] }),
    ],
    [
      'a proof of one person has the name of another',
      async (record: QuestionRecord) => ({ votes: [vote('Ada', proofOf(at.bob, record))] }),
    ],
  ] as [string, (record: QuestionRecord) => Promise<Partial<AnswerFile>>][])(
    'shows that the question waits, and takes the genuine answer: %s',
    async (_, forged) => {
      const { outcome, record } = await asking()
      const channel = channelOf(at.sandbox, { signingKeys: hostKeys, passkeys: at.passkeys })
      const stop = new AbortController()
      const seen: QuestionState[] = []
      const following = (async () => {
        for await (const state of channel.subscribe(stop.signal, TOOL)) seen.push(state)
      })()
      await vi.waitFor(() => expect(seen).toHaveLength(1))
      await plant(record, await forged(record))
      await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ ignored: true }))
      expect(seen.at(-1)?.answerFile).toBeUndefined()
      stop.abort()
      await following
      const state = await channel.read(TOOL)
      const view = viewOf(state, Date.now(), { answeredBy: 'Ada' })
      expect(view).toMatchObject({ state: 'open', ignored: true, responses: {} })
      expect(ignoredText(view)).toMatch(/no passkey has signed.*replace it/)
      await submitAnswer(
        at.sandbox,
        { toolCallId: TOOL, status: 'completed', responses: allowed, passkey: proofOf(at.ada, record) },
        { answeredBy: 'Ada', passkeys: at.passkeys, policy: POLICY, signingKeys: hostKeys },
      )
      expect(approvalIn(await outcome).decision).toBe('allowOnce')
      await receiptsWritten()
      expect(await look()).toBeUndefined()
    },
  )

  it('goes on listing the question, wherever it has the passkeys', async () => {
    const { outcome, record } = await asking()
    await plant(record, { votes: [vote('Ada', { ...proofOf(at.bob, record), id: at.ada.id })] })
    const { sandbox, passkeys } = at
    const host = { passkeys, signingKeys: hostKeys }
    const sandboxes = [{ id: 'shop', name: 'Shop', sandbox }]
    const handler = createInboxHandler({ sandboxes, ...host, authorize: () => ({ answeredBy: 'Ada' }) })
    const ofHandler = async (path: string) =>
      (await handler(new Request(`http://localhost/api/inbox/${path}`))).json()
    const waits = { question: { toolCallId: TOOL, state: 'open', ignored: true } }
    expect(await listQuestions(sandbox, host)).toMatchObject([waits.question])
    expect((await createInbox({ sandboxes, ...host }).list()).questions).toMatchObject([waits])
    expect((await ofHandler('questions')).questions).toMatchObject([waits])
    expect(await ofHandler(`question?sandbox=shop&toolCallId=${TOOL}`)).toMatchObject(waits)
    const stop = new AbortController()
    for await (const view of watchQuestions(sandbox, { ...host, signal: stop.signal })) {
      expect(view).toMatchObject(waits.question)
      stop.abort()
    }
    await plant(record, { responses: denied, revision: 9 })
    await outcome
    await receiptsWritten()
  })

  it('without passkeys of its own says so too, and takes a denial', async () => {
    const { outcome, record } = await asking()
    await plant(record, { votes: [vote('Ada')] })
    expect(await look()).toMatchObject({ state: 'open', ignored: true })
    await submitAnswer(
      at.sandbox,
      { toolCallId: TOOL, status: 'completed', responses: denied },
      { signingKeys: hostKeys },
    )
    expect(approvalIn(await outcome).decision).toBe('deny')
    await receiptsWritten()
  })

  it('does not dispute the genuine denial beside an allow that was stored while the record demanded no passkey', async () => {
    const { outcome, record } = await asking()
    const path = join(at.sandbox.workdir, '.sandagent/questions', `${TOOL}.json`)
    const asked = await readFile(path, 'utf8')
    const { passkeys: _, ...stripped } = JSON.parse(asked)
    const give = (responses: Responses) =>
      submitAnswer(
        at.sandbox,
        { toolCallId: TOOL, status: 'completed', responses },
        { signingKeys: hostKeys },
      )
    await writeFile(path, JSON.stringify(stripped))
    expect(await give(allowed)).toMatchObject({ status: 'completed' })
    await vi.waitFor(() => expect(at.warnings).toMatchObject([{ code: 'PASSKEY_NEEDED' }]))
    await writeFile(path, asked)
    expect(await look()).toMatchObject({ state: 'open', ignored: true })
    await give(denied)
    expect(approvalIn(await outcome).decision).toBe('deny')
    await receiptsWritten()
    expect(record.passkeys).toBeDefined()
    const disputes: unknown[] = []
    for (const own of [at.passkeys, undefined]) {
      const onWarning = (warning: unknown) => void disputes.push(warning)
      const channel = channelOf(at.sandbox, { signingKeys: hostKeys, passkeys: own, onWarning })
      const view = viewOf(await channel.read(TOOL), Date.now(), { answeredBy: 'Ada' })
      expect(view).toMatchObject({ state: 'answered', responses: denied })
      expect(view).not.toHaveProperty('disputed')
    }
    expect(disputes).toEqual([])
  })

  it('counts what a passkey signed that was removed since, as the run does', async () => {
    const { outcome, record } = await asking()
    await at.passkeys.remove(at.ada.id)
    await plant(record, { votes: [vote('Ada', proofOf(at.ada, record))] })
    expect(
      (await channelOf(at.sandbox, { signingKeys: hostKeys, passkeys: at.passkeys }).read(TOOL)).ignored,
    ).toBeUndefined()
    expect(approvalIn(await outcome).decision).toBe('allowOnce')
    await receiptsWritten()
  })
})

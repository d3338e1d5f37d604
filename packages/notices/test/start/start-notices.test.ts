import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AskError } from '@sandagent/core'
import { questionRecordPath } from '@sandagent/files'
import type { InboxQuestion } from '@sandagent/inbox'
import { openRecord } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { listFailedNotices, retryFailedNotices } from '../../src/sent/failed-notices.ts'
import { startNotices } from '../../src/start/start-notices.ts'
import { createOffice, HOUR, keepingSink, MINUTE } from './office.ts'

const ADA = { Ada: { addresses: { chat: 'ada' } } }
const ADA_AND_BEN = { ...ADA, Ben: { addresses: { chat: 'ben' } } }
const names = (notices: readonly { person: { name: string } }[]) => notices.map(({ person }) => person.name)
const calls = (notices: readonly { toolCallId: string }[]) => notices.map(({ toolCallId }) => toolCallId)

describe('notices', () => {
  it('tell everybody at once by default, with a link, and keep the words of the question back', async () => {
    const { sink, start, ask } = await createOffice()
    const linkFor = vi.fn(async ({ person }) => `https://inbox.example.com/${person.name}`)
    start({ people: ADA_AND_BEN, linkFor })
    await ask('toolu_1')
    await vi.waitFor(() => expect(sink.sent).toHaveLength(2))
    expect(sink.sent).toMatchObject([
      {
        sandboxId: 'shop',
        sandboxName: 'The shop',
        toolCallId: 'toolu_1',
        person: { name: 'Ada', address: 'ada' },
        link: 'https://inbox.example.com/Ada',
        isTextAllowed: false,
      },
      { person: { name: 'Ben' }, link: 'https://inbox.example.com/Ben' },
    ])
    expect(new Set(sink.sent.map(({ id }) => id)).size).toBe(2)
  })

  it('are settled when somebody answers, and what was sent is forgotten then', async () => {
    const { sink, start, ask, answer, folder } = await createOffice()
    start({ people: ADA })
    await ask('toolu_1')
    await vi.waitFor(async () => expect(await sentFiles(folder)).toHaveLength(1))
    await answer('toolu_1', 'Ben')
    await vi.waitFor(() =>
      expect(sink.settled).toEqual([
        { id: sink.sent[0]?.id, message: { number: 1 }, ending: { state: 'answered', answeredBy: 'Ben' } },
      ]),
    )
    await vi.waitFor(async () => expect(await sentFiles(folder)).toEqual([]))
  })

  it('come only after the delay, and not at all if the question is answered before', async () => {
    const { sink, start, ask, answer, pass, seen } = await createOffice()
    const ended = vi.fn()
    start({ people: ADA, rules: [{ tell: [{ afterMinutes: 10 }] }], onQuestion: ended })
    await ask('toolu_1')
    await ask('toolu_2')
    await seen('toolu_1')
    await seen('toolu_2')
    await pass(9 * MINUTE)
    expect(sink.sent).toEqual([])
    await answer('toolu_1')
    await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(3))
    await pass(MINUTE)
    await vi.waitFor(() => expect(calls(sink.sent)).toEqual(['toolu_2']))
  })

  it('tell the next person if the first one does not answer in time', async () => {
    const { sink, start, ask, pass } = await createOffice()
    start({
      people: ADA_AND_BEN,
      rules: [{ tell: [{ people: ['Ada'] }, { people: ['Ben'], afterMinutes: 15 }] }],
    })
    await ask('toolu_1')
    await vi.waitFor(() => expect(names(sink.sent)).toEqual(['Ada']))
    await pass(14 * MINUTE)
    expect(names(sink.sent)).toEqual(['Ada'])
    await pass(MINUTE)
    expect(names(sink.sent)).toEqual(['Ada', 'Ben'])
  })

  it('count the time of a question with a wrong clock from when it was seen', async () => {
    const { sink, start, ask, pass, seen, clock } = await createOffice()
    start({ people: ADA, rules: [{ tell: [{ afterMinutes: 10 }] }] })
    await ask('toolu_1', { askedAt: new Date(clock.now() + 48 * HOUR).toISOString() })
    await seen('toolu_1')
    await pass(10 * MINUTE)
    expect(calls(sink.sent)).toEqual(['toolu_1'])
  })

  it('of a question that the sandbox has replaced are settled, and the new question is told', async () => {
    const { sink, start, ask, workdir } = await createOffice()
    start({ people: ADA })
    await ask('toolu_1')
    await vi.waitFor(() => expect(sink.sent).toHaveLength(1))
    const other = openRecord('toolu_1', { questions: [{ id: 'q1', question: 'Which framework?' }] })
    await writeFile(join(workdir, questionRecordPath('toolu_1')), JSON.stringify(other))
    await vi.waitFor(() => expect(sink.sent).toHaveLength(2))
    const settled = [{ id: sink.sent[0]?.id, ending: { state: 'gone' } }]
    await vi.waitFor(() => expect(sink.settled).toMatchObject(settled))
  })

  it('of one sandbox are at most 50 at once, and the next one follows when one is settled', async () => {
    const { sink, start, ask, answer, pass } = await createOffice()
    for (let call = 0; call < 52; call++) await ask(`toolu_${call}`)
    start({ people: ADA })
    await vi.waitFor(() => expect(sink.sent).toHaveLength(50))
    await pass(5 * MINUTE)
    expect(sink.sent).toHaveLength(50)
    await answer('toolu_7')
    await vi.waitFor(() => expect(sink.settled).toHaveLength(1))
    await pass(MINUTE)
    expect(sink.sent).toHaveLength(51)
  })

  it('of questions that nobody is told about take no place of others', async () => {
    const { sink, start, ask, seen } = await createOffice()
    for (let call = 0; call < 50; call++) await ask(`toolu_${call}`, { asker: { agent: 'chatty' } })
    start({ people: ADA, rules: [{ for: { agents: ['chatty'] }, tell: [] }, { tell: [{}] }] })
    await seen('toolu_49')
    await ask('toolu_50')
    await vi.waitFor(() => expect(calls(sink.sent)).toEqual(['toolu_50']))
  })

  it('of a question whose file was deleted are settled within an hour, and the next one follows', async () => {
    const { sink, start, ask, pass, workdir } = await createOffice()
    for (let call = 0; call < 51; call++) await ask(`toolu_${call}`)
    start({ people: ADA })
    await vi.waitFor(() => expect(sink.sent).toHaveLength(50))
    const first = sink.sent[0]
    await rm(join(workdir, questionRecordPath(first?.toolCallId ?? '')))
    await pass(HOUR)
    await vi.waitFor(() => expect(sink.settled).toMatchObject([{ id: first?.id, ending: { state: 'gone' } }]))
    await pass(MINUTE)
    await vi.waitFor(() => expect(sink.sent).toHaveLength(51))
  })

  it('of one sandbox are at most 60 an hour, and what still waits is told when the hour is over', async () => {
    const { sink, start, ask, answer, pass, warnings } = await createOffice()
    start({ people: ADA })
    for (let call = 0; call < 40; call++) await ask(`toolu_${call}`)
    await vi.waitFor(() => expect(sink.sent).toHaveLength(40))
    for (let call = 0; call < 40; call++) await answer(`toolu_${call}`)
    await vi.waitFor(() => expect(sink.settled).toHaveLength(40))
    for (let call = 40; call < 70; call++) await ask(`toolu_${call}`)
    const full =
      'The shop has told Ada 60 times by chat within an hour. What still waits when the hour is over is told then'
    await vi.waitFor(() => expect(warnings).toEqual([full]))
    await pass(59 * MINUTE)
    expect(sink.sent).toHaveLength(60)
    await pass(MINUTE)
    await vi.waitFor(() => expect(sink.sent).toHaveLength(70))
    expect(warnings).toEqual([full])
  })

  it('are passed to a function of the host, once when a question opens and once when it has ended', async () => {
    const { start, ask, answer, warnings } = await createOffice()
    const told: string[] = []
    const onQuestion = ({ sandboxId, question }: InboxQuestion): void => {
      told.push(`${sandboxId}/${question.toolCallId} ${question.state}`)
      if (question.state === 'open') throw new Error('The bell is broken')
    }
    start({ people: {}, sinks: {}, onQuestion })
    await ask('toolu_1')
    await vi.waitFor(() => expect(warnings).toEqual(['The bell is broken']))
    await answer('toolu_1')
    await vi.waitFor(() => expect(told).toEqual(['shop/toolu_1 open', 'shop/toolu_1 sent']))
  })
})

describe('in quiet hours', () => {
  const night = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' }
  const people = { Ada: { ...ADA.Ada, quietHours: night } }

  it('a notice waits until they end', async () => {
    const { sink, start, ask, pass, seen } = await createOffice()
    start({ people })
    await ask('toolu_1') // At 01:00 in Berlin.
    await seen('toolu_1')
    await pass(5 * HOUR + 59 * MINUTE)
    expect(sink.sent).toEqual([])
    await pass(MINUTE)
    expect(calls(sink.sent)).toEqual(['toolu_1'])
  })

  it('a notice waits an hour less in the night in which summer time begins', async () => {
    const { sink, start, ask, pass, seen, clock } = await createOffice()
    clock.advance(Date.parse('2026-03-28T21:00:00Z') - clock.now()) // 22:00 in Berlin.
    start({ people })
    await ask('toolu_1')
    await seen('toolu_1')
    await pass(7 * HOUR + 59 * MINUTE)
    expect(sink.sent).toEqual([])
    await pass(MINUTE)
    expect(calls(sink.sent)).toEqual(['toolu_1'])
  })

  it('a question whose time runs out is never told, and the next person is told as usual', async () => {
    const { sink, start, ask, pass, shop, clock } = await createOffice()
    const ended: string[] = []
    start({
      people: { ...people, Ben: ADA_AND_BEN.Ben },
      rules: [{ tell: [{ people: ['Ada'] }, { people: ['Ben'], afterMinutes: 30 }] }],
      onQuestion: ({ question }) => void ended.push(question.state),
    })
    await ask('toolu_1', { timeoutMs: HOUR, deadline: new Date(clock.now() + HOUR).toISOString() })
    await vi.waitFor(() => expect(ended).toEqual(['open']))
    await pass(HOUR)
    expect(names(sink.sent)).toEqual(['Ben'])
    const settledAt = new Date(clock.now()).toISOString()
    await shop.settle('toolu_1', { state: 'timed-out', settledAt, responses: {}, revision: 0 })
    await vi.waitFor(() => expect(sink.settled).toMatchObject([{ ending: { state: 'timed-out' } }]))
    await pass(8 * HOUR)
    expect(names(sink.sent)).toEqual(['Ben'])
  })
})

describe('after a restart', () => {
  it('nothing is sent again, and what waits for its time still waits', async () => {
    const { sink, start, ask, pass, seen, folder } = await createOffice()
    const options = {
      people: ADA_AND_BEN,
      rules: [{ tell: [{ people: ['Ada'] }, { people: ['Ben'], afterMinutes: 15 }] }],
    }
    const first = start(options)
    await ask('toolu_1')
    await vi.waitFor(async () => expect(await sentFiles(folder)).toHaveLength(1))
    await pass(10 * MINUTE)
    await first.end()
    start(options)
    await seen('toolu_1')
    await pass(4 * MINUTE)
    expect(names(sink.sent)).toEqual(['Ada'])
    await pass(MINUTE)
    expect(names(sink.sent)).toEqual(['Ada', 'Ben'])
  })

  it('the notices of questions that ended meanwhile are settled', async () => {
    const { sink, start, ask, answer, folder } = await createOffice()
    const first = start({ people: ADA })
    await ask('toolu_1')
    await vi.waitFor(async () => expect(await sentFiles(folder)).toHaveLength(1))
    await first.end()
    await answer('toolu_1', 'Ben')
    start({ people: ADA })
    await vi.waitFor(() =>
      expect(sink.settled).toMatchObject([{ ending: { state: 'answered', answeredBy: 'Ben' } }]),
    )
    await vi.waitFor(async () => expect(await sentFiles(folder)).toEqual([]))
  })

  it('a sink that does not reply holds back the endings of no other one, and is called once for each', async () => {
    const { sink, start, ask, answer, folder } = await createOffice()
    const settle = vi.fn(() => new Promise<never>(() => {}))
    const options = {
      people: { Ada: { addresses: { chat: 'ada', pager: true as const } } },
      sinks: { pager: { ...keepingSink(), settle }, chat: sink },
    }
    const first = start(options)
    await ask('toolu_1')
    await ask('toolu_2')
    await vi.waitFor(async () => expect(await sentFiles(folder)).toHaveLength(4))
    await first.end()
    await answer('toolu_1')
    await answer('toolu_2')
    const second = start(options)
    await vi.waitFor(() => expect(sink.settled).toHaveLength(2))
    await vi.waitFor(() => expect(settle).toHaveBeenCalledTimes(2))
    await second.end()
    expect(settle).toHaveBeenCalledTimes(2)
  })

  it('a damaged file of the state is a warning', async () => {
    const { sink, start, ask, folder, warnings } = await createOffice()
    await writeFile(join(folder, `${'0'.repeat(32)}-${'0'.repeat(32)}.json`), '{')
    start({ people: ADA })
    await ask('toolu_1')
    await vi.waitFor(() => expect(sink.sent).toHaveLength(1))
    expect(warnings).toContainEqual(expect.stringContaining('is no sent notice'))
  })
})

describe('a failure', () => {
  it('is tried again after a while, and the notice keeps its id', async () => {
    const { sink, start, ask, pass, folder } = await createOffice()
    sink.failures.push(new Error('No route'), new AskError('UNREACHABLE', 'No route'))
    start({ people: ADA })
    await ask('toolu_1')
    await vi.waitFor(() => expect(sink.sent).toHaveLength(1))
    await pass(2 * MINUTE)
    expect(sink.sent).toHaveLength(3)
    expect(new Set(sink.sent.map(({ id }) => id)).size).toBe(1)
    await vi.waitFor(async () => expect(await sentFiles(folder)).toHaveLength(1))
  })

  it('is tried again when the service says', async () => {
    const { sink, start, ask, pass } = await createOffice()
    sink.failures.push(new AskError('RATE_LIMITED', 'Later', { facts: { retryAfterMs: 20 * MINUTE } }))
    start({ people: ADA })
    await ask('toolu_1')
    await vi.waitFor(() => expect(sink.sent).toHaveLength(1))
    await pass(19 * MINUTE)
    expect(sink.sent).toHaveLength(1)
    await pass(MINUTE)
    expect(sink.sent).toHaveLength(2)
  })

  it.each([
    ['that may pass ends after six tries', new Error('No route'), 6],
    ['that another try cannot mend ends at once', new AskError('FORBIDDEN', 'No route'), 1],
  ])('%s, and is kept, also over a restart', async (_, failure, tries) => {
    const { sink, start, ask, pass, seen, folder, warnings } = await createOffice()
    sink.failures.push(...Array.from({ length: tries }, () => failure))
    const first = start({ people: ADA })
    await ask('toolu_1')
    await vi.waitFor(() => expect(sink.sent).toHaveLength(1))
    await pass(2 * HOUR)
    expect(sink.sent).toHaveLength(tries)
    await vi.waitFor(() => expect(warnings).toContain('Ada was not told by chat: No route'))
    await vi.waitFor(async () => expect(await sentFiles(folder)).toHaveLength(1))
    await first.end()
    start({ people: ADA })
    await seen('toolu_1')
    await pass(2 * HOUR)
    expect(sink.sent).toHaveLength(tries)
  })

  it('is sent again once somebody has asked for it', async () => {
    const { sink, start, ask, pass, folder, warnings } = await createOffice()
    sink.failures.push(new AskError('FORBIDDEN', 'No route'))
    start({ people: ADA })
    await ask('toolu_1')
    await vi.waitFor(async () => expect(await sentFiles(folder)).toHaveLength(1))
    const onWarning = ({ message }: { message: string }): void => void warnings.push(message)
    const [failed] = await listFailedNotices(folder, { onWarning })
    expect(failed).toMatchObject({ person: 'Ada', sink: 'chat', failure: 'No route' })
    expect(await retryFailedNotices(folder, { ids: ['another'], onWarning })).toEqual([])
    expect(await retryFailedNotices(folder, { onWarning })).toEqual([failed])
    await vi.waitFor(async () => {
      await pass(MINUTE)
      expect(sink.sent).toHaveLength(2)
    })
    expect(new Set(sink.sent.map(({ id }) => id)).size).toBe(1)
  })

  it('of one sink does not hold up another one', async () => {
    const { sink, start, ask, pass } = await createOffice()
    const silent = keepingSink()
    const asked = vi.fn(() => new Promise<never>(() => {}))
    start({
      people: { Ada: { addresses: { chat: 'ada', pager: true } } },
      sinks: { pager: { ...silent, send: asked }, chat: sink },
    })
    await ask('toolu_1')
    await vi.waitFor(() => expect(sink.sent).toHaveLength(1))
    await pass(2 * MINUTE)
    expect(asked.mock.calls.length).toBeGreaterThan(1)
  })
})

it('a sandbox that makes no link holds up its own notices only for a while, and the end not at all', async () => {
  const { sink, start, ask, pass, warnings } = await createOffice()
  const linkFor = vi.fn(({ toolCallId }: { toolCallId: string }) =>
    toolCallId === 'toolu_5' ? Promise.resolve(undefined) : new Promise<never>(() => {}),
  )
  const { end } = start({ people: ADA, linkFor })
  for (let call = 1; call <= 4; call++) await ask(`toolu_${call}`)
  await vi.waitFor(() => expect(linkFor).toHaveBeenCalledTimes(4))
  await ask('toolu_5')
  await vi.waitFor(async () => {
    await pass(MINUTE)
    expect(calls(sink.sent)).toEqual(['toolu_5'])
  })
  expect(warnings[0]).toBe('Ada could not be told at the first try by chat: It has not replied within 30 s')
  await end()
})

it('a message that is under way when its question ends is settled after it was sent', async () => {
  const { sink, start, ask, answer } = await createOffice()
  const { send } = sink
  let arrive = (): void => {}
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve
  })
  sink.send = async (notice, options) => {
    const message = await send(notice, options)
    await arrival
    return message
  }
  const ended = vi.fn()
  start({ people: ADA, onQuestion: ended })
  await ask('toolu_1')
  await vi.waitFor(() => expect(sink.sent).toHaveLength(1))
  await answer('toolu_1')
  await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(2))
  expect(sink.settled).toEqual([])
  arrive()
  await vi.waitFor(() => expect(sink.settled).toMatchObject([{ message: { number: 1 } }]))
})

it('only one of two sends with a folder, and the other one follows when that has ended', async () => {
  const { sink, start, ask, pass, seen, warnings } = await createOffice()
  const first = start({ people: ADA })
  await ask('toolu_1')
  await vi.waitFor(() => expect(sink.sent).toHaveLength(1))
  start({ people: ADA })
  await vi.waitFor(() => expect(warnings).toEqual([expect.stringContaining('Another process sends')]))
  await ask('toolu_2')
  await vi.waitFor(() => expect(calls(sink.sent)).toEqual(['toolu_1', 'toolu_2']))
  await first.end()
  await pass(MINUTE)
  await seen('toolu_1')
  await ask('toolu_3')
  await vi.waitFor(() => expect(calls(sink.sent)).toEqual(['toolu_1', 'toolu_2', 'toolu_3']))
})

it('rules that name unknown people or sinks are refused with every fault', async () => {
  const { inbox, folder } = await createOffice()
  const refused = startNotices({
    inbox,
    sinks: { chat: keepingSink() },
    folder,
    signal: AbortSignal.abort(),
    people: { Ada: { addresses: { mail: 'ada@example.com' } } },
    rules: [{ tell: [{ people: ['Bob'], by: ['fax'] }] }],
  })
  await expect(refused).rejects.toThrow(
    'startNotices: people.Ada.addresses: expected one of chat, not mail; rules.0.tell.0.people: expected one of Ada, not Bob; rules.0.tell.0.by: expected one of chat, not fax',
  )
})

const sentFiles = async (folder: string) =>
  (await readdir(folder)).filter((name) => /^[0-9a-f]{32}-/.test(name))

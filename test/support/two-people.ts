import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AnswerFile,
  type AskSession,
  type AskStatus,
  createAskSession,
  type DraftKeeper,
  parseQuestions,
  type QuestionView,
  type Responses,
  sameResponses,
  submittedResponses,
} from '@sandagent/core/internal'
import { createFileRunnerChannel } from '@sandagent/files'
import { type AnswerHandler, createAnswerHandler, LocalSandbox } from '@sandagent/sdk'
import { createHttpTransport } from '@sandagent/sdk/react'
import { createFakeClock, createToolParts, openRecord } from '@sandagent/testing'
import fc from 'fast-check'
import { expect } from 'vitest'

type Kept = Parameters<DraftKeeper['write']>[0]

const CALL = 'toolu_1'
const API = 'http://localhost/api/answer'

/** Ada has two tabs, Ben has one. Each picks and types only what names the person. */
const OWNERS = ['Ada', 'Ada', 'Ben'] as const
type Person = (typeof OWNERS)[number]
const options = ['Ada 1', 'Ada 2', 'Ben 1', 'Ben 2'].map((label) => ({ label }))
const QUESTIONS = parseQuestions([
  { question: 'Which one?', options },
  { question: 'Which ones?', options, multiSelect: true },
  { question: 'Why?' },
])

type Act = 'pick one' | 'pick any' | 'type' | 'submit' | 'decline' | 'take over' | 'undo' | 'retry'

/** What happens next. */
export type Step =
  | { kind: 'act'; tab: number; act: Act; option: number }
  /** The host makes a view for a tab, and later the tab gets it. */
  | { kind: 'read' | 'show'; tab: number }
  /** A request reaches the host, or gets lost, or its reply does. A page that gave up may have sent it. */
  | { kind: 'deliver'; index: number; how: 'well' | 'request lost' | 'reply lost' }
  | { kind: 'wait'; ms: number }
  | { kind: 'network'; isUp: boolean }
  | { kind: 'reload'; tab: number; isCrash: boolean }
  | { kind: 'restart' }

const tab = fc.nat({ max: OWNERS.length - 1 })
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('act' as const),
      tab,
      option: fc.nat({ max: 1 }),
      act: fc.constantFrom<Act>(
        'pick one',
        'pick any',
        'type',
        'type',
        'submit',
        'submit',
        'decline',
        'take over',
        'undo',
        'retry',
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('read' as const, 'show' as const), tab }) },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('deliver' as const),
      index: fc.nat({ max: 3 }),
      how: fc.constantFrom('well' as const, 'well' as const, 'request lost' as const, 'reply lost' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(300, 2_000, 31_000) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('network' as const), isUp: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reload' as const), tab, isCrash: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
)

/** Random interleavings, and whether the host knows the people's names or only their browsers. */
export const interleavings = fc.record({
  steps: fc.array(steps, { minLength: 5, maxLength: 40 }),
  hasNames: fc.boolean(),
})

/** Plays an interleaving with the host's own code and real files. Then all is well, and everybody's view must be true. */
export async function playTwoPeople({
  steps,
  hasNames,
}: {
  steps: Step[]
  hasNames: boolean
}): Promise<void> {
  const workdir = await mkdtemp(join(tmpdir(), 'sandagent-two-people-'))
  try {
    const world = await createWorld(workdir, hasNames)
    for (const step of steps) {
      await world.play(step)
      world.check()
    }
    await world.heal()
    await world.checkAll()
  } finally {
    await rm(workdir, { recursive: true, maxRetries: 10 })
  }
}

/** A page in these states waits for nothing. */
const QUIET: readonly AskStatus[] = ['waiting', 'sent', 'superseded']

/** One page of a tab. After a reload there is another one, and nothing of this one runs on. */
interface TabPage {
  session: AskSession
  isAlive: boolean
  /** How many answers the page waits for, and how many requests are under way for them. */
  sends: number
  fetches: number
  stop: () => void
  onView?: ((view: QuestionView) => void) | undefined
}

interface OpenTab {
  owner: Person
  page: TabPage
  kept: Kept
  /** Views that the host has sent and that did not arrive yet. */
  views: QuestionView[]
  /** The text that was typed last. */
  typed: string
}

interface InFlight {
  request: Request
  settle: (response: Response | null) => void
}

async function createWorld(workdir: string, hasNames: boolean) {
  const clock = createFakeClock()
  const sandbox = new LocalSandbox({ workdir })
  const runner = createFileRunnerChannel({ workdir })
  await runner.open(openRecord(CALL, { questions: QUESTIONS }))
  const openHost = (): AnswerHandler =>
    createAnswerHandler({
      sandbox,
      clock,
      authorize: ({ headers }) => !hasNames || { answeredBy: headers.get('x-user') ?? '' },
      onError: () => {},
    })
  let host = openHost()
  let isUp = true
  let count = 0
  const inFlight: InFlight[] = []
  /** What people have meant to send. */
  const meant: { owner: Person; status: string; responses: Responses }[] = []
  /** What pages were told to be stored. */
  const told: { owner: Person; status: string; responses: Responses }[] = []
  const hasTakenOver = new Set<Person>()

  const headersOf = (owner: Person) => ({ 'x-user': owner })

  const openPage = (of: Pick<OpenTab, 'owner'> & { kept: Kept }): TabPage => {
    const page = { isAlive: true, sends: 0, fetches: 0 } as TabPage
    const http = createHttpTransport({
      answerEndpoint: API,
      headers: headersOf(of.owner),
      extraBody: { browser: of.owner },
      clock: ownClock(page),
      fetch: (url, init) =>
        new Promise((resolve, reject) => {
          if (!isUp) return reject(new TypeError('offline'))
          const { signal, keepalive: _, ...rest } = init ?? {}
          let isOpen = true
          page.fetches++
          const settle = (response: Response | null): void => {
            if (!isOpen) return
            isOpen = false
            page.fetches--
            if (!page.isAlive) return
            if (response) resolve(response)
            else reject(new TypeError('lost'))
          }
          signal?.addEventListener('abort', () => settle(null))
          inFlight.push({ request: new Request(url as string, rest), settle })
        }),
    })
    const part = createToolParts(QUESTIONS, { toolCallId: CALL }).waiting()
    page.session = createAskSession(part, () => ({
      clock: ownClock(page),
      random: () => 0.5,
      drafts: {
        read: () => of.kept,
        write(kept) {
          of.kept = kept
        },
      },
      onAnswer: ({ status, responses }) => {
        if (status !== 'pending') told.push({ owner: of.owner, status, responses })
      },
      transport: {
        send(answer) {
          page.sends++
          return http.send(answer).finally(() => {
            page.sends--
          })
        },
        subscribe(_, onView) {
          page.onView = onView
          return () => {
            page.onView = undefined
          }
        },
      },
    }))
    page.stop = page.session.start()
    return page
  }

  /** The clock of a page: its timers end with the page. */
  const ownClock = (page: TabPage) => ({
    now: clock.now,
    after: (ms: number, callback: () => void) => clock.after(ms, () => page.isAlive && callback()),
  })

  const tabs = OWNERS.map((owner): OpenTab => {
    const tab = { owner, kept: null, views: [], typed: '' } as unknown as OpenTab
    tab.page = openPage(tab)
    return tab
  })

  const read = async (tab: OpenTab): Promise<void> => {
    if (!isUp) return
    const url = `${API}?toolCallId=${CALL}&browser=${tab.owner}`
    const response = await host.GET(new Request(url, { headers: headersOf(tab.owner) }))
    expect(response.status).toBe(200)
    tab.views.push((await response.json()) as QuestionView)
  }
  const show = (tab: OpenTab): void => {
    const view = tab.views.shift()
    if (view) tab.page.onView?.(view)
  }
  const deliver = async (index: number, how: 'well' | 'request lost' | 'reply lost'): Promise<void> => {
    const [sent] = inFlight.splice(index % Math.max(1, inFlight.length), 1)
    if (!sent) return
    const response = how === 'request lost' ? null : await host.POST(sent.request)
    sent.settle(how === 'reply lost' ? null : response)
  }

  const act = (tab: OpenTab, what: Act, option: number): void => {
    const { session } = tab.page
    const { isEditable } = session.getSnapshot()
    const own = `${tab.owner} ${option + 1}`
    if (what === 'pick one') session.select('q1', own)
    if (what === 'pick any') session.select('q2', own)
    if (what === 'type') {
      const text = `${tab.owner} says ${++count}`
      session.setFreeText('q3', text)
      if (isEditable) tab.typed = text
    }
    if (what === 'take over') {
      const [other] = session.getSnapshot().others
      if (other && Object.keys(other.responses).length > 0) {
        hasTakenOver.add(tab.owner)
        session.takeOver(other.id)
        tab.typed = ''
      }
    }
    if (what === 'undo') session.undo()
    if (what === 'retry') session.retry()
    if (what !== 'submit' && what !== 'decline') return
    if (!isEditable) return
    if (what === 'decline') session.decline('no')
    else session.submit({ partial: true })
    const { entered, error } = session.getSnapshot()
    if (error) return
    const status = what === 'decline' ? 'declined' : 'completed'
    const responses = what === 'decline' ? {} : submittedResponses(QUESTIONS, entered)
    meant.push({ owner: tab.owner, status, responses })
  }

  /** Lets pages read the replies that have arrived. */
  const settle = async (): Promise<void> => {
    const isBusy = (): boolean => tabs.some(({ page }) => page.sends > page.fetches)
    for (let turn = 0; turn < 4 || isBusy(); turn++) await new Promise(setImmediate)
  }

  const play = async (step: Step): Promise<void> => {
    if (step.kind === 'act') act(tabs[step.tab] as OpenTab, step.act, step.option)
    if (step.kind === 'read') await read(tabs[step.tab] as OpenTab)
    if (step.kind === 'show') show(tabs[step.tab] as OpenTab)
    if (step.kind === 'deliver') await deliver(step.index, step.how)
    if (step.kind === 'wait') clock.advance(step.ms)
    if (step.kind === 'network') isUp = step.isUp
    if (step.kind === 'reload') {
      const tab = tabs[step.tab] as OpenTab
      if (!step.isCrash) tab.page.stop()
      tab.page.isAlive = false
      tab.views = []
      tab.page = openPage(tab)
      // What counts after a reload is what the tab has kept.
      tab.typed = ''
    }
    if (step.kind === 'restart') {
      host = openHost()
      for (const { settle } of inFlight.splice(0)) settle(null)
    }
    await settle()
  }

  /** Somebody else's entries are never among a person's own, unless the person took them over. */
  const check = (): void => {
    for (const { owner, page } of tabs)
      if (!hasTakenOver.has(owner)) expectOnlyFrom(owner, page.session.getSnapshot().entered)
  }

  const heal = async (): Promise<void> => {
    isUp = true
    const isQuiet = (): boolean =>
      inFlight.length === 0 && tabs.every(({ page }) => QUIET.includes(page.session.getSnapshot().status))
    for (let quiet = 0, round = 0; quiet < 2 && round < 100; round++) {
      while (inFlight.length > 0) {
        await deliver(0, 'well')
        await settle()
      }
      for (const tab of tabs) {
        await read(tab)
        while (tab.views.length > 0) show(tab)
      }
      // Shorter than the time after which a page gives a request up.
      clock.advance(5_000)
      await settle()
      quiet = isQuiet() ? quiet + 1 : 0
    }
    expect(inFlight).toEqual([])
  }

  const checkAll = async (): Promise<void> => {
    check()
    const file = await runner.read(CALL)
    const final = file && file.status !== 'pending' ? file : null
    for (const { owner, typed, page } of tabs) {
      const { status, entered, responses, isEditable } = page.session.getSnapshot()
      const { freeText } = (entered.q3 ?? {}) as { freeText?: string }
      // Typed text is lost neither by a race nor by the network. Ada's two tabs show the later of her texts.
      if (typed !== '' && owner === 'Ben') expect(freeText).toBe(typed)
      if (!final) {
        expect([status, isEditable]).toEqual(['waiting', true])
        continue
      }
      if (authorOf(final) !== owner) expect(status).toBe('superseded')
      else expect(['sent', 'superseded']).toContain(status)
      expect(page.session.getSnapshot().declined).toBe(final.status === 'declined')
      expect(sameResponses(QUESTIONS, responses, final.responses ?? {})).toBe(true)
    }
    // The agent gets what somebody meant to send, and nobody was told that anything else is stored.
    if (final) {
      const isFinal = ({ owner, status, responses }: (typeof meant)[number]): boolean =>
        owner === authorOf(final) &&
        status === final.status &&
        sameResponses(QUESTIONS, responses, final.responses ?? {})
      expect(meant.filter(isFinal)).not.toEqual([])
      expect(told.filter((answer) => !isFinal(answer))).toEqual([])
    } else expect(told).toEqual([])
  }

  return { play, check, heal, checkAll }
}

const authorOf = ({ answeredBy, browser }: AnswerFile): string | undefined => answeredBy ?? browser

function expectOnlyFrom(owner: Person, responses: Readonly<Responses>): void {
  const others = OWNERS.filter((name) => name !== owner)
  for (const name of others) expect(JSON.stringify(responses)).not.toContain(name)
}

import { type Outcome, parseQuestions, type QuestionView, type RunnerChannel } from '@sandagent/core/internal'
import { createRunnerChannel } from '@sandagent/core/store'
import { createFileRunnerChannel, type SandboxFiles } from '@sandagent/files'
import { hasNatsServer, natsServer } from '@sandagent/fixtures/servers/nats-server.ts'
import { hasPostgres, startPostgres } from '@sandagent/fixtures/servers/postgres-server.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createMemoryFleet, type FleetStore } from '@sandagent/fleet'
import { fleetSandbox } from '@sandagent/fleet-host'
import { createNatsFleet } from '@sandagent/nats'
import { createPostgresFleet } from '@sandagent/postgres'
import { askUser, createVerifiedChannel } from '@sandagent/runner'
import {
  type AnswerableSandbox,
  AskError,
  createSigningKey,
  LocalSandbox,
  listQuestions,
  type Policy,
  parseSigningKeys,
  submitAnswer,
} from '@sandagent/sdk'
import { createFakeClock } from '@sandagent/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const QUESTIONS = parseQuestions([{ question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }])
const LEADS = ['Ada', 'Ben', 'Cleo', 'Dan']
const PEOPLE = [...LEADS, 'Eve']
const TOOL_CALL_ID = 'toolu_1'

/** One request. Those with the same `round` are sent at once, by any host. */
interface Act {
  person: string
  what: 'A' | 'B' | 'draft A' | 'decline'
  round: number
}

const acts = fc.array(
  fc.record<Act>({
    person: fc.constantFrom(...PEOPLE),
    what: fc.constantFrom('A', 'A', 'A', 'B', 'B', 'draft A', 'draft A', 'decline'),
    round: fc.nat({ max: 3 }),
  }),
  { maxLength: 12 },
)

/** Makes a run, and three hosts that can answer its questions. */
type Carrier = () => Promise<{ channel: RunnerChannel; hosts: AnswerableSandbox[] }>

async function overFiles(): ReturnType<Carrier> {
  const workdir = await tempDir()
  // Each object has an identity of its own, so that hosts do not write in turn, as two processes would not.
  const host = (): AnswerableSandbox => {
    const sandbox = new LocalSandbox({ workdir })
    return { files: { ...filesOf(sandbox), id: undefined } }
  }
  return { channel: createFileRunnerChannel({ workdir }), hosts: [host(), host(), host()] }
}

/** @param start starts the service of the fleet, and gives what connects a host to it */
function overFleet(start: (atEnd: (end: () => Promise<void>) => void) => Promise<() => FleetStore>): Carrier {
  const ends: (() => Promise<void>)[] = []
  let fleets: FleetStore[] = []
  let runs = 0
  beforeAll(async () => {
    const connect = await start((end) => ends.push(end))
    fleets = [connect(), connect(), connect()]
  })
  afterAll(async () => {
    for (const fleet of fleets) await fleet.close()
    for (const end of ends) await end()
  })
  return async () => {
    runs += 1
    const hosts = fleets.map((fleet) => fleetSandbox(fleet, `run-${runs}`))
    const [first] = fleets as [FleetStore]
    return { channel: createRunnerChannel(first.questions(`run-${runs}`)), hosts }
  }
}

const CARRIERS = {
  files: { isHere: true, open: () => overFiles },
  memory: {
    isHere: true,
    open: () =>
      overFleet(async () => {
        const fleet = createMemoryFleet()
        return () => fleet
      }),
  },
  Postgres: {
    isHere: hasPostgres,
    open: () =>
      overFleet(async (atEnd) => {
        const server = await startPostgres()
        atEnd(() => server.remove())
        return () => createPostgresFleet({ connectionString: server.url() })
      }),
  },
  NATS: {
    isHere: hasNatsServer,
    open: () =>
      overFleet(async (cleanUp) => {
        const { url } = await natsServer({ cleanUp })
        return () => createNatsFleet({ servers: url })
      }),
  },
}

/** The files of a sandbox, as an object that can be spread. */
const filesOf = ({ files }: LocalSandbox): SandboxFiles => ({
  read: (path) => files.read(path),
  list: (path) => files.list(path),
  writeAtomic: (path, text, options) => files.writeAtomic(path, text, options),
})

describe.for(Object.entries(CARRIERS))('votes in %s', ([, { isHere, open }]) => {
  const makeRun = open()
  it.runIf(isHere).each([2, 3])(
    'end in at most one answer, which %i different people gave, in any order and by three hosts at once',
    async (votes) => {
      const play = async (script: Act[]): Promise<void> => {
        const { channel, hosts } = await makeRun()
        const policy: Policy = [{ roles: ['lead'], votes }]
        const withdrawal = new AbortController()
        const outcome = askUser(
          channel,
          { toolCallId: TOOL_CALL_ID, runId: 'run-1', questions: QUESTIONS },
          { signal: withdrawal.signal },
        )
        await asked(hosts[0] as AnswerableSandbox)
        /** What each person was last told to be stored as a vote. */
        const told = new Map<string, string>()
        let declined = false
        let isFinal = false
        const act = async ({ person, what }: Act, index: number): Promise<void> => {
          const roles = LEADS.includes(person) ? ['lead'] : ['guest']
          const options = { answeredBy: person, roles, policy, signingKeys: null }
          try {
            const stored = await submitAnswer(
              hosts[index % hosts.length] as AnswerableSandbox,
              requestOf(what),
              options,
            )
            expect(LEADS).toContain(person)
            if (what !== 'draft A' && what !== 'decline') told.set(person, what)
            if (stored.status === 'declined') declined = true
            if (stored.status !== 'pending') isFinal = true
          } catch (error) {
            if (!(error instanceof AskError)) throw error
            if (error.code === 'NOT_ALLOWED') expect(LEADS).not.toContain(person)
            else expect(['CONFLICT', 'GONE']).toContain(error.code)
            if (LEADS.includes(person)) isFinal = true
          }
        }
        for (const round of [0, 1, 2, 3]) {
          const together = script.filter((each) => each.round === round)
          await Promise.all(
            [...new Set(together.map(({ person }) => person))].map(async (person) => {
              // One person sends one request at a time.
              for (const each of together.filter((one) => one.person === person))
                await act(each, script.indexOf(each))
            }),
          )
        }
        const [view] = await listQuestions(hosts[1] as AnswerableSandbox, { all: true, signingKeys: null })
        if (!isFinal) {
          // No acknowledged vote is lost, and there are too few for an answer.
          expect(Object.fromEntries(votesIn(view))).toEqual(Object.fromEntries(told))
          for (const label of ['A', 'B'])
            expect([...told.values()].filter((each) => each === label).length).toBeLessThan(votes)
          withdrawal.abort()
          expect((await outcome).kind).toBe('aborted')
          return
        }
        checkOutcome(await outcome, view as QuestionView, { votes, told, declined })
      }
      await fc.assert(fc.asyncProperty(acts, play), { numRuns: 10 })
    },
  )
})

it('a runner that takes signed answers alone is told who voted, and takes no vote for an answer', async () => {
  const workdir = await tempDir()
  const sandbox = new LocalSandbox({ workdir })
  const signingKeys = await parseSigningKeys(await createSigningKey())
  const channel = createVerifiedChannel(createFileRunnerChannel({ workdir }), {
    publicKeys: signingKeys.publicKeys,
  })
  const request = { toolCallId: TOOL_CALL_ID, runId: 'run-1', questions: QUESTIONS }
  let onAsked = (): void => {}
  const isAsked = new Promise<void>((resolve) => {
    onAsked = resolve
  })
  // A host lists the question before this channel has opened it, and then the channel reads nothing.
  const outcome = askUser(channel, request, { onAsked: async () => onAsked() })
  await isAsked
  const policy: Policy = [{ votes: 2 }]
  const vote = (answeredBy: string) =>
    submitAnswer(sandbox, requestOf('A'), { answeredBy, policy, signingKeys })
  expect(await vote('Ada')).toMatchObject({ missingVotes: 1 })
  expect(await Promise.race([outcome, channel.read(TOOL_CALL_ID)])).toMatchObject({ status: 'pending' })
  await vote('Ben')
  expect(await outcome).toMatchObject({ kind: 'answered', answeredBy: 'Ben', voters: ['Ada', 'Ben'] })
  expect(channel.forgeries).toBe(0)
})

it('a time-out gives the agent neither votes nor drafts beside them', async () => {
  const workdir = await tempDir()
  const sandbox = new LocalSandbox({ workdir })
  const clock = createFakeClock()
  const request = { toolCallId: TOOL_CALL_ID, runId: 'run-1', questions: QUESTIONS }
  const outcome = askUser(createFileRunnerChannel({ workdir }), request, { timeoutMs: 60_000, clock })
  await asked(sandbox)
  const policy: Policy = [{ votes: 2 }]
  const options = { policy, signingKeys: null, clock }
  await submitAnswer(sandbox, requestOf('A'), { answeredBy: 'Ada', ...options })
  await submitAnswer(sandbox, requestOf('draft A'), { answeredBy: 'Ben', ...options })
  let ended: Outcome | undefined
  void outcome.then((value) => {
    ended = value
  })
  await vi.waitFor(() => {
    clock.advance(30_000)
    expect(ended).toMatchObject({ kind: 'timed-out', responses: {} })
  })
})

const requestOf = (what: Act['what']) => ({
  toolCallId: TOOL_CALL_ID,
  status: ({ decline: 'declined', 'draft A': 'pending', A: 'completed', B: 'completed' } as const)[what],
  responses: what === 'decline' ? {} : { q1: { selected: [what.slice(-1)], source: 'human' as const } },
})

/** Resolves once the question can be answered. */
async function asked(host: AnswerableSandbox): Promise<void> {
  while ((await listQuestions(host, { signingKeys: null })).length === 0) await new Promise(setImmediate)
}

/** Who voted what. */
const votesIn = (view: QuestionView | undefined): [string, string][] =>
  (view?.votes ?? []).map(({ name, responses }) => [name, String(Object(responses.q1).selected)])

function checkOutcome(
  outcome: Outcome,
  view: QuestionView,
  { votes, told, declined }: { votes: number; told: ReadonlyMap<string, string>; declined: boolean },
): void {
  expect(view).not.toHaveProperty('disputed')
  if (outcome.kind === 'declined') {
    expect(declined).toBe(true)
    return
  }
  expect([outcome.kind, declined]).toEqual(['answered', false])
  const { voters = [] } = outcome
  const [picked] = Object(outcome.responses.q1).selected
  expect(voters).toHaveLength(votes)
  expect(new Set(voters).size).toBe(votes)
  expect(voters.filter((name) => !LEADS.includes(name))).toEqual([])
  // Each of them was told that this very vote is stored, and none of them has changed it since.
  expect(voters.map((name) => told.get(name))).toEqual(voters.map(() => picked))
}

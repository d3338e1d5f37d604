import { setImmediate } from 'node:timers/promises'
import type { RunnerChannel } from '@sandagent/core'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  createUserChoiceRuntime,
  createUserChoiceTool,
  type UserChoiceRuntime,
  type UserChoiceTool,
  type WebHandler,
} from '../src/index.ts'
import { createMemoryStorage, send } from './memory-storage.ts'
import { createWorkspace, picked } from './workspace.ts'

const UNCERTAIN = 'did not confirm this call'
const INTERRUPTED = 'was interrupted'
const FAILED = 'Error: User choice flow failed. Please try again.'
const CANCELLED = 'Error: This call was cancelled.'

interface Death {
  /** How many effects come before it. */
  at: number
  /** Whether the effect itself still happens. */
  phase: 'before' | 'after'
}

/** A process that dies at one of its effects, and then does nothing more. */
function createProcess(death?: Death) {
  const effects: string[] = []
  const never = new Promise<never>(() => {})
  let die = (_: Error): void => {}
  const died = new Promise<never>((_, reject) => {
    die = reject
  })
  died.catch(() => {})
  let isDead = false
  const kill = (): Promise<never> => {
    isDead = true
    die(new Error('connection reset'))
    return never
  }
  return {
    effects,
    died,
    async effect<T>(name: string, act: () => Promise<T>): Promise<T> {
      if (isDead) return never
      const isLast = effects.length === death?.at
      effects.push(name)
      if (isLast && death.phase === 'before') return kill()
      const done = await act()
      if (isLast) return kill()
      return isDead ? never : done
    },
  }
}
type Process = ReturnType<typeof createProcess>

/** Storage whose writes are effects of a process, named by the step or the file that they store. */
const storageOf = (files: ReturnType<typeof createMemoryStorage>, process: Process) => ({
  ...files,
  writeAtomic: (path: string, text: string) =>
    process.effect(`store ${JSON.parse(text).step?.at ?? 'a decision'}`, () => files.writeAtomic(path, text)),
})

const unreachable = (): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) })

/** A call, and what its user does. */
interface Scenario {
  /** Whether the tool lets the user choose. */
  asks: boolean
  /** Whether the caller stops to wait once the user can choose. */
  givesUp?: boolean
  /** What else happens then. */
  onQuestion?(world: World): Promise<unknown>
  /** Where the tool takes selections. Default: where the runtime posts them. */
  responseUrl?: string
  /** The result without a crash, and what is done for it. */
  text: string
  performs: string[]
}
type World = Awaited<ReturnType<typeof createWorld>>

/** Both ends in one process, each with storage of its own. `mortal` dies as it is told, and is started again. */
async function createWorld(mortal: 'runtime' | 'tool', scenario: Scenario, death?: Death) {
  const space = await createWorkspace()
  const clock = createFakeClock(new Date().toISOString())
  const passing = setInterval(() => clock.advance(50), 1)
  onTestFinished(() => clearInterval(passing))
  const files = { runtime: createMemoryStorage(), tool: createMemoryStorage() }
  const performed: string[] = []
  const first = createProcess(death)
  const handlers = new Map<string, WebHandler>()

  const fetchOf = (process: Process) => async (url: string, init: RequestInit) => {
    const body = JSON.parse(String(init.body))
    const kind = body.type ?? ('selected' in body ? 'selection' : 'invocation')
    return process.effect(`post ${kind}`, async () => {
      const handler = handlers.get(new URL(url).pathname)
      if (!handler) throw unreachable()
      const { signal, ...rest } = init
      const aborted = new Promise<never>((_, reject) => signal?.addEventListener('abort', reject))
      return Promise.race([handler(new Request(url, rest)), aborted])
    })
  }

  const openTool = async (process: Process): Promise<UserChoiceTool> => {
    const tool = await createUserChoiceTool({
      operations: {
        write: {
          confirm: () =>
            scenario.asks
              ? {
                  prompt: 'May I?',
                  choices: ['No', 'Always'],
                  default: 0,
                  remember: { choices: [1], scope: '/srv' },
                }
              : null,
          perform: (_, choice) =>
            process.effect('perform', async () => {
              const label = choice?.label ?? 'it'
              performed.push(label)
              return `Did ${label}`
            }),
        },
      },
      storage: storageOf(files.tool, process),
      responseUrl: scenario.responseUrl ?? 'https://tool.example/respond',
      callbackUrls: ['https://agent.example/callback'],
      fetch: fetchOf(process) as typeof fetch,
      clock,
    })
    const route =
      (handle: WebHandler): WebHandler =>
      (request) =>
        Promise.race([handle(request), process.died])
    handlers.set('/invoke', route(tool.invoke))
    handlers.set('/respond', route(tool.respond))
    handlers.set('/cancel', route(tool.cancelToolCall))
    return tool
  }

  const openRuntime = async (process: Process): Promise<UserChoiceRuntime> => {
    const open: RunnerChannel['open'] = (...args) =>
      process.effect('open the question', () => space.channel.open(...args))
    const runtime = await createUserChoiceRuntime({
      channel: { ...space.channel, open },
      storage: storageOf(files.runtime, process),
      callbackUrl: 'https://agent.example/callback',
      fetch: fetchOf(process) as typeof fetch,
      clock,
    })
    handlers.set('/callback', (request) => Promise.race([runtime.callback(request), process.died]))
    return runtime
  }

  const living = createProcess()
  const ends = {
    tool: await openTool(mortal === 'tool' ? first : living),
    runtime: await openRuntime(mortal === 'runtime' ? first : living),
  }
  const restarted = first.died.catch(async () => {
    for (const path of mortal === 'tool' ? ['/invoke', '/respond', '/cancel'] : ['/callback'])
      handlers.delete(path)
    // The dead process only lets go of its question. It cannot store or send anything.
    void ends[mortal].close()
    if (mortal === 'tool') ends.tool = await openTool(living)
    else ends.runtime = await openRuntime(living)
  })
  onTestFinished(async () => {
    await Promise.all([ends.tool.close(), ends.runtime.close()])
  })
  return { space, files, handlers, performed, ends, first, restarted, mortal }
}

const CALL = {
  endpoint: 'https://tool.example/invoke',
  operation: 'write',
  arguments: {},
  id: 'i',
  groupId: 'g',
}

/** Resolves to the text of the result, however often the caller has to ask for it. */
async function resultIn(world: World, { givesUp = false, onQuestion }: Scenario): Promise<string> {
  const { ends, first, restarted, mortal } = world
  let isOver = false
  let isMortal = mortal === 'runtime'
  let giveUp = (): void => {}
  const user = async (): Promise<void> => {
    let hasActed = false
    while (!isOver) {
      const isAsked = (await world.space.host.questions()).some(({ state }) => state === 'open')
      if (isAsked) giveUp()
      if (isAsked && !hasActed) await onQuestion?.(world)
      hasActed ||= isAsked
      await setImmediate()
    }
  }
  const invoke = (signal?: AbortSignal) => {
    const result = ends.runtime.invoke(CALL, { signal })
    return isMortal ? Promise.race([result, first.died]) : result
  }
  const acting = user()
  for (;;) {
    const stop = new AbortController()
    if (givesUp) giveUp = () => stop.abort('gone')
    try {
      const { text = '' } = await invoke(stop.signal).catch((error) => {
        if (error !== 'gone') throw error
        return invoke()
      })
      isOver = true
      await acting
      return text
    } catch (error) {
      if (!isMortal) throw error
      await restarted
      isMortal = false
    }
  }
}

/** Until both ends have stored that the call has ended, and no question waits. */
const settled = ({ files, space }: World) =>
  vi.waitFor(async () => {
    const records = [files.runtime, files.tool].flatMap((storage) => [...storage.files])
    const calls = records.filter(([path]) => path.includes('calls/'))
    expect(calls.map(([, text]) => JSON.parse(text).step.at).filter((at) => at !== 'ended')).toEqual([])
    expect((await space.host.questions()).filter(({ state }) => state === 'open')).toEqual([])
  })

const cancel = async ({ handlers }: World): Promise<void> => {
  const names = { thread_id: 'g', tool_call_id: 'i' }
  await vi.waitFor(async () => {
    const handler = handlers.get('/cancel') as WebHandler
    expect(await send(handler, names)).toEqual([200])
  })
}

const SCENARIOS: [string, Scenario][] = [
  [
    'whose user chooses for the conversation',
    {
      asks: true,
      onQuestion: ({ space }) => space.respond('g:i', { q1: picked('Always') }),
      text: 'Did Always',
      performs: ['Always'],
    },
  ],
  ['for which nobody has to choose', { asks: false, text: 'Did it', performs: ['it'] }],
  ['that nobody waits for any more', { asks: true, givesUp: true, text: 'Did No', performs: ['No'] }],
  [
    'that is cancelled while the user chooses',
    { asks: true, onQuestion: cancel, text: CANCELLED, performs: [] },
  ],
  [
    'whose choice the runtime refuses',
    { asks: true, responseUrl: 'https://other.example/respond', text: FAILED, performs: [] },
  ],
]

/** What the model reads, and what was done, if a process dies there. All other crashes change nothing. */
function after(
  mortal: 'runtime' | 'tool',
  place: string,
  { text, performs }: Scenario,
): [unknown, string[][]] {
  const uncertain = expect.stringContaining(UNCERTAIN)
  const interrupted = expect.stringContaining(INTERRUPTED)
  if (mortal === 'runtime') {
    if (place === 'after: store sending' || place === 'before: post invocation') return [uncertain, [[]]]
  } else {
    if (place === 'before: store deciding') return [uncertain, [[]]]
    // The runtime cannot know whether the tool has the call.
    if (place === 'after: store deciding') return [uncertain, [[], performs]]
    if (place === 'after: store performing' || place === 'before: perform') return [interrupted, [[]]]
    if (place === 'after: perform') return [interrupted, [performs]]
    if (place === 'before: store reporting' && performs.length > 0) return [interrupted, [performs]]
  }
  return [text, [performs]]
}

describe.each(['runtime', 'tool'] as const)('wherever the %s stops', (mortal) => {
  it.each(SCENARIOS)('a call %s goes on from its stored step', async (_, scenario) => {
    const whole = await createWorld(mortal, scenario)
    expect(await resultIn(whole, scenario)).toBe(scenario.text)
    await settled(whole)
    const { effects } = whole.first
    for (const phase of ['before', 'after'] as const)
      for (const [at, name] of effects.entries()) {
        const place = `${phase}: ${name}`
        const world = await createWorld(mortal, scenario, { at, phase })
        const result = await resultIn(world, scenario)
        await settled(world)
        const [text, performs] = after(mortal, place, scenario)
        expect([place, result]).toEqual([place, text])
        expect(performs, place).toContainEqual(world.performed)
      }
  })
})

import { AskError } from '@sandagent/core'
import { ownProcessHandle } from '@sandagent/files/internal'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import { claimStart, orConflict } from '../../src/runs/claim-start.ts'
import type { RunSandbox } from '../../src/sandbox/sandbox.ts'
import { refusalOf } from '../support/temp-sandbox.ts'

const RUN = '.sandagent/runs/r'
const ELSEWHERE = JSON.stringify({ host: '7 1 another-machine/boot/pid:[1]' })
const BEGIN = '2026-01-01T00:00:00Z'

const recordOf = (attempt: number, more: object = {}): string =>
  JSON.stringify({
    version: 1,
    runId: 'r',
    attempt,
    agent: 'command',
    args: [],
    prompt: '',
    metadata: {},
    startedAt: BEGIN,
    process: 'p1',
    maxLogBytes: 1000,
    ...more,
  })

/** A sandbox in memory. Its files were written at the beginning of the clock. */
function sandboxWith(given: Record<string, string> = {}, running: readonly string[] = []) {
  const clock = createFakeClock(BEGIN)
  const files = new Map(Object.entries(given).map(([name, text]) => [`${RUN}/${name}`, text]))
  const modifiedAt = clock.now()
  const sandbox = {
    files: {
      read: async (path: string) => files.get(path) ?? null,
      readFrom: async (path: string) => (files.has(path) ? Buffer.from(files.get(path) ?? '') : null),
      list: async (folder: string) => [
        ...new Set(
          [...files.keys()].flatMap((path) =>
            path.startsWith(`${folder}/`)
              ? path
                  .slice(folder.length + 1)
                  .split('/')
                  .slice(0, 1)
              : [],
          ),
        ),
      ],
      stat: async (path: string) =>
        files.has(path) ? { size: files.get(path)?.length ?? 0, modifiedAt } : null,
      async writeAtomic(path: string, text: string, { exclusive = false } = {}) {
        if (exclusive && files.has(path)) throw new AskError('CONFLICT', 'It exists')
        files.set(path, text)
      },
    },
    detached: { isRunning: async (handle: string) => running.includes(handle) },
  } as unknown as RunSandbox
  return {
    files,
    clock,
    sandbox,
    claim: async () => (await claimStart(sandbox, 'r', clock)).attempt,
    textOf: (name: string) => files.get(`${RUN}/${name}`),
  }
}

const goesOn = { code: 'CONFLICT', facts: { runId: 'r' } }

describe('the start of a run', () => {
  it('is the first one, and names the process of its host', async () => {
    const { claim, textOf, files } = sandboxWith()
    expect(await claim()).toBe(1)
    expect(JSON.parse(textOf('1.json') ?? '')).toEqual({
      host: await ownProcessHandle(),
      id: expect.any(String),
    })
    expect(files.size).toBe(1)
  })

  it('is refused while this process is starting the run', async () => {
    const { claim, clock } = sandboxWith()
    await claim()
    clock.advance(60_000)
    expect(await refusalOf(claim())).toMatchObject(goesOn)
  })

  it('comes after one that this process has given up, also if its claim was left', async () => {
    const { sandbox, clock, claim, textOf } = sandboxWith()
    const { release } = await claimStart(sandbox, 'r', clock)
    expect(await refusalOf(claim())).toMatchObject(goesOn)
    release()
    expect(await claim()).toBe(2)
    expect(textOf('1/run.json')).toContain('abandoned')
  })

  it('leaves no claim under way when the claim cannot be written', async () => {
    const { sandbox, files, clock, claim } = sandboxWith()
    const { writeAtomic } = sandbox.files
    const lost = new AskError('UNREACHABLE', 'It is away')
    sandbox.files.writeAtomic = async (...written) => {
      await writeAtomic(...written)
      throw lost
    }
    await expect(claimStart(sandbox, 'r', clock)).rejects.toBe(lost)
    sandbox.files.writeAtomic = writeAtomic
    expect([files.size, await claim()]).toEqual([1, 2])
  })

  it('is refused if another host starts the run while this one looks', async () => {
    const { sandbox, files, claim } = sandboxWith({ '1.json': ELSEWHERE, '1/run.json': recordOf(1) }, ['p2'])
    const { list } = sandbox.files
    sandbox.files.list = async (folder) => {
      files.set(`${RUN}/2.json`, ELSEWHERE)
      files.set(`${RUN}/2/run.json`, recordOf(2, { process: 'p2' }))
      sandbox.files.list = list
      return list(folder)
    }
    // The first list is that of the records.
    const first = sandbox.files.list
    sandbox.files.list = async (folder) => {
      sandbox.files.list = first
      return list(folder)
    }
    expect(await refusalOf(claim())).toMatchObject(goesOn)
    expect(files.has(`${RUN}/3.json`)).toBe(false)
  })

  it('is refused while the run goes on', async () => {
    const { claim, files } = sandboxWith({ '1.json': '{}', '1/run.json': recordOf(1) }, ['p1'])
    expect(await refusalOf(claim())).toMatchObject({
      ...goesOn,
      message: expect.stringContaining('This run goes on already'),
    })
    expect(files.size).toBe(2)
  })

  it('comes after a run that has ended', async () => {
    const { claim, textOf } = sandboxWith({ '1.json': ELSEWHERE, '1/run.json': recordOf(1) })
    expect(await claim()).toBe(2)
    expect(textOf('1/run.json')).toBe(recordOf(1))
    expect(textOf('2.json')).toBeDefined()
  })

  it('is refused while nobody knows whether the run goes on', async () => {
    const nameless = sandboxWith({ '1.json': '{}', '1/run.json': recordOf(1, { process: '' }) })
    expect(await refusalOf(nameless.claim())).toMatchObject({
      code: 'INVALID_FILE',
      message: 'Whether this run goes on is not known. Its record names no process.',
      facts: { runId: 'r' },
    })
    const damaged = sandboxWith({ '1.json': '{}', '1/run.json': '{' })
    const { code, message } = await refusalOf(damaged.claim())
    expect([code, message]).toEqual([
      'INVALID_FILE',
      expect.stringMatching(/^Whether this run goes on is not known\. .+/),
    ])
    expect(message).not.toContain('names no process')
  })

  it('comes after a run without a process whose log has its end', async () => {
    const { claim } = sandboxWith({
      '1.json': '{}',
      '1/run.json': recordOf(1, { process: '' }),
      '1/stream.sse': 'data: {"type":"finish"}\n\ndata: [DONE]\n\n',
    })
    expect(await claim()).toBe(2)
  })

  it('comes at once after a start that failed', async () => {
    const abandoned = JSON.stringify({ version: 1, runId: 'r', attempt: 1, abandoned: true })
    const { claim, textOf } = sandboxWith({ '1.json': ELSEWHERE, '1/run.json': abandoned })
    expect(await claim()).toBe(2)
    expect(textOf('1/run.json')).toBe(abandoned)
  })

  it('comes at once after a start whose claim was removed', async () => {
    const { claim, textOf } = sandboxWith({ '1/stream.sse': '' })
    expect(await claim()).toBe(2)
    expect(textOf('1/run.json')).toBeUndefined()
  })

  it('comes ten seconds after a start of a host that cannot be seen, which is given up then', async () => {
    for (const text of [ELSEWHERE, '{}', 'no JSON', '{"host":7}']) {
      const { claim, clock, textOf } = sandboxWith({ '1.json': text })
      expect(await refusalOf(claim())).toMatchObject(goesOn)
      clock.advance(9_999)
      expect(await refusalOf(claim())).toMatchObject(goesOn)
      expect(textOf('1/run.json')).toBeUndefined()
      clock.advance(1)
      expect(await claim()).toBe(2)
      expect(JSON.parse(textOf('1/run.json') ?? '')).toEqual({
        version: 1,
        runId: 'r',
        attempt: 1,
        abandoned: true,
      })
    }
  })

  it('comes at once after a start of a later time, when the clock was set back', async () => {
    const { sandbox } = sandboxWith({ '1.json': ELSEWHERE })
    const { attempt } = await claimStart(sandbox, 'r', createFakeClock('2025-12-31T23:59:59.999Z'))
    expect(attempt).toBe(2)
  })

  it('is refused if another host gives up the same start, or claims the next one, first', async () => {
    for (const path of [`${RUN}/1/run.json`, `${RUN}/2.json`]) {
      const { sandbox, clock, claim, files } = sandboxWith({ '1.json': ELSEWHERE })
      clock.advance(10_000)
      const { writeAtomic } = sandbox.files
      sandbox.files.writeAtomic = async (written, ...more) => {
        if (written === path) files.set(path, '{}')
        return writeAtomic(written, ...more)
      }
      expect(await refusalOf(claim())).toMatchObject(goesOn)
    }
  })
})

describe('a file that only one host may write', () => {
  it('tells of the other host, and of every other failure as it is', async () => {
    await expect(orConflict('r', Promise.resolve())).resolves.toBeUndefined()
    const conflict = orConflict('r', Promise.reject(new AskError('CONFLICT', 'It exists')))
    expect(await refusalOf(conflict)).toMatchObject({
      ...goesOn,
      message: expect.stringContaining('This run goes on already'),
    })
    for (const failure of [new AskError('UNREACHABLE', 'It is away'), new Error('The disk is full')])
      await expect(orConflict('r', Promise.reject(failure))).rejects.toBe(failure)
  })
})

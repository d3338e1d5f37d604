import { AskError } from '@sandagent/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSigningKey, parseSigningKeys } from '../../../src/index.ts'
import { attemptPaths } from '../../../src/run-records/run-paths.ts'
import { launchRunner } from '../../../src/runs/start/launch-runner.ts'
import type { RunRequest } from '../../../src/runs/start/run-request.ts'
import type { DetachedPrograms } from '../../../src/sandbox/programs/detached-programs.ts'
import type { RunSandbox } from '../../../src/sandbox/sandbox.ts'
import type { SigningKeys } from '../../../src/signing/signing-keys.ts'
import { refusalOf, tempSandbox } from '../../support/temp-sandbox.ts'

type Start = DetachedPrograms['start']

const FACTS = {
  version: 1,
  runId: 'r',
  attempt: 1,
  agent: 'command',
  args: ['--', 'sh'],
  prompt: '-v',
  metadata: {},
  startedAt: '2026-01-01T00:00:00.000Z',
  maxLogBytes: 1000,
} as const

/** Begins at once, as the system's programs do. */
const begins: Start = async (_command, _args, { beforeStart }) => {
  await beforeStart?.('p1')
  return { handle: 'p1', ended: new Promise<never>(() => {}) }
}

/** A sandbox whose programs are what the test says, and the claim of a start in it. */
async function launching(start: Start = begins) {
  const { files, workdir, spawn } = await tempSandbox()
  const started = vi.fn(start)
  const kill = vi.fn(async () => {})
  const detached = { start: started, isRunning: async () => false, interrupt: async () => {}, kill }
  const paths = attemptPaths({}, 'r', 1)
  await files.writeAtomic(paths.claim, '{}')
  const launch = (
    request: Partial<RunRequest> = {},
    {
      facts = {},
      keys = null,
      env = {},
      ...more
    }: Partial<RunSandbox> & { facts?: object; keys?: SigningKeys | null; env?: Record<string, string> } = {},
  ) =>
    launchRunner(
      { files, workdir, spawn, detached, ...more },
      { ...FACTS, ...facts },
      { agent: 'command', prompt: '', ...request },
      { signingKeys: keys, passkeys: undefined },
      async () => env,
    )
  const call = () => {
    const [command, args, options] = started.mock.calls[0] ?? []
    return { command, args, options }
  }
  const left = async () => [await files.read(paths.claim), await files.list(paths.folder)]
  return { files, workdir, paths, launch, call, left, started, kill }
}

describe('a runner', () => {
  it('gets its agent, its run and its prompt, and its outputs go into the files of its start', async () => {
    const { launch, call, paths, workdir } = await launching()
    await launch()
    const { command, args, options } = call()
    const own = ['run', '--agent', 'command', '--workdir', workdir, '--run-id', 'r', '--format', 'stream']
    expect([command, args]).toEqual(['sandagent', [...own, '--prompt=-v', '--', 'sh']])
    expect(options).toMatchObject({ stdout: paths.stream, stderr: paths.errors, hosts: [] })
  })

  it('gets where the state of its sandbox is, how long that is kept, and which runs it continues', async () => {
    const optionsOf = async (request: Partial<RunRequest>, sandbox: Partial<RunSandbox> = {}) => {
      const { launch, call } = await launching()
      await launch(request, sandbox)
      const args = call().args ?? []
      return args.slice(args.indexOf('stream') + 1, args.indexOf('--prompt=-v'))
    }
    expect(await optionsOf({})).toEqual([])
    expect(await optionsOf({}, { stateFolder: '.mine', sweepAfterMs: 1000 })).toEqual([
      '--state-folder=.mine',
      '--sweep-after-ms=1000',
    ])
    expect(await optionsOf({}, { sweepAfterMs: false })).toEqual(['--sweep-after-ms=never'])
    expect(await optionsOf({ continues: ['a', '-b'] })).toEqual(['--continues=a', '--continues=-b'])
  })

  it('is started by another command, after arguments of that', async () => {
    const { launch, call } = await launching()
    await launch({ runner: ['node', 'main.js'] })
    expect([call().command, call().args?.slice(0, 3)]).toEqual(['node', ['main.js', 'run', '--agent']])
  })

  it('gets the public keys of its host, and never the private ones', async () => {
    const keys = await parseSigningKeys(await createSigningKey())
    const { launch, call } = await launching()
    const env = { SANDAGENT_SIGNING_KEY: 'secret', SANDAGENT_PUBLIC_KEYS: 'others', A: 'a' }
    await launch({ env }, { keys, env: { FLEET: 'f' } })
    expect(call().options?.env).toEqual({
      A: 'a',
      FLEET: 'f',
      SANDAGENT_SIGNING_KEY: undefined,
      SANDAGENT_KNOWN_WORKDIRS: 'off',
      SANDAGENT_PUBLIC_KEYS: JSON.stringify(keys.publicKeys),
    })
    expect(call().options?.env).toHaveProperty('SANDAGENT_SIGNING_KEY')
  })

  it('of a host without keys gets none, not even those of a request', async () => {
    const { launch, call } = await launching()
    await launch({ env: { SANDAGENT_PUBLIC_KEYS: 'others' } })
    const env = call().options?.env ?? {}
    expect(env).toHaveProperty('SANDAGENT_PUBLIC_KEYS')
    expect(env.SANDAGENT_PUBLIC_KEYS).toBeUndefined()
  })

  it('gets what Claude Code needs from this process on this machine, or else by name', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'key')
    vi.stubEnv('OTHER_KEY', 'other')
    onTestFinished(() => void vi.unstubAllEnvs())
    const envOf = async (request: Partial<RunRequest>, sandbox: Partial<RunSandbox> = {}) => {
      const { launch, call } = await launching()
      await launch(request, { facts: { agent: 'claude' }, ...sandbox })
      expect(call().options?.hosts).toEqual(['api.anthropic.com:443'])
      const { ANTHROPIC_API_KEY, OTHER_KEY } = call().options?.env ?? {}
      return [ANTHROPIC_API_KEY, OTHER_KEY]
    }
    expect(await envOf({})).toEqual([undefined, undefined])
    expect(await envOf({}, { hostFolder: '/here' })).toEqual(['key', undefined])
    expect(await envOf({ passEnv: ['OTHER_KEY'] }, { hostFolder: '/here' })).toEqual([undefined, 'other'])
    expect(await envOf({ passEnv: ['OTHER_KEY'], env: { OTHER_KEY: 'given' } })).toEqual([undefined, 'given'])
  })

  it('begins after the record of its run is written', async () => {
    let recordAtStart: string | null = null
    const { launch, files, paths } = await launching(async (command, args, options) => {
      const program = await begins(command, args, options)
      recordAtStart = await files.read(paths.record)
      return program
    })
    const { record } = await launch()
    expect(record).toEqual({ ...FACTS, process: 'p1' })
    expect(JSON.parse(recordAtStart ?? '')).toEqual(record)
  })
})

describe('a start that fails', () => {
  it('leaves nothing behind', async () => {
    const failure = new Error('The disk is full')
    const { launch, left } = await launching(async (...call) => {
      await begins(...call)
      throw failure
    })
    await expect(launch()).rejects.toBe(failure)
    expect(await left()).toEqual([null, []])
  })

  it('passes a stop on to the start before, which is then the last one', async () => {
    const next = attemptPaths({}, 'r', 2)
    const { launch, files, paths } = await launching(async (...call) => {
      await begins(...call)
      await files.writeAtomic(next.stop, '{"reason":"Enough"}')
      throw new AskError('UNREACHABLE', 'The connection is lost')
    })
    await files.writeAtomic(paths.record, JSON.stringify({ ...FACTS, process: 'p0' }))
    expect(await refusalOf(launch({}, { facts: { attempt: 2 } }))).toMatchObject({ code: 'UNREACHABLE' })
    expect(await files.read(paths.stop)).toBe('{"reason":"Enough"}')
    expect((await files.list('.sandagent/runs/r')).sort()).toEqual(['1', '1.json'])
  })

  it('leaves the files of a host that has skipped this start', async () => {
    const { launch, files, paths, left } = await launching()
    await files.writeAtomic(paths.record, '{}')
    expect(await refusalOf(launch())).toMatchObject({ code: 'CONFLICT', facts: { runId: 'r' } })
    expect(await left()).toEqual(['{}', ['run.json']])
    expect(await files.read(paths.record)).toBe('{}')
  })

  it('says what to install, if the command is not there', async () => {
    const missing = new AskError('NOT_FOUND', 'It is not there')
    const { launch } = await launching(() => Promise.reject(missing))
    expect(await refusalOf(launch())).toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('npm install sandagent'),
      cause: missing,
    })
    // Another command is not to be installed, and another failure is none of a missing command.
    await expect(launch({ runner: ['node'] })).rejects.toBe(missing)
    const invalid = new AskError('INVALID_REQUEST', 'This cannot be an argument')
    const { launch: launchWrong } = await launching(() => Promise.reject(invalid))
    await expect(launchWrong()).rejects.toBe(invalid)
  })

  it('is refused before anything is started if its record would be too long', async () => {
    const { launch, started, left } = await launching()
    const sizeOf = (facts: object) => Buffer.byteLength(JSON.stringify({ ...FACTS, ...facts }))
    const most = 512 * 1024
    const longest = { prompt: 'x'.repeat(most - sizeOf({ prompt: '' })) }
    expect(sizeOf(longest)).toBe(most)
    await launch({}, { facts: longest })
    expect(started).toHaveBeenCalledOnce()
    const other = await launching()
    const refusal = await refusalOf(other.launch({}, { facts: { prompt: `${longest.prompt}x` } }))
    expect(refusal).toMatchObject({ code: 'TOO_LARGE', facts: { runId: 'r' } })
    expect(other.started).not.toHaveBeenCalled()
    expect(await other.left()).toEqual([null, []])
    expect(await left()).toEqual(['{}', ['run.json']])
  })

  it('ends a program that has begun without the record of its run', async () => {
    const { launch, kill, left } = await launching(async () => ({
      handle: 'early',
      ended: new Promise<never>(() => {}),
    }))
    await expect(launch()).rejects.toThrow('do not call beforeStart')
    expect(kill).toHaveBeenCalledWith('early')
    expect(await left()).toEqual([null, []])
  })
})

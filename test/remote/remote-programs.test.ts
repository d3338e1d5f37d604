import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, it, vi } from 'vitest'
import { pipedSandbox, type Wire } from '../support/remote/piped-sandbox.ts'

const OUTPUTS = { stdout: 'out', stderr: 'err' }

const ends = (pid: number): Promise<void> =>
  vi.waitFor(() => {
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

it('a spawned program gets its input and environment, and all of a large output comes back', async () => {
  const { sandbox } = await pipedSandbox()
  const child = await sandbox.spawn('sh', ['-c', 'printf %s "$GIVEN:$HOME"; cat; exit 3'], {
    env: { GIVEN: 'here', HOME: undefined },
  })
  const bytes = randomBytes(5 * 1024 * 1024)
  child.stderr.resume()
  child.stdin.end(bytes)
  const printed = await buffer(child.stdout)
  expect(printed.subarray(0, 5).toString()).toBe('here:')
  expect(printed.subarray(5).equals(bytes)).toBe(true)
  expect(await child.ended).toEqual({ exitCode: 3, signal: null })
})

it('a program that cannot be started says so when it has ended', async () => {
  const { sandbox } = await pipedSandbox()
  const child = await sandbox.spawn('no-such-program')
  expect(child.pid).toBeUndefined()
  expect(await child.ended).toMatchObject({ exitCode: null, error: { code: 'ENOENT' } })
})

it('a spawned program that nobody reads waits, and ends when it is killed', async () => {
  const { sandbox, wire } = await pipedSandbox()
  const child = await sandbox.spawn('yes')
  await vi.waitFor(() => expect(wire.frames.length).toBeGreaterThan(5))
  let count = 0
  await vi.waitFor(() => {
    const before = count
    count = wire.frames.length
    expect(count).toBe(before)
  })
  child.kill()
  child.stdout.resume()
  child.stderr.resume()
  expect(await child.ended).toEqual({ exitCode: null, signal: 'SIGTERM' })
})

it('a spawned program ends with its connection', async () => {
  const { sandbox, wire } = await pipedSandbox()
  const child = await sandbox.spawn('sleep', ['1000'])
  child.stdout.resume()
  child.stderr.resume()
  wire.cut()
  expect(await child.ended).toMatchObject({ exitCode: null, error: { code: 'UNREACHABLE' } })
  await ends(child.pid as number)
})

it('a detached program begins after its record was written, and goes on without the connection', async () => {
  const { sandbox, wire, workdir } = await pipedSandbox()
  const { handle, ended } = await sandbox.detached.start('sh', ['-c', 'echo begun; exec sleep 1000'], {
    ...OUTPUTS,
    beforeStart: async () => {
      expect(await sandbox.files.read('out')).toBe('')
      await sandbox.files.writeAtomic('record', 'written')
    },
  })
  await vi.waitFor(async () => expect(await sandbox.files.read('out')).toBe('begun\n'))
  wire.cut()
  expect(await sandbox.detached.isRunning(handle)).toBe(true)
  await sandbox.detached.interrupt(handle)
  expect(await ended).toEqual({ exitCode: null, signal: null })
  expect(await sandbox.detached.isRunning(handle)).toBe(false)
  await vi.waitFor(async () =>
    expect((await sandbox.files.list('.')).sort()).toEqual(['err', 'out', 'record']),
  )
  expect(await readFile(join(workdir, 'record'), 'utf8')).toBe('written')
})

it('a program does not begin when its record cannot be written', async () => {
  const { sandbox } = await pipedSandbox()
  const refused = sandbox.detached.start('touch', ['begun'], {
    ...OUTPUTS,
    beforeStart: () => Promise.reject(new Error('no record')),
  })
  await expect(refused).rejects.toThrow('no record')
  expect((await sandbox.files.list('.')).sort()).toEqual(['err', 'out'])
})

it('programs that cannot be started, and outputs that exist, are refused as on this machine', async () => {
  const { sandbox, workdir } = await pipedSandbox()
  const start = (command: string, args: string[] = []) => sandbox.detached.start(command, args, OUTPUTS)
  await expect(start('no-such-program')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await sandbox.files.remove('out')
  await sandbox.files.remove('err')
  await expect(start('echo', ['\0'])).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  await sandbox.files.remove('out')
  await writeFile(join(workdir, 'err'), 'somebody’s')
  await expect(start('echo')).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await readFile(join(workdir, 'err'), 'utf8')).toBe('somebody’s')
})

/** Starts a program while a connection is cut at the nth message, and counts how often it has begun. */
async function startWithCut(
  nth: number,
): Promise<{ outcome: string; begun: number; wire: Wire; messages: number }> {
  const { sandbox, wire, workdir } = await pipedSandbox()
  await sandbox.files.list('.')
  let messages = 0
  wire.onFrame = () => ++messages === nth
  const outcome = await sandbox.detached
    .start('sh', ['-c', 'echo begun >> count; exec sleep 1000'], {
      ...OUTPUTS,
      beforeStart: (handle) => sandbox.files.writeAtomic('record', handle),
    })
    .then(
      ({ handle }) => handle,
      (error: { code: string }) => error.code,
    )
  const whole = messages
  const isStarted = outcome.includes(' ')
  if (isStarted) {
    expect(await sandbox.files.read('record')).toBe(outcome)
    await vi.waitFor(async () => expect(await sandbox.files.read('count')).toContain('begun'))
    await sandbox.detached.kill(outcome)
  }
  // A relay that has gone ended what it had prepared.
  const begun = await readFile(join(workdir, 'count'), 'utf8').catch(() => '')
  for (const pid of wire.relays.slice(0, -1)) await ends(pid)
  return { outcome, begun: begun.split('begun').length - 1, wire, messages: whole }
}

it('a program begins once or never, wherever the connection is cut during its start', async () => {
  const { messages } = await startWithCut(0)
  expect(messages).toBeGreaterThanOrEqual(6)
  const outcomes: string[] = []
  for (let nth = 1; nth <= messages; nth++) {
    const { outcome, begun } = await startWithCut(nth)
    const isStarted = outcome.includes(' ')
    expect({ nth, begun }).toEqual({ nth, begun: isStarted ? 1 : 0 })
    outcomes.push(isStarted ? 'started' : outcome)
  }
  expect(outcomes).toContain('started')
  expect(
    outcomes.filter((outcome) => outcome !== 'started').every((outcome) => outcome === 'UNREACHABLE'),
  ).toBe(true)
})

it('a program ends when it is no longer awaited, or its files are long enough', async () => {
  const { sandbox } = await pipedSandbox()
  const { handle } = await sandbox.detached.start(
    'sh',
    ['-c', 'sleep 0.2; echo hello; exec sleep 1000'],
    OUTPUTS,
  )
  const { signal } = new AbortController()
  await sandbox.detached.until?.(handle, { files: ['out', 'err'], bytes: 5, signal })
  expect(await sandbox.files.read('out')).toBe('hello\n')
  const gone = sandbox.detached.until?.(handle, { files: ['out'], bytes: 100, signal })
  await sandbox.detached.kill(handle)
  await gone
  expect(await sandbox.detached.isRunning(handle)).toBe(false)
})

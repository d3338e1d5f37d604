import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { AskError } from '@sandagent/core'
import { createLocalFiles } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import type { DetachedOptions, ProcessEnd } from '@sandagent/sdk'
import { expect, it, vi } from 'vitest'
import { startHandlers } from '../../src/relay/prepared-programs.ts'

type Start = (command: string, args: readonly string[], options: DetachedOptions) => Promise<void>

const OUTPUTS = { stdout: 'o/out', stderr: 'o/err' }
const PROGRAM = { token: 't', command: 'x', args: ['1'], ...OUTPUTS }

/** A relay whose programs start once they may. `before` runs before a program is prepared, `after` when it begins or not. */
function relayAt(workdir: string, { before = async () => {}, after = async () => {} } = {}) {
  let end = (_: ProcessEnd): void => {}
  const ended = new Promise<ProcessEnd>((resolve) => {
    end = resolve
  })
  const start = vi.fn<Start>(async () => {})
  const refused = vi.fn()
  const detached = {
    async start(command: string, args: readonly string[], options: DetachedOptions) {
      await before()
      await options.beforeStart?.('h').catch(refused).finally(after)
      if (refused.mock.calls.length > 0) throw new Error('It was given up')
      await start(command, args, options)
      return { handle: 'h', ended }
    },
  }
  const whenGone = vi.fn(async (_handle: string, _signal: AbortSignal) => {})
  const handlers = startHandlers(createLocalFiles(workdir), detached as never, whenGone)
  const task = {
    signal: new AbortController().signal,
    again: false,
    emit: async () => {},
    onInput: () => {},
  }
  return {
    ...{ start, refused, whenGone },
    end: (given: ProcessEnd) => end(given),
    prepare: (more: object = {}, again = false) =>
      handlers.prepare({ ...PROGRAM, ...more }, { ...task, again }),
    begin: (token = 't') => handlers.begin({ token, stdout: OUTPUTS.stdout }, task),
    drop: () => handlers.drop({ token: 't' }, task),
    settle: () => handlers.settle({ stdout: OUTPUTS.stdout }, task),
    whenEnded: (signal = task.signal) => handlers.whenEnded({ token: 't', handle: 'h' }, { ...task, signal }),
  }
}

const filesIn = async (workdir: string): Promise<string[]> => (await readdir(join(workdir, 'o'))).sort()

it('a prepared program begins when its host says so, with its variables, hosts and outputs', async () => {
  const workdir = await tempDir()
  const { prepare, begin, settle, start } = relayAt(workdir)
  expect(await prepare({ env: { A: 'a', B: null }, hosts: ['h.example'] })).toEqual({ handle: 'h' })
  expect(await filesIn(workdir)).toEqual(['.out.prepared'])
  expect(start).not.toHaveBeenCalled()
  expect(await begin()).toBe(true)
  const options = { env: { A: 'a', B: undefined }, hosts: ['h.example'], ...OUTPUTS }
  expect(start.mock.calls).toEqual([['x', ['1'], { ...options, beforeStart: expect.any(Function) }]])
  expect(await filesIn(workdir)).toEqual(['.out.begun', '.out.prepared'])
  expect(await settle()).toBeNull()
  expect(await filesIn(workdir)).toEqual([])
})

it('a program begins once, however often and wherever its host says so', async () => {
  const workdir = await tempDir()
  const [first, next] = [relayAt(workdir), relayAt(workdir)]
  await first.prepare()
  expect([await first.begin(), await first.begin(), await next.begin()]).toEqual([true, true, true])
  expect(first.start).toHaveBeenCalledOnce()
  await expect(next.begin('other')).rejects.toMatchObject({ code: 'CONFLICT' })
})

it('a program that ended with its relay never begins, not even where it is prepared later', async () => {
  const workdir = await tempDir()
  const [first, next] = [relayAt(workdir), relayAt(workdir)]
  await first.prepare()
  expect([await next.begin(), await next.begin(), await first.begin()]).toEqual([false, false, false])
  expect(first.start).not.toHaveBeenCalled()
  await expect(next.begin('other')).rejects.toMatchObject({ code: 'CONFLICT' })
})

it.each([new Error('The disk is full'), new AskError('UNSAFE_PATH', 'A link')])(
  'a beginning that cannot be noted fails, and nothing begins: %s',
  async (failure) => {
    const workdir = await tempDir()
    const { prepare, start } = relayAt(workdir)
    const files = createLocalFiles(workdir)
    await prepare()
    const read = vi.fn(async () => 't')
    const full = { ...files, writeAtomic: () => Promise.reject(failure), read }
    const handlers = startHandlers(full, {} as never, async () => {})
    await expect(handlers.begin({ token: 't', stdout: 'o/out' }, {} as never)).rejects.toBe(failure)
    expect(read).not.toHaveBeenCalled()
    expect(start).not.toHaveBeenCalled()
  },
)

it('a program that cannot start when it begins fails there', async () => {
  const failure = new AskError('NOT_FOUND', 'There is no program x')
  const workdir = await tempDir()
  const { prepare, begin } = relayAt(workdir, { after: () => Promise.reject(failure) })
  await prepare()
  await expect(begin()).rejects.toBe(failure)
})

it.each(['o/out', 'o/err'])('an output %s that exists is refused, and stays', async (path) => {
  const workdir = await tempDir()
  await createLocalFiles(workdir).writeAtomic(path, 'old')
  const error = await relayAt(workdir)
    .prepare()
    .catch((error: unknown) => error)
  expect(error).toMatchObject({ code: 'CONFLICT', facts: { path } })
  expect(await createLocalFiles(workdir).read(path)).toBe('old')
  expect(await filesIn(workdir)).toEqual([path.slice(2)])
})

it('two programs cannot have the same outputs', async () => {
  const workdir = await tempDir()
  await relayAt(workdir).prepare()
  for (const again of [false, true])
    await expect(relayAt(workdir).prepare({ token: 'other' }, again)).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  await expect(relayAt(workdir).prepare()).rejects.toMatchObject({ code: 'CONFLICT' })
})

it('a repeated request removes what an earlier relay made for it', async () => {
  const workdir = await tempDir()
  const files = createLocalFiles(workdir)
  await relayAt(workdir).prepare()
  for (const path of ['o/out', 'o/err']) await files.writeAtomic(path, 'old')
  const { prepare, begin } = relayAt(workdir)
  expect(await prepare({}, true)).toEqual({ handle: 'h' })
  expect(await filesIn(workdir)).toEqual(['.out.prepared'])
  expect(await begin()).toBe(true)
})

it.each([false, true])(
  'a program that cannot be prepared leaves no mark, and cannot begin',
  async (again) => {
    const failure = new AskError('NOT_FOUND', 'There is no program x')
    const workdir = await tempDir()
    const { prepare, begin } = relayAt(workdir, { before: () => Promise.reject(failure) })
    if (again) await relayAt(workdir).prepare()
    await expect(prepare({}, again)).rejects.toBe(failure)
    expect(await filesIn(workdir)).toEqual([])
    expect(await begin()).toBe(false)
  },
)

it('a dropped program never begins, and its host waits until it is gone', async () => {
  const workdir = await tempDir()
  const isGone = vi.fn()
  const after = () => turn().then(isGone)
  const { prepare, begin, drop, start, refused } = relayAt(workdir, { after })
  await prepare()
  expect(await drop()).toBeNull()
  expect(isGone).toHaveBeenCalledOnce()
  expect(refused.mock.calls).toMatchObject([[{ code: 'UNREACHABLE', message: expect.stringContaining(' ') }]])
  expect(await begin()).toBe(false)
  expect(start).not.toHaveBeenCalled()
  expect(await drop()).toBeNull()
})

it('the end of a program has its exit code and its signal', async () => {
  const { prepare, begin, whenEnded, whenGone, end } = relayAt(await tempDir())
  await prepare()
  await begin()
  const ending = whenEnded()
  end({ exitCode: 3, signal: 'SIGTERM', error: new Error('no luck') })
  expect(await ending).toEqual({ exitCode: 3, signal: 'SIGTERM' })
  expect(whenGone).not.toHaveBeenCalled()
  // What has ended is forgotten.
  expect(await whenEnded()).toEqual({ exitCode: null, signal: null })
})

it('the end of a program that another relay started has no exit code', async () => {
  const { whenEnded, whenGone } = relayAt(await tempDir())
  const { signal } = new AbortController()
  expect(await whenEnded(signal)).toEqual({ exitCode: null, signal: null })
  expect(whenGone.mock.calls).toEqual([['h', signal]])
})

it('the wait for an end stops with its request, and may begin again', async () => {
  const { prepare, begin, whenEnded, whenGone, end } = relayAt(await tempDir())
  await prepare()
  await begin()
  const signal = AbortSignal.abort()
  expect(await whenEnded(signal)).toEqual({ exitCode: null, signal: null })
  expect(whenGone.mock.calls).toEqual([['h', signal]])
  end({ exitCode: 0, signal: null })
  expect(await whenEnded()).toEqual({ exitCode: 0, signal: null })
})

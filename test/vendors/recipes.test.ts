import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { serveRelay } from '@sandagent/remote/relay'
import { LocalSandbox } from '@sandagent/sdk'
import { expect, it, vi } from 'vitest'
import { daytonaSandbox } from '../../examples/vendors/daytona.mjs'
import { e2bSandbox } from '../../examples/vendors/e2b.mjs'
import { modalSandbox } from '../../examples/vendors/modal.mjs'
import { vercelSandbox } from '../../examples/vendors/vercel.mjs'

const OPTIONS = { workdir: '/w' }

it('sandboxes of different providers, and of different ids, are different', () => {
  const make = (id: string) => [
    modalSandbox({ sandboxId: id } as never, OPTIONS),
    e2bSandbox({ sandboxId: id } as never, OPTIONS),
    vercelSandbox({ name: id } as never, OPTIONS),
    daytonaSandbox({ id } as never, OPTIONS),
  ]
  const ids = [...make('one'), ...make('two')].map(({ files }) => files.id)
  expect(new Set(ids).size).toBe(8)
  expect(make('one').map(({ files }) => files.id)).toEqual(ids.slice(0, 4))
})

it('a sandbox of Modal is reached by the streams of a program', async () => {
  const workdir = join(await tempDir(), 'workdir')
  const sandbox = new LocalSandbox({ workdir, isolation: 'none', onIsolation: () => {} })
  const closeStdin = vi.fn(async () => {})
  const exec = vi.fn(async (_argv: string[], _options: object) => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const serving = serveRelay({ sandbox, input, output, version: '1' })
    return {
      stdin: Writable.toWeb(input),
      stdout: Readable.toWeb(output),
      wait: () => serving.then(() => 3),
      closeStdin,
    }
  })
  const remote = modalSandbox({ sandboxId: 'one', exec } as never, { workdir, relay: ['sandagent', '-q'] })
  await remote.files.writeAtomic('f', 'text')
  expect(await sandbox.files.read('f')).toBe('text')
  const [argv, options] = exec.mock.calls[0] as [string[], object]
  expect(argv.slice(0, 3)).toEqual(['sandagent', '-q', 'relay'])
  expect(options).toEqual({ mode: 'binary', stderr: 'ignore' })
  remote.close()
  await vi.waitFor(() => expect(closeStdin).toHaveBeenCalledOnce())
})

it.each([
  ['ends', async () => 3, 'The relay ended with 3'],
  ['is lost', () => Promise.reject(new Error('The machine is gone')), 'The machine is gone'],
])('a program of Modal that %s says why, and its streams are closed', async (_, wait, reason) => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const closeStdin = vi.fn(() => Promise.reject(new Error('It is closed')))
  const exec = async () => ({
    ...{ stdin: Writable.toWeb(input), stdout: Readable.toWeb(output), wait, closeStdin },
  })
  const remote = modalSandbox({ sandboxId: 'one', exec } as never, { ...OPTIONS, relay: ['relay'] })
  await expect(remote.files.read('f')).rejects.toMatchObject({
    code: 'UNREACHABLE',
    message: expect.stringContaining(reason),
  })
  await vi.waitFor(() => expect([input.writableEnded, output.destroyed]).toEqual([true, true]))
  expect(closeStdin).toHaveBeenCalledOnce()
  remote.close()
})

/** The relay of a sandbox of this machine, as programs of vendors reach it. */
async function relaying() {
  const workdir = join(await tempDir(), 'workdir')
  const sandbox = new LocalSandbox({ workdir, isolation: 'none', onIsolation: () => {} })
  const [input, output] = [new PassThrough(), new PassThrough()]
  const written: string[] = []
  const serve = () => serveRelay({ sandbox, input, output, version: '1' })
  /** Takes a file of the input, as the feeder inside the sandbox does. */
  const take = (path: string, content: Buffer): void => {
    written.push(path)
    if (path.endsWith('/end')) input.end()
    else input.write(content.subarray(content.indexOf('\n') + 1))
  }
  const options = { workdir, relay: ['sandagent', '-q'] as const, node: '/opt/node' }
  return { sandbox, input, output, serve, take, written, options }
}

it('a sandbox of Vercel is reached by files and by the output of a program', async () => {
  const { sandbox, output, serve, take, written, options } = await relaying()
  const close = vi.fn()
  const runCommand = vi.fn(async (_request: { cmd: string; args: string[]; detached: boolean }) => {
    void serve()
    const logs = async function* () {
      yield { stream: 'stderr', data: 'A warning that is no reply' }
      for await (const data of output) yield { stream: 'stdout', data: String(data) }
    }
    return { logs: () => Object.assign(logs(), { close }) }
  })
  const writeFiles = async ([file]: { path: string; content: Buffer }[]) =>
    take(file?.path ?? '', file?.content ?? Buffer.from(''))
  const remote = vercelSandbox({ name: 'one', runCommand, writeFiles } as never, options)
  await remote.files.writeAtomic('f', 'text')
  expect(await sandbox.files.read('f')).toBe('text')
  const [{ cmd, args, detached }] = runCommand.mock.calls[0] as Parameters<typeof runCommand>
  expect([cmd, args[0], detached]).toEqual(['/opt/node', '-e', true])
  expect(args.slice(3, 7)).toEqual(['log', 'sandagent', '-q', 'relay'])
  expect(written[0]).toBe(`${args[2]}/0`)
  expect(close).not.toHaveBeenCalled()
  remote.close()
  await vi.waitFor(() => expect(written.at(-1)).toBe(`${args[2]}/end`))
  expect(close).toHaveBeenCalledOnce()
})

it.each([
  ['closes its input', false],
  ['is killed where its input cannot be closed', true],
])('a program in a sandbox of E2B is reached by its streams, and %s', async (_, isOld) => {
  const { sandbox, input, output, serve, options } = await relaying()
  const closeStdin = vi.fn(async () => {
    if (isOld) throw new Error('This template is too old')
  })
  const [kill, disconnect] = [vi.fn(async () => true), vi.fn(async () => {})]
  const run = vi.fn(async (_line: string, given: { onStdout(text: string): unknown }) => {
    const serving = serve()
    output.on('data', (data) => void given.onStdout(String(data)))
    return {
      sendStdin: async (bytes: Buffer) => input.write(bytes),
      wait: () => serving,
      closeStdin,
      kill,
      disconnect,
    }
  })
  const remote = e2bSandbox({ sandboxId: 'one', commands: { run } } as never, options)
  await remote.files.writeAtomic('f', 'text')
  expect(await sandbox.files.read('f')).toBe('text')
  const [line, given] = run.mock.calls[0] as Parameters<typeof run>
  expect(line).toMatch(/'?sandagent'? '?-q'? '?relay'?/)
  expect(given).toMatchObject({ background: true, stdin: true, timeoutMs: 0 })
  remote.close()
  await vi.waitFor(() => expect(disconnect).toHaveBeenCalledOnce())
  expect(closeStdin).toHaveBeenCalledOnce()
  expect(kill).toHaveBeenCalledTimes(isOld ? 1 : 0)
})

/** A service of Daytona, over a relay of this machine. */
async function daytona({ executing = async () => ({ cmdId: 'c1' }) as { cmdId?: string } } = {}) {
  const relay = await relaying()
  const createSession = vi.fn(async (_id: string) => {})
  const deleteSession = vi.fn(async (_id: string) => {})
  const executeSessionCommand = vi.fn(
    async (_session: string, _request: { command: string; runAsync: boolean }) => executing(),
  )
  const getSessionCommandLogs = vi.fn(
    async (
      _session: string,
      _command: string,
      onStdout: (text: string) => void,
      onStderr: (text: string) => void,
    ) => {
      onStderr('A warning that is no reply')
      relay.output.on('data', (data) => onStdout(String(data)))
      await relay.serve()
    },
  )
  const process = { createSession, deleteSession, executeSessionCommand, getSessionCommandLogs }
  const fs = { uploadFile: async (bytes: Buffer, path: string) => relay.take(path, bytes) }
  return { ...relay, ...process, remote: daytonaSandbox({ id: 'one', fs, process }, relay.options) }
}

it('a sandbox of Daytona is reached by files and by the log of a session, which ends with the relay', async () => {
  const { remote, sandbox, written, ...calls } = await daytona()
  await remote.files.writeAtomic('f', 'text')
  expect(await sandbox.files.read('f')).toBe('text')
  const [session] = calls.createSession.mock.calls[0] ?? []
  expect(session).toMatch(/^sandagent-[0-9a-f-]{36}$/)
  const [at, request] = calls.executeSessionCommand.mock.calls[0] ?? []
  expect([at, request?.runAsync]).toEqual([session, true])
  expect(request?.command).toMatch(/^'?\/opt\/node'? '?-e'? /)
  expect(calls.getSessionCommandLogs.mock.calls[0]?.slice(0, 2)).toEqual([session, 'c1'])
  expect(calls.deleteSession).not.toHaveBeenCalled()
  remote.close()
  await vi.waitFor(() => expect(calls.deleteSession.mock.calls).toEqual([[session]]))
  expect(written.at(-1)).toMatch(/\/end$/)
})

it('a session of Daytona whose command cannot be run is removed', async () => {
  const { remote, createSession, deleteSession } = await daytona({
    executing: () => Promise.reject(new Error('No such command')),
  })
  deleteSession.mockRejectedValue(new Error('The sandbox is gone'))
  await expect(remote.files.read('f')).rejects.toThrow('No such command')
  expect(deleteSession.mock.calls).toEqual(createSession.mock.calls)
  remote.close()
})

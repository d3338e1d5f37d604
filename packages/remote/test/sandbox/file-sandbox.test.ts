import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { serveRelay } from '../../src/relay/serve-relay.ts'
import { type FileSandboxOptions, fileSandbox } from '../../src/sandbox/file-sandbox.ts'
import { tempSandbox } from '../support/temp-sandbox.ts'

/** A sandbox behind a place of files, in which a relay runs as the feeder inside starts it. */
async function reached(options: Partial<FileSandboxOptions> = {}) {
  const local = await tempSandbox()
  const files = new Map<string, Buffer>()
  const written: string[] = []
  const [input, output] = [new PassThrough(), new PassThrough()]
  let replies = 0
  const start = vi.fn(async ([, , , folder]: readonly [string, ...string[]]) => {
    const reply = (head: string, bytes: Buffer = Buffer.alloc(0)) =>
      files.set(`${folder}/reply-${replies++}`, Buffer.concat([Buffer.from(`${head}\n`), bytes]))
    output.on('data', (bytes: Buffer) => reply(`${bytes.length}`, bytes))
    void serveRelay({ sandbox: local, input, output, version: '1' }).then(() => reply('end'))
  })
  const writeFile = async (path: string, bytes: Buffer) => {
    written.push(path)
    if (path.endsWith('/end')) input.end()
    else input.write(bytes.subarray(bytes.indexOf('\n') + 1))
  }
  const readFile = vi.fn(async (path: string) => files.get(path) ?? null)
  const sandbox = fileSandbox(
    { start, writeFile, readFile },
    { name: 'one', workdir: local.workdir, relay: ['sandagent', '-q'], ...options },
  )
  onTestFinished(async () => {
    sandbox.close()
    await vi.waitFor(() => expect(input.writableEnded || start.mock.calls.length === 0).toBe(true))
  })
  return { local, sandbox, start, written, readFile, input }
}

it('a place of files starts the relay, and takes requests and replies', async () => {
  const { local, sandbox, start, written } = await reached({ node: '/opt/node' })
  await sandbox.files.writeAtomic('f', 'text')
  expect(await local.files.read('f')).toBe('text')
  expect(await sandbox.files.read('f')).toBe('text')
  const [argv] = start.mock.calls[0] ?? []
  expect([argv?.[0], argv?.[4], argv?.slice(5, 8)]).toEqual([
    '/opt/node',
    'files',
    ['sandagent', '-q', 'relay'],
  ])
  expect(written[0]).toBe(`${argv?.[3]}/0`)
})

it('a sandbox that is closed ends its relay, and looks for no more replies', async () => {
  const { sandbox, written, readFile } = await reached()
  await sandbox.files.list('.')
  sandbox.close()
  await vi.waitFor(() => expect(written.filter((path) => path.endsWith('/end'))).toHaveLength(1))
  for (let turns = 0; turns < 5; turns++) await turn()
  const { length } = readFile.mock.calls
  for (let turns = 0; turns < 5; turns++) await turn()
  expect(readFile.mock.calls).toHaveLength(length)
})

it('a relay that ends by itself learns that its last reply was read', async () => {
  const { sandbox, written, input } = await reached()
  await sandbox.files.list('.')
  input.end()
  await vi.waitFor(() => expect(written.at(-1)).toMatch(/\/end$/))
})

it('replies are looked for after the longest pause at the latest', async () => {
  const clock = createFakeClock()
  const { sandbox, readFile } = await reached({ clock, longestPauseMs: 20 })
  const listed = sandbox.files.list('.')
  const done = vi.fn()
  void listed.then(done)
  await vi.waitFor(() => {
    clock.advance(20)
    expect(done).toHaveBeenCalled()
  })
  for (let turns = 0; turns < 5; turns++) await turn()
  for (let looks = 0; looks < 5; looks++) {
    const { length } = readFile.mock.calls
    clock.advance(20)
    await vi.waitFor(() => expect(readFile.mock.calls).toHaveLength(length + 1))
    for (let turns = 0; turns < 5; turns++) await turn()
  }
})

it('a place that starts nothing cannot be reached, for its reason', async () => {
  const { sandbox, start } = await reached()
  start.mockRejectedValue(new Error('It is full'))
  await expect(sandbox.files.list('.')).rejects.toThrow('It is full')
  start.mockClear()
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { ownProcessHandle } from '@sandagent/files/internal'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { serveRelay } from '@sandagent/remote/relay'
import { LocalSandbox } from '@sandagent/sdk'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { isThere } from '../support/remote/is-there.ts'
import { COMMAND } from '../support/remote/piped-sandbox.ts'

/** Starts `sandagent relay`, and waits until it talks. */
async function relay(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [COMMAND, 'relay', ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  return child
}

/** A process that has ended is there until this process takes note of it. */
const hasEnded = (child: ChildProcess | undefined): Promise<void> =>
  vi.waitFor(() => expect(isThere(child?.pid as number)).toBe(false))

it('a relay ends the one before it of the same session, and no other one', async () => {
  const home = await tempDir()
  const args = [`--workdir=${join(home, 'w')}`, '--isolation=none']
  const [first, other] = await Promise.all(
    ['one', 'two'].map((session) => relay([...args, `--session=${session}`], { HOME: home })),
  )
  const second = await relay([...args, '--session=one'], { HOME: home })
  await hasEnded(first)
  expect([other, second].map((child) => isThere(child?.pid as number))).toEqual([true, true])
  second.stdin.end()
  expect(await once(second, 'exit')).toEqual([0, null])
})

it('without a home that can be written, relays note themselves among the temporary files', async () => {
  const folder = await tempDir()
  const args = [`--workdir=${join(folder, 'w')}`, '--isolation=none', '--session=one']
  await relay(args, { HOME: '/dev/null', TMPDIR: folder })
  expect(await readdir(join(folder, `sandagent-${process.getuid?.()}`))).toEqual(['one.session'])
})

it('a relay that stops answering signals is killed by the next one', async () => {
  const home = await tempDir()
  const args = [`--workdir=${join(home, 'w')}`, '--isolation=none', '--session=one']
  const first = await relay(args, { HOME: home })
  first.kill('SIGSTOP')
  const second = await relay(args, { HOME: home })
  await hasEnded(first)
  expect(isThere(second.pid as number)).toBe(true)
})

it('a relay says what is wrong with its command line', async () => {
  const { status, complaint } = await new Promise<{ status: number | null; complaint: string }>((resolve) => {
    const child = spawn(process.execPath, [COMMAND, 'relay'], { stdio: ['ignore', 'ignore', 'pipe'] })
    let complaint = ''
    child.stderr.on('data', (text) => {
      complaint += text
    })
    child.once('close', (status) => resolve({ status, complaint }))
  })
  expect(status).toBe(2)
  expect(complaint).toContain('--workdir is missing')
})

it('a relay refuses a request too many, and goes on', async () => {
  const clock = createFakeClock()
  const sandbox = new LocalSandbox({ workdir: join(await tempDir(), 'w'), isolation: 'none' })
  const [input, output] = [new PassThrough(), new PassThrough()]
  const served = serveRelay({ sandbox, input, output, version: '1', clock })
  let said = ''
  output.on('data', (text) => {
    said += text
  })
  const args = { token: 'one', handle: await ownProcessHandle() }
  for (let id = 1; id <= 5001; id++) input.write(`${JSON.stringify({ id, call: 'whenEnded', args })}\n`)
  input.write('{"ping":true}\n')
  await vi.waitFor(() => expect(said).toContain('{"pong":true}'))
  expect(said).toMatch(/^{"sandagent".*\n{"id":5001,"error":{"code":"TOO_LARGE".*\n{"pong":true}\n$/)
  input.end()
  await served
})

it('a relay whose host is silent for 90 seconds ends', async () => {
  const clock = createFakeClock()
  const sandbox = new LocalSandbox({ workdir: join(await tempDir(), 'w'), isolation: 'none' })
  const [input, output] = [new PassThrough(), new PassThrough()]
  let isOver = false
  const served = serveRelay({ sandbox, input, output, version: '1', clock }).then(() => {
    isOver = true
  })
  let said = ''
  output.on('data', (text) => {
    said += text
  })
  for (let pings = 1; pings <= 4; pings++) {
    clock.advance(60_000)
    input.write('{"ping":true}\n')
    await vi.waitFor(() => expect(said.split('{"pong":true}').length).toBe(pings + 1))
  }
  expect(isOver).toBe(false)
  clock.advance(90_000)
  await served
  expect(clock.pending()).toBeLessThanOrEqual(1)
})

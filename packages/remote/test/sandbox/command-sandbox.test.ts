import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type CommandSandboxOptions, commandSandbox } from '../../src/sandbox/command-sandbox.ts'
import type { RemoteSandbox } from '../../src/sandbox/remote-sandbox.ts'
import { refusalOf } from '../support/temp-sandbox.ts'

/** A sandbox whose command is a script of Node. */
function scripted(script: string, options: Partial<CommandSandboxOptions> = {}, ...args: string[]) {
  const command = [process.execPath, '-e', script, '--', ...args] as const
  const sandbox = commandSandbox([...command], { workdir: '/w', relay: ['relay it'], ...options })
  onTestFinished(() => sandbox.close())
  return sandbox
}

/** Closes a sandbox. The returned functions send its command SIGTERM and SIGKILL, which otherwise come after some time. */
function closeWithoutHurry(sandbox: RemoteSandbox): { ask(): void; kill(): void } {
  const timers: { callback: () => void; ms: number }[] = []
  const setTimer = vi.spyOn(globalThis, 'setTimeout').mockImplementation((callback, ms = 0) => {
    timers.push({ callback, ms })
    return { unref: () => {} } as NodeJS.Timeout
  })
  sandbox.close()
  setTimer.mockRestore()
  expect(timers.map(({ ms }) => ms)).toEqual([2000, 4000])
  const [ask, kill] = timers.map(({ callback }) => callback) as [() => void, () => void]
  onTestFinished(kill)
  return { ask, kill }
}

const HELLO = `console.log(JSON.stringify({ sandagent: 'relay', protocol: 1, version: '1' }));`

it('a command that ends says why, with the last line of its complaint', async () => {
  const { files } = scripted("console.error('first'); console.error('no such box'); process.exitCode = 3")
  expect(await refusalOf(files.read('f'))).toMatchObject({
    code: 'UNREACHABLE',
    message: expect.stringMatching(/ended with 3: no such box$/),
  })
})

it('a command that finds no program advises to install Node', async () => {
  const { files } = scripted('process.exitCode = 127')
  expect((await refusalOf(files.read('f'))).message).toContain('Node.js 20 or newer must be on the PATH')
})

it.each([['ssh host'], [[]]])('the command %j is no list of words', (command) => {
  const given = command as unknown as [string]
  expect(() => commandSandbox(given, { workdir: '/w' })).toThrow('expected a list of words first')
})

it('a command that does not exist cannot be started', async () => {
  const sandbox = commandSandbox(['/no/such/command'], { workdir: '/w' })
  onTestFinished(() => sandbox.close())
  expect((await refusalOf(sandbox.files.read('f'))).message).toContain('/no/such/command cannot be started')
})

it.each([
  [undefined, 'relay it'],
  [false, 'relay it'],
  [true, "'relay it'"],
])('with shell %s, a command gets its words as %s', async (shell, word) => {
  const { files } = scripted('console.error(process.argv[1]); process.exitCode = 1', { shell })
  expect((await refusalOf(files.read('f'))).message.endsWith(`ended with 1: ${word}`)).toBe(true)
})

it('a command that is ended by a signal says by which', async () => {
  const { files } = scripted("process.kill(process.pid, 'SIGKILL')")
  expect((await refusalOf(files.read('f'))).message).toMatch(/ended with SIGKILL$/)
})

it('a command named ssh gives its words to a shell, unless it is said otherwise', async () => {
  const ssh = join(await tempDir(), 'ssh')
  symlinkSync(process.execPath, ssh)
  const script = 'console.error(process.argv[1]); process.exitCode = 1'
  for (const [shell, word] of [
    [undefined, "'relay it'"],
    [false, 'relay it'],
  ] as const) {
    const options = { workdir: '/w', relay: ['relay it'], shell } as const
    const sandbox = commandSandbox([ssh, '-e', script, '--'], options)
    onTestFinished(() => sandbox.close())
    expect((await refusalOf(sandbox.files.read('f'))).message.endsWith(`ended with 1: ${word}`)).toBe(true)
  }
})

it('a command does not get the signing key of the host', async () => {
  vi.stubEnv('SANDAGENT_SIGNING_KEY', 'secret')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { files } = scripted(
    'console.error(Object.values(process.env).includes("secret") ? "it has" : "it has not"); process.exitCode = 1',
  )
  expect((await refusalOf(files.read('f'))).message).toContain('it has not')
})

it('a command that is no longer needed has time to end', async () => {
  const mark = join(await tempDir(), 'ended')
  const script = `${HELLO} process.stdin.on('data', (bytes) => { const { id } = JSON.parse(bytes); console.log(JSON.stringify({ id, value: 'text' })) })
    .on('end', () => setTimeout(() => require('fs').writeFileSync(process.argv[1], ''), 200))`
  const sandbox = scripted(script, {}, mark)
  expect(await sandbox.files.read('f')).toBe('text')
  closeWithoutHurry(sandbox)
  await vi.waitFor(() => expect(existsSync(mark)).toBe(true))
})

const REPLIES = `${HELLO} require('fs').writeFileSync(process.argv[1], String(process.pid))
  process.stdin.on('data', (bytes) => { const { id } = JSON.parse(bytes); console.log(JSON.stringify({ id, value: 'text' })) });`

it('a command that goes on without its input is asked to end, and then is killed', async () => {
  const folder = await tempDir()
  const commands = await Promise.all(
    ["require('fs').writeFileSync(process.argv[1] + '.asked', ''); process.exit()", ''].map(
      async (onTerm, index) => {
        const note = join(folder, `${index}`)
        const stays = `process.on('SIGTERM', () => { ${onTerm} }); setInterval(() => {}, 60_000);`
        const sandbox = scripted(`${stays} ${REPLIES}`, {}, note)
        await sandbox.files.read('f')
        return { ...closeWithoutHurry(sandbox), pid: Number(readFileSync(note, 'utf8')) }
      },
    ),
  )
  for (const { ask } of commands) ask()
  await vi.waitFor(() => expect(existsSync(join(folder, '0.asked'))).toBe(true))
  for (const { kill } of commands) kill()
  for (const { pid } of commands) await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'))
})

it('a command that is no longer needed finds that nobody reads its output', async () => {
  const note = join(await tempDir(), 'pid')
  // It prints after the end of its input alone: an empty line before would break the protocol.
  const goesOn = `process.stdin.on('end', () => setInterval(() => console.log(), 5))
  process.stdout.on('error', ({ code }) => { require('fs').writeFileSync(process.argv[1], code); process.exit() })`
  const sandbox = scripted(`${REPLIES} ${goesOn}`, {}, note)
  await sandbox.files.read('f')
  closeWithoutHurry(sandbox)
  await vi.waitFor(() => expect(readFileSync(note, 'utf8')).toBe('EPIPE'))
})

it('an idle command does not keep this process running', async () => {
  const held = () => process.getActiveResourcesInfo().filter((kind) => /^(Process|Pipe)/.test(kind))
  const programs = () => held().filter((kind) => kind.startsWith('Process'))
  await vi.waitFor(() => expect(programs()).toEqual([])) // Those of earlier tests have gone.
  const before = held().length
  const sandbox = scripted(REPLIES, {}, join(await tempDir(), 'pid'))
  await sandbox.files.read('f')
  expect(programs()).toEqual([])
  expect(held().length).toBeLessThanOrEqual(before) // Pipes of earlier tests may still go.
})

it('sandboxes are told apart by their commands, or by their names', () => {
  const idOf = (command: [string, ...string[]], name?: string) =>
    commandSandbox(command, { workdir: '/w', name }).files.id
  expect(idOf(['ssh', 'a'])).not.toBe(idOf(['ssh', 'b']))
  expect(idOf(['ssh', 'a'])).toBe(idOf(['ssh', 'a']))
  expect(idOf(['ssh', 'a'], 'x')).toBe(idOf(['ssh', 'b'], 'x'))
})

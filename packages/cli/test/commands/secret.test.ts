import { spawnSync } from 'node:child_process'
import { chmod, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { questionDigestOf } from '@sandagent/core/internal'
import { sealSecret } from '@sandagent/core/secret'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { askUser } from '@sandagent/runner'
import { LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { expect, it, vi } from 'vitest'

const main = join(import.meta.dirname, '../../dist/main.js')

/** A secret that somebody has given, and `sandagent secret` for its user. */
async function given(text: string) {
  const [workdir, state] = [await tempDir(), await tempDir()]
  vi.stubEnv('XDG_STATE_HOME', state)
  const sandbox = new LocalSandbox({ workdir })
  const asked = { toolCallId: 'c', runId: 'r', questions: [{ question: 'The token?', secret: true }] }
  const { secrets } = await askUser(createFileRunnerChannel({ workdir }), asked, {
    async onAsked(record) {
      const { publicKey } = (record.questions[0]?.secret ?? {}) as { publicKey: string }
      const place = { toolCallId: 'c', questionId: 'q1', questionDigest: questionDigestOf(record) }
      const sealed = await sealSecret(text, publicKey, place)
      const responses = { q1: { selected: [], sealed, source: 'human' as const } }
      await submitAnswer(sandbox, { toolCallId: 'c', status: 'completed', responses })
    },
  })
  const id = secrets?.q1 ?? ''
  const secret = (...args: string[]) => {
    const limits = { encoding: 'utf8', timeout: 30_000 } as const
    const { stdout, stderr, status } = spawnSync(process.execPath, [main, 'secret', ...args], limits)
    return { stdout: stdout.trim(), stderr, exitCode: status }
  }
  return { id, secret, state, kept: () => readdir(join(state, 'sandagent/secrets')) }
}

it('gives a secret to a command on its standard input, once, and passes on its exit code', async () => {
  const { id, secret, kept } = await given('line one\nline two\n')
  const count = `process.stdin.on('data', (data) => { console.log(String(data).length); process.exit(3) })`
  const { stdout, exitCode } = secret(id, '--', process.execPath, '--eval', count)
  expect([stdout, exitCode]).toEqual(['18', 3])
  expect(await kept()).toEqual([])
  const again = secret(id, '--', process.execPath, '--version')
  expect([again.stdout, again.exitCode]).toEqual(['', 3])
  expect(again.stderr).toContain('it was read before')
})

it('gives a secret to a command in a variable', async () => {
  const { id, secret } = await given('hunter2')
  const show = 'console.log(process.env.TOKEN.length)'
  expect(secret(id, '--env', 'TOKEN', '--', process.execPath, '--eval', show).stdout).toBe('7')
})

it('prints no secret, and keeps it when it is called wrongly', async () => {
  const { id, secret, kept } = await given('hunter2')
  for (const args of [[], [id], [id, '--env', 'no name', '--', 'true'], ['0123', '--', 'true']]) {
    const { stdout, exitCode } = secret(...args)
    expect([stdout, exitCode === 0]).toEqual(['', false])
  }
  expect(await kept()).toHaveLength(1)
})

it('stays where it is when its command cannot be started', async () => {
  const { id, secret, state, kept } = await given('hunter2')
  const broken = join(state, 'broken')
  await writeFile(broken, '#!/there/is/no/such/program\n')
  await chmod(broken, 0o755)
  for (const args of [['no-such-command-at-all'], [''], [state], [broken]])
    for (const way of [[], ['--env', 'TOKEN']]) {
      const { stderr, exitCode } = secret(id, ...way, '--', ...args)
      expect([stderr, exitCode]).toEqual([expect.stringContaining('so the secret stays'), 1])
      expect(stderr).not.toContain('hunter2')
    }
  expect(await kept()).toEqual([`${id}.json`])
  const count = `process.stdin.on('data', (data) => console.log(String(data).length))`
  expect(secret(id, '--', process.execPath, '--eval', count).stdout).toBe('7')
  expect(await kept()).toEqual([])
})

it('is in no message when a variable cannot hold it', async () => {
  const { id, secret, kept } = await given('hunter2\0x')
  const { stdout, stderr } = secret(id, '--env', 'TOKEN', '--', process.execPath, '--version')
  expect([stdout, stderr]).toEqual(['', expect.stringContaining('no variable can hold')])
  expect(stderr).not.toContain('hunter2')
  expect(await kept()).toHaveLength(1)
})

import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { commandSandbox } from '@sandagent/remote'
import { createSigningKey, parseSigningKeys, readRun } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { answerApi, askingRun, waitingQuestion } from '../support/remote/asking-run.ts'
import { hasSshServer, sshServer } from '../support/remote/ssh-server.ts'

if (!hasSshServer) console.error('Skipping the tests over SSH: sshd or ssh is missing')

/** What a program prints. It rejects if the program fails. */
const execute = async (program: string, args: string[], env: Record<string, string>): Promise<string> =>
  (await promisify(execFile)(program, args, { env: { ...process.env, ...env } })).stdout

describe.runIf(hasSshServer)('over SSH', () => {
  it('a run works as another user where nothing is installed but Node', async () => {
    const signingKeys = await parseSigningKeys(await createSigningKey())
    const server = await sshServer()
    const workdir = join(server.home, 'the agent’s "work"')
    const sandbox = commandSandbox(server.command, { workdir, isolation: 'none' })
    onTestFinished(() => sandbox.close())
    const run = await askingRun(sandbox, { signingKeys, runner: ['sandagent'] })
    const { toolCallId } = await waitingQuestion(sandbox, signingKeys)
    const [, record] = await Promise.all([
      expect(readdir(join(server.home, '.cache/sandagent'))).resolves.toEqual(
        expect.arrayContaining([expect.stringMatching(/^relay-[0-9a-f]{64}\.cjs$/)]),
      ),
      stat(join(workdir, '.sandagent/questions')),
    ])
    expect(record.uid).toBe(server.uid)
    const { post } = answerApi(sandbox, signingKeys)
    const answer = { toolCallId, answers: { 'Which language?': 'Python' }, status: 'completed' }
    server.cut()
    expect(await post(answer)).toMatchObject({ success: true })
    await vi.waitFor(async () =>
      expect(await readRun(sandbox, run.runId)).toMatchObject({ state: 'finished' }),
    )
  })

  it('the command lists a question, and answers it', async () => {
    const key = await createSigningKey()
    const signingKeys = await parseSigningKeys(key)
    const server = await sshServer()
    const workdir = join(server.home, 'the agent’s "work"')
    const sandbox = commandSandbox(server.command, { workdir, isolation: 'none' })
    onTestFinished(() => sandbox.close())
    const run = await askingRun(sandbox, { signingKeys, runner: ['sandagent'] })
    const { toolCallId } = await waitingQuestion(sandbox, signingKeys)
    const login = server.command.map((word) => `'${word}'`).join(' ')
    const command = async (...args: string[]) =>
      JSON.parse(
        await execute(
          process.execPath,
          [join(root, 'packages/cli/dist/main.js'), ...args, '--sandbox', login, '--workdir', workdir],
          { SANDAGENT_SIGNING_KEY: key },
        ),
      )
    const place = { sandboxId: `${login}:${workdir}` }
    expect(await command('questions', '--json')).toMatchObject({ ...place, question: { toolCallId } })
    const answered = await command('answer', toolCallId, '--option', 'Python')
    expect(answered).toMatchObject({ ...place, status: 'completed' })
    await vi.waitFor(async () =>
      expect(await readRun(sandbox, run.runId)).toMatchObject({ state: 'finished' }),
    )
  })

  it('a login that is refused says why', async () => {
    const { command } = await sshServer()
    const stranger = command.map((word) => word.replace(/^\w+@/, 'nobody-there@')) as [string, ...string[]]
    const sandbox = commandSandbox(stranger, { workdir: '/tmp/nowhere' })
    onTestFinished(() => sandbox.close())
    await expect(sandbox.files.list('.')).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringMatching(/ssh ended with 255: .*Permission denied/),
    })
  })
})

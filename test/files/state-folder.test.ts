import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { askUser } from '@sandagent/runner'
import {
  createAnswerHandler,
  createAnswerLink,
  createSigningKey,
  LocalSandbox,
  listQuestions,
  listRuns,
  parseSigningKeys,
  startRun,
  stopRun,
  submitAnswer,
} from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

const stateFolder = '.bunny-agent'
const questions = [{ question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }]
const main = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url))
const steps = JSON.stringify({ steps: [{ ask: { questions } }, { say: '{{answers.q1}}' }] })

const sandboxIn = async (isolation: 'none' | 'auto' = 'none') =>
  new LocalSandbox({ workdir: await tempDir(), stateFolder, isolation, onIsolation: () => {} })

const waiting = (sandbox: LocalSandbox) =>
  vi.waitFor(async () => {
    const [question] = await listQuestions(sandbox)
    if (!question) throw new Error('nothing is asked')
    return question.toolCallId
  })

describe('a state folder of another name', () => {
  it('carries question and answer between runner and host', async () => {
    const sandbox = await sandboxIn()
    const channel = createFileRunnerChannel({ workdir: sandbox.workdir, stateFolder })
    const asked = askUser(channel, { toolCallId: 'c', runId: 'r', questions })
    expect(await waiting(sandbox)).toBe('c')
    await submitAnswer(sandbox, { toolCallId: 'c', answers: { 'Which colour?': 'Blue' } })
    expect(await asked).toMatchObject({ kind: 'answered' })
    expect(await readdir(sandbox.workdir)).toEqual([stateFolder])
  })

  it('is what the answer handler and an answer link read and write', async () => {
    const sandbox = await sandboxIn()
    const keys = await parseSigningKeys(await createSigningKey())
    const channel = createFileRunnerChannel({ workdir: sandbox.workdir, stateFolder })
    const asked = askUser(channel, { toolCallId: 'c', runId: 'r', questions })
    const toolCallId = await waiting(sandbox)
    const link = await createAnswerLink(
      sandbox,
      { toolCallId, page: 'http://localhost/answer' },
      { signingKeys: keys },
    )
    const { GET, POST } = createAnswerHandler({ sandbox, signingKeys: keys, authorize: () => true })
    const authorization = `Bearer ${new URLSearchParams(new URL(link).hash.slice(1)).get('token')}`
    const headers = { authorization, 'content-type': 'application/json' }
    const url = `http://localhost/answer?toolCallId=${toolCallId}`
    expect((await GET(new Request(url, { headers }))).status).toBe(200)
    const body = JSON.stringify({ toolCallId, answers: { 'Which colour?': 'Red' }, status: 'completed' })
    const response = await POST(new Request(url, { method: 'POST', headers, body }))
    expect(response.status).toBe(200)
    expect(await asked).toMatchObject({ kind: 'answered' })
    expect(await readdir(sandbox.workdir)).toEqual([stateFolder])
  })

  it('holds the records of runs, and the runner of a started run asks there', async () => {
    const sandbox = await sandboxIn('auto')
    await writeFile(join(sandbox.workdir, 'steps.json'), steps)
    const run = await startRun(sandbox, {
      agent: 'scripted',
      args: ['--scenario', 'steps.json'],
      prompt: 'x',
      runner: [process.execPath, main],
    })
    onTestFinished(async () => void (await stopRun(sandbox, run.runId)))
    await submitAnswer(sandbox, { toolCallId: await waiting(sandbox), answers: { 'Which colour?': 'Blue' } })
    await vi.waitFor(async () => expect(await listRuns(sandbox)).toMatchObject([{ state: 'finished' }]))
    expect(await readdir(join(sandbox.workdir, stateFolder))).toEqual(
      expect.arrayContaining(['approvals', 'questions', 'runs']),
    )
    expect((await readdir(sandbox.workdir)).sort()).toEqual([stateFolder, 'steps.json'])
  })

  it('is taken by sandagent run --state-folder', async () => {
    const sandbox = await sandboxIn()
    await writeFile(join(sandbox.workdir, 'steps.json'), steps)
    const scenario = join(sandbox.workdir, 'steps.json')
    const args = ['run', '--workdir', sandbox.workdir, '--state-folder', stateFolder, '--scenario', scenario]
    const child = spawn(process.execPath, [main, ...args, '--', 'x'], { stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'close')
    await submitAnswer(sandbox, { toolCallId: await waiting(sandbox), answers: { 'Which colour?': 'Blue' } })
    expect(await ended).toEqual([0, null])
    expect((await readdir(sandbox.workdir)).sort()).toEqual([stateFolder, 'steps.json'])
  })

  it('is refused by the command, the sandbox and the runner when it is a path', async () => {
    const workdir = await tempDir()
    const refused = expect.objectContaining({ code: 'INVALID_REQUEST' })
    expect(() => new LocalSandbox({ workdir, stateFolder: '../x' })).toThrow(refused)
    expect(() => createFileRunnerChannel({ workdir, stateFolder: 'a/b' })).toThrow(refused)
    const run = promisify(execFile)(process.execPath, [
      main,
      'mcp',
      '--workdir',
      workdir,
      '--state-folder',
      '..',
    ])
    await expect(run).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('stateFolder') })
    expect(await readdir(workdir)).toEqual([])
  })
})

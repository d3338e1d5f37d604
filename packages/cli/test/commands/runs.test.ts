import { appendFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import {
  LocalSandbox,
  listQuestions,
  type Run,
  readRun,
  startRun,
  stopRun,
  submitAnswer,
} from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { COLOUR, createHome, type Home, main } from '../command-process.ts'
import { writeScenario } from '../write-scenario.ts'

/** A run that a host has started for a person with this home. */
async function started(home: Home, runId: string, ...steps: object[]) {
  vi.stubEnv('XDG_CONFIG_HOME', String(home.env.XDG_CONFIG_HOME))
  onTestFinished(() => void vi.unstubAllEnvs())
  const sandbox = new LocalSandbox({ workdir: await tempDir(), isolation: 'none' })
  const scenario = await writeScenario(sandbox.workdir, ...steps)
  const request = { agent: 'scripted', args: ['--scenario', scenario], prompt: `Do ${runId}`, runId }
  const ended = new Promise<Run>((onEnd, reject) =>
    startRun(sandbox, { ...request, runner: [process.execPath, main] }, { onEnd }).catch(reject),
  )
  onTestFinished(async () => {
    if (await readRun(sandbox, runId)) await stopRun(sandbox, runId, { graceMs: 0 })
    await ended
  })
  const asked = () => vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
  return { sandbox, ended, asked }
}

describe('sandagent runs', () => {
  it('lists runs with what became of them, and removes old ones', async () => {
    const home = await createHome()
    const done = await started(home, 'done', { say: 'Hello' })
    await done.ended
    const open = await started(home, 'open', COLOUR)
    await open.asked()
    const text = await home.run('runs', 'list')
    expect(text).toMatchObject({ code: 0, stderr: '' })
    expect(text.stdout.replaceAll(/\d+ s/g, 'N s')).toBe(
      [
        `done  finished  scripted  Do done\n  in ${done.sandbox.workdir} · began N s ago · took N s\n`,
        `open  running  scripted  Do open\n  in ${open.sandbox.workdir} · began N s ago\n`,
      ].join(''),
    )
    const json = await home.run('runs', 'list', '--json', '--workdir', done.sandbox.workdir)
    expect(JSON.parse(json.stdout)).toMatchObject({
      sandboxId: done.sandbox.workdir,
      run: { runId: 'done', state: 'finished', exitCode: 0 },
    })
    const pruned = await home.run('runs', 'prune', '--older-than-ms', '0')
    expect(pruned).toMatchObject({ code: 0, stdout: `done  ${done.sandbox.workdir}\n` })
    expect((await home.run('runs', 'list')).stdout).not.toContain('done')
  })

  it('lists a run in a terminal, also when it is started again', async () => {
    const home = await createHome()
    const workdir = await tempDir()
    const inTerminal = async (runId: string, ...steps: object[]) => {
      const scenario = await writeScenario(workdir, ...steps)
      const place = ['--workdir', workdir, '--scenario', scenario, '--run-id', runId]
      return home.start(['run', ...place, '--format', 'text', '--', 'Do it'])
    }
    expect(await (await inTerminal('t', { say: 'Hello' })).ended).toMatchObject({ code: 0, stderr: '' })
    const again = await inTerminal('t', { say: 'Hello again' }, COLOUR)
    const sandbox = new LocalSandbox({ workdir })
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
    expect((await home.run('runs', 'list')).stdout).toMatch(/^t {2}running {2}scripted {2}Do it\n/)
    // The question is still open, and another process takes the same id.
    const twice = await inTerminal('t', { say: 'Me too' })
    expect(await twice.ended).toMatchObject({
      code: 3,
      stdout: '',
      stderr:
        'sandagent: This run goes on already, or is being stopped. Stop it by sandagent runs stop t, or take another --run-id\n',
    })
    const strange = await inTerminal('../t', { say: 'Me too' })
    expect(await strange.ended).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^sandagent: --run-id takes up to 100 letters, digits, - and _, not \.\.\/t\n/,
      ),
    })
    again.child.kill('SIGTERM')
    await again.ended
    const owner = userInfo().username
    expect(await readRun(sandbox, 't')).toMatchObject({ state: 'stopped', attempt: 2, owner })
    const logs = await home.run('runs', 'logs', 't')
    expect(logs.stdout).toContain('Hello again')
    expect(logs.stdout).not.toContain('Me too')
  })

  it('shows what a run has printed so far, and follows it to its end', async () => {
    const home = await createHome()
    const { sandbox, asked } = await started(home, 'r', { say: 'Hello' }, COLOUR, {
      say: 'It is {{answers.colour}}.',
    })
    await asked()
    // The run prints its question after it has stored it.
    const now = await vi.waitFor(async () => {
      const shown = await home.run('runs', 'logs', 'r')
      expect(shown.stdout).toContain('Waiting for')
      return shown
    })
    expect(now).toMatchObject({ code: 0, stderr: '' })
    expect(now.stdout).toMatch(/^\nHello\n\n\? Which colour\?\n {2}- Red\n {2}- Blue\n\nWaiting for/)
    const following = home.start(['runs', 'logs', '--follow'])
    await vi.waitFor(() => expect(following.stdout()).toContain('Which colour?'))
    await submitAnswer(sandbox, { toolCallId: 'r-2', answers: { 'Which colour?': 'Red' } })
    const { code, stdout } = await following.ended
    expect(code).toBe(0)
    expect(stdout).toMatch(/\n→ Red\n\nIt is Red\.\n$/)
    const json = await home.run('runs', 'logs', 'r', '--json')
    const chunks = json.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect([chunks[0], chunks.at(-1)]).toEqual([
      expect.objectContaining({ type: 'start' }),
      { type: 'finish' },
    ])
  })

  it('shows the error that a failed program printed last, which its stream does not', async () => {
    vi.stubEnv('XDG_CONFIG_HOME', await tempDir())
    onTestFinished(() => void vi.unstubAllEnvs())
    const sandbox = new LocalSandbox({ workdir: await tempDir(), isolation: 'none' })
    const args = ['--', process.execPath, '-e', 'throw new Error(["no", "table"].join(" "))']
    const request = {
      agent: 'command',
      args,
      prompt: '',
      runId: 'r',
      runner: [process.execPath, main] as const,
    }
    await new Promise<Run>((onEnd, reject) => startRun(sandbox, request, { onEnd }).catch(reject))
    const home = await createHome()
    const { stdout } = await home.run('runs', 'logs', 'r', '--workdir', sandbox.workdir)
    expect(stdout).toMatch(/✗ Command failed with exit code 1: .*\. Error: no table\n$/s)
    expect(await sandbox.files.read('.sandagent/runs/r/1/stream.sse')).not.toContain('no table')
  })

  it('shows a log with noise in it, and obeys nothing in its texts', async () => {
    const home = await createHome()
    const { sandbox, ended } = await started(home, 'r', { say: 'A\u001b[2JB\u202eC' })
    await ended
    const log = join(sandbox.workdir, '.sandagent/runs/r/1/stream.sse')
    await appendFile(log, 'noise\n\n')
    const { stdout } = await home.run('runs', 'logs', 'r')
    expect(stdout).toBe('\nABC\n')
    const json = await home.run('runs', 'logs', 'r', '--json')
    expect(json.stdout).not.toMatch(/\u202e/)
    expect(json.stdout).toContain('\\u202e')
  })

  it('stops a run, which keeps the reason', async () => {
    const home = await createHome()
    const { sandbox, asked, ended } = await started(home, 'r', COLOUR)
    await asked()
    const stopped = await home.run('runs', 'stop', 'r', '--reason', 'Too slow')
    expect(stopped).toMatchObject({ code: 0, stdout: 'r  stopped\n' })
    expect(await ended).toMatchObject({ state: 'stopped', reason: 'Too slow' })
    expect(await listQuestions(sandbox)).toEqual([])
  })

  it.each([
    [['stop'], 2, 'Which run?'],
    [['stop', 'x'], 1, 'There is no run x. List all runs by sandagent runs'],
    [['logs'], 1, 'There is no run. List all runs by sandagent runs'],
    [['log'], 2, 'There is no command runs log. Did you mean runs logs?'],
    [[], 2, 'Which one: runs list, runs logs, runs stop, runs prune?'],
  ])('refuses %j', async (args, code, message) => {
    const home = await createHome()
    expect(await home.run('runs', ...args)).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringContaining(message),
    })
  })
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { knownWorkdirs } from '@sandagent/inbox'
import { LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { writeScenario } from '../../write-scenario.ts'

const main = fileURLToPath(new URL('../../../dist/main.js', import.meta.url))

const canIsolate = await new LocalSandbox({ workdir: import.meta.dirname, isolation: 'strict' })
  .activeIsolation()
  .then(
    () => true,
    () => false,
  )

/** The command as a process and a group of its own, as in a terminal, with a scenario outside of the workdir. */
async function start(isolation: string, ...steps: object[]) {
  const [workdir, folder] = [await tempDir(), await tempDir()]
  const scenario = await writeScenario(folder, ...steps)
  const args = ['--isolation', isolation, '--scenario', scenario, '--workdir', workdir, '--run-id', 'r']
  const child = spawn(process.execPath, [main, 'run', ...args, '--', 'x'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    child,
    sandbox: new LocalSandbox({ workdir, isolation: 'none' }),
    output: text(child.stdout),
    complaints: text(child.stderr),
    ended: once(child, 'close').then(([code]) => code as number | null),
  }
}

const ASKS = {
  ask: { questions: [{ question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }] },
}

describe.skipIf(!canIsolate)('sandagent run --isolation strict', () => {
  it('runs the agent in isolation, says so, and passes on what it prints', async () => {
    const look = {
      run: { command: 'sh', args: ['-c', 'touch .sandagent/approvals/x || echo "kept out of $PWD"'] },
    }
    const { sandbox, output, complaints, ended } = await start('strict', ASKS, look, { say: '{{output}}' })
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
    await submitAnswer(sandbox, { toolCallId: 'r-1', answers: { 'Which colour?': 'Blue' } })
    expect(await ended).toBe(0)
    expect(await complaints).toMatch(
      /^sandagent: Programs are isolated by bubblewrap: without the network.*`hosts`.*`env`.*\n$/,
    )
    expect(await output).toContain(`kept out of ${sandbox.workdir}`)
    expect(await output).toMatch(/data: \[DONE\]\n\n$/)
    const known = await knownWorkdirs({ onWarning: console.error })
    expect(known.map(({ workdir }) => workdir)).toContain(sandbox.workdir)
    expect(await sandbox.files.list('.sandagent/home')).not.toContain('.config')
  })

  it.each([
    ['SIGTERM', (pid: number) => process.kill(pid, 'SIGTERM'), 143],
    ['Ctrl-C, which a terminal sends to the whole group', (pid: number) => process.kill(-pid, 'SIGINT'), 130],
  ])('ends in order on %s, with its question settled', async (_, interrupt, code) => {
    const { child, sandbox, output, ended } = await start('strict', ASKS)
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
    interrupt(child.pid as number)
    expect(await ended).toBe(code)
    expect(await output).toMatch(/data: \{"type":"abort"\}\n\ndata: \[DONE\]\n\n$/)
    expect(await listQuestions(sandbox)).toEqual([])
  })

  it('fails as the agent does', async () => {
    const { complaints, ended } = await start('strict', { run: { command: 'sh', args: ['-c', 'exit 3'] } })
    expect(await ended).toBe(1)
    expect(await complaints).toMatch(/^sandagent: Command failed with exit code 3/m)
  })
})

describe('sandagent run --isolation none', () => {
  it('says nothing of it', async () => {
    const { complaints, ended } = await start('none', { say: 'Hello' })
    expect(await ended).toBe(0)
    expect(await complaints).toBe('')
  })
})

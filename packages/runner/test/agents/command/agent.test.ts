import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { createCommandAgent, receiptsWritten } from '../../../src/index.ts'
import { createRun } from '../../agent-run.ts'
import { typed } from '../../workspace.ts'

const shell = (script: string) => createCommandAgent('sh', ['-c', script])
const ASK_NAME = `echo '{"type":"ask","id":"name","questions":[{"id":"name","question":"Name?"}]}'`
const steps = (chunks: { type: string }[]): string[] =>
  chunks.map(({ type }) => type).filter((type) => type.endsWith('-step'))

describe('createCommandAgent', () => {
  it('runs a program in the workdir, with the prompt in its environment', async () => {
    const { run, text, chunks } = await createRun({ prompt: 'Paint “it”' })
    await shell('pwd; echo "$SANDAGENT_PROMPT"')(run)
    expect(text()).toBe(`${run.workdir}\nPaint “it”\n\n`)
    expect(steps(chunks())).toEqual(['start-step', 'finish-step'])
  })

  it('passes arguments as they are, without a shell', async () => {
    const { run, text } = await createRun()
    await createCommandAgent('printf', ['%s\\n', '$HOME', 'a b;c'])(run)
    expect(text()).toBe('$HOME\na b;c\n\n')
  })

  it('writes the answer to its standard input', async () => {
    const { run, space, text } = await createRun()
    const done = shell(`${ASK_NAME}; read -r answer; printf %s "$answer" >answer.json; echo done`)(run)
    await vi.waitFor(() => space.record('run_1-name'))
    await space.respond('run_1-name', { name: typed('Ünï') })
    await done
    expect(JSON.parse(await readFile(join(run.workdir, 'answer.json'), 'utf8'))).toMatchObject({
      type: 'answer',
      id: 'name',
      kind: 'answered',
      answers: { 'Name?': 'Ünï' },
    })
    expect(text()).toBe('done\n\n')
  })

  it('adopts its question when it is started anew', async () => {
    const first = await createRun()
    const killed = new AbortController()
    // It dies before it can withdraw.
    const channel = { ...first.space.channel, close: () => Promise.reject(new Error('killed')) }
    shell(`${ASK_NAME}; read -r _`)({ ...first.run, channel, signal: killed.signal }).catch(() => {})
    const { nonce } = await vi.waitFor(() => first.space.record('run_1-name'))
    killed.abort()
    const done = shell(`${ASK_NAME}; read -r _; echo done`)(first.run)
    await first.space.respond('run_1-name', { name: typed('it') })
    await done
    await receiptsWritten()
    expect(await first.space.record('run_1-name')).toMatchObject({ state: 'answered', nonce })
  })

  it('asks again what was withdrawn because its run ended', async () => {
    const { run, space, text } = await createRun()
    const stop = new AbortController()
    const ended = shell(`${ASK_NAME}; read -r _`)({ ...run, signal: stop.signal })
    const { nonce } = await vi.waitFor(() => space.record('run_1-name'))
    stop.abort()
    await ended
    expect(await space.record('run_1-name')).toMatchObject({ state: 'aborted' })

    const done = shell(`${ASK_NAME}; read -r answer; echo "$answer" | cut -c 1-40`)(run)
    await vi.waitFor(async () => expect((await space.record('run_1-name')).nonce).not.toBe(nonce))
    await space.respond('run_1-name', { name: typed('it') })
    await done
    await receiptsWritten()
    // What was answered is not asked a second time.
    await shell(`${ASK_NAME}; read -r _; echo replayed`)(run)
    expect(await space.record('run_1-name')).toMatchObject({ state: 'answered' })
    expect(text()).toContain('replayed')
  })

  it('shows what a quick program prints, however long the first drawing takes', async () => {
    const { run, text } = await createRun()
    const startStep = async (): Promise<void> => {
      await run.ui.startStep()
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    await shell('echo hello')({ ...run, ui: { ...run.ui, startStep } })
    expect(text()).toBe('hello\n\n')
  })

  it('withdraws the questions that a program leaves behind', async () => {
    const { run, space, chunks } = await createRun()
    await shell(ASK_NAME)(run)
    expect(await space.record('run_1-name')).toMatchObject({ state: 'aborted' })
    expect(chunks().slice(-2)).toMatchObject([
      { type: 'tool-output-error', toolCallId: 'run_1-name' },
      { type: 'finish-step' },
    ])
  })

  it('goes on when a program never reads what it is told', async () => {
    const { run, text } = await createRun()
    await shell(`exec <&-; for i in $(seq 200); do echo '{"type":"aks"}'; done; echo done`)(run)
    expect(text()).toBe('done\n\n')
  })

  it.each([
    ['fails', 'echo before; exit 3', 'Command failed with exit code 3'],
    ['is killed', 'echo before; kill -9 $$', 'Command was killed with SIGKILL'],
  ])('rejects when the program %s, after it has shown what it printed', async (_, script, message) => {
    const { run, text, chunks } = await createRun()
    await expect(shell(script)(run)).rejects.toThrow(message)
    expect(text()).toBe('before\n\n')
    expect(steps(chunks())).toEqual(['start-step', 'finish-step'])
  })

  it('rejects when there is no such program', async () => {
    const { run } = await createRun()
    await expect(createCommandAgent('no-such-program')(run)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('Install it, or correct its name'),
    })
  })

  it.each([
    ['agent.py', 'agent.py', 'it is a script. Start python3 agent.py'],
    ['agent.mjs', 'agent.mjs', 'it is a script. Start node agent.mjs'],
    ['agent.sh', './agent.sh', 'it is a script. Start sh ./agent.sh'],
    ['agent', './agent', 'it may not be executed. Allow it: chmod +x ./agent'],
  ])('says how the file %s is started, where %s is not', async (file, command, advice) => {
    const { run } = await createRun()
    await writeFile(join(run.workdir, file), '')
    await expect(createCommandAgent(command)(run)).rejects.toThrow(`${command} cannot be started: ${advice}`)
  })

  it('names a folder that is gone, and not the program', async () => {
    const { run } = await createRun()
    const workdir = join(run.workdir, 'gone')
    await expect(createCommandAgent('sh')({ ...run, workdir })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: `sh cannot be started: there is no folder ${workdir}. Make it, or correct the name`,
    })
  })

  it('rejects, and ends the program, when nothing can be shown', async () => {
    const { run } = await createRun()
    const ui = { ...run.ui, textStart: () => Promise.reject(new Error('disk full')) }
    await expect(shell('echo $$; read -r _')({ ...run, ui })).rejects.toThrow('disk full')
  })
})

describe('an abort of createCommandAgent', () => {
  it('asks the program to end and withdraws its question', async () => {
    const stop = new AbortController()
    const { run, space } = await createRun({ signal: stop.signal })
    // A signal interrupts `read` at once. The program has five seconds.
    const done = shell(`trap 'echo ended >end.txt; exit' TERM; ${ASK_NAME}; while :; do read -r _; done`)(run)
    await vi.waitFor(() => space.record('run_1-name'))
    stop.abort()
    await done
    expect(await readFile(join(run.workdir, 'end.txt'), 'utf8')).toBe('ended\n')
    expect(await space.record('run_1-name')).toMatchObject({ state: 'aborted' })
  })

  it.each(['sleep 60 & echo $! >pid; echo up; wait', 'sleep 60 & echo $! >pid; echo up'])(
    'does not wait for what the program has left running: %s',
    async (script) => {
      const stop = new AbortController()
      const { run, text } = await createRun({ signal: stop.signal })
      const done = shell(script)(run)
      await vi.waitFor(() => expect(text()).toContain('up'))
      stop.abort()
      await done
      process.kill(Number(await readFile(join(run.workdir, 'pid'), 'utf8')))
    },
  )
})

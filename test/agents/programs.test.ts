import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { declineQuestion, type LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import { expect, onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { agentRow } from '../support/matrix/agent-row.ts'
import { tempSandbox } from '../support/workspace.ts'

const PLACES = { question: 'Where to?', options: [{ label: 'Paris, north' }, { label: 'Rome' }] }

/** `sandagent run` with a program that prints these questions, one line for each, and then what it reads. */
async function startProgram(...asks: object[]) {
  const sandbox = await tempSandbox()
  const script = [
    ...asks.map((ask) => `echo '${JSON.stringify({ type: 'ask', ...ask })}'`),
    ...asks.map(() => 'read -r answer; echo "read $answer"'),
  ].join('\n')
  const start = () => {
    const command = [join(root, 'packages/cli/dist/main.js'), 'run', '--workdir', sandbox.workdir]
    const child = spawn(process.execPath, [...command, '--run-id', 'r', '--', 'sh', '-c', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => stop(child))
    let said = ''
    child.stdout.on('data', (data) => (said += data))
    return { child, said: () => said }
  }
  return { sandbox, ...start(), again: start }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

const waiting = (sandbox: LocalSandbox, count = 1) =>
  vi.waitFor(async () => {
    const questions = await listQuestions(sandbox)
    expect(questions).toHaveLength(count)
    return questions.map(({ toolCallId }) => toolCallId) as [string, ...string[]]
  })
const reads = (said: () => string, text: string) =>
  vi.waitFor(() => expect(said().replaceAll('\\"', '"')).toContain(text))

agentRow('Programs', {
  'single choice': async () => {
    const { sandbox, said } = await startProgram({ questions: [PLACES] })
    const [toolCallId] = await waiting(sandbox)
    await submitAnswer(sandbox, { toolCallId, answers: { 'Where to?': 'Rome' } })
    await reads(said, '"Where to?":"Rome"')
  },
  'several choices with commas': async () => {
    const { sandbox, said } = await startProgram({ questions: [{ ...PLACES, multiSelect: true }] })
    const [toolCallId] = await waiting(sandbox)
    await submitAnswer(sandbox, { toolCallId, answers: { 'Where to?': '"Paris, north", Rome' } })
    await reads(said, '"Where to?":["Paris, north","Rome"]')
  },
  'own words': async () => {
    const { sandbox, said } = await startProgram({ questions: [PLACES] })
    const [toolCallId] = await waiting(sandbox)
    await submitAnswer(sandbox, { toolCallId, answers: { 'Where to?': 'home, to Łódź' } })
    await reads(said, '"Where to?":"home, to Łódź"')
  },
  notes: async () => {
    const { sandbox, said } = await startProgram({ questions: [{ id: 'where', ...PLACES }] })
    const [toolCallId] = await waiting(sandbox)
    const responses = { where: { selected: ['Rome'], notes: 'by train', source: 'human' as const } }
    await submitAnswer(sandbox, { toolCallId, responses })
    await reads(said, '"notes":"by train"')
  },
  previews: async () => {
    const options = [{ label: 'Map', preview: '# A map' }, { label: 'List' }]
    const { sandbox } = await startProgram({ questions: [{ question: 'How?', options }] })
    await waiting(sandbox)
    const [view] = await listQuestions(sandbox)
    expect(view?.questions[0]?.options?.[0]?.preview).toBe('# A map')
  },
  defaults: async () => {
    const questions = [{ ...PLACES, defaultOption: 'Rome' }]
    const { said } = await startProgram({ questions, timeoutMs: 1, timeoutPolicy: 'defaults' })
    await reads(said, '"Where to?":"Rome"')
    await reads(said, '"source":"default"')
  },
  decline: async () => {
    const { sandbox, said } = await startProgram({ questions: [PLACES] })
    const [toolCallId] = await waiting(sandbox)
    await declineQuestion(sandbox, { toolCallId, reason: 'not now' })
    await reads(said, '"kind":"declined"')
    await reads(said, '"reason":"not now"')
  },
  'time-out': async () => {
    const { said } = await startProgram({ questions: [PLACES], timeoutMs: 1 })
    await reads(said, '"kind":"timed-out"')
  },
  cancel: async () => {
    const { sandbox, child } = await startProgram({ questions: [PLACES] })
    await waiting(sandbox)
    child.kill('SIGINT')
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toEqual([]))
  },
  'two at once': async () => {
    const { sandbox, said } = await startProgram(
      { id: 'a', questions: [PLACES] },
      { id: 'b', questions: [{ question: 'When?' }] },
    )
    await waiting(sandbox, 2)
    await submitAnswer(sandbox, { toolCallId: 'r-b', answers: { 'When?': 'soon' } })
    await reads(said, '"id":"b"')
    await submitAnswer(sandbox, { toolCallId: 'r-a', answers: { 'Where to?': 'Rome' } })
    await reads(said, '"id":"a"')
  },
  restart: async () => {
    const { sandbox, child, again } = await startProgram({ questions: [PLACES] })
    const [toolCallId] = await waiting(sandbox)
    await stop(child)
    await submitAnswer(sandbox, { toolCallId, answers: { 'Where to?': 'Rome' } })
    await reads(again().said, '"Where to?":"Rome"')
    expect(await listQuestions(sandbox)).toEqual([])
  },
})

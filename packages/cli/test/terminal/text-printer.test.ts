import { PassThrough } from 'node:stream'
import { createUiStream } from '@sandagent/runner'
import { describe, expect, it } from 'vitest'
import { chunkIn, createTextPrinter } from '../../src/terminal/text-printer.ts'

function show({ showQuestions = false, ...options }: Partial<Parameters<typeof createTextPrinter>[1]> = {}) {
  const output = new PassThrough()
  const print = createTextPrinter(output, { showQuestions, ...options })
  const ui = createUiStream((event) => print(chunkIn(event.slice('data: '.length)) ?? {}))
  return { ui, print, text: () => String(output.read() ?? '') }
}

const ask = { toolCallId: 'c', toolName: 'AskUserQuestion' }
const input = { questions: [{ question: 'Which\u001b[2J?', options: [{ label: 'One' }, { label: 'Two' }] }] }

describe('createTextPrinter', () => {
  it('shows words, and work in one line each with its output', async () => {
    const { ui, text } = show()
    await ui.textStart('t')
    await ui.textDelta('t', 'Working \u001b[31mnow\u202e')
    await ui.textEnd('t')
    await ui.toolInput({ toolCallId: 'a', toolName: 'Write', input: { path: 'a.txt', content: 'x' } })
    await ui.toolOutput('a', { path: 'a.txt', bytes: 1 })
    await ui.toolInput({ toolCallId: 'b', toolName: 'Bash', input: { command: 'ls' } })
    await ui.toolOutput('b', { stdout: 'a.txt\nb.txt', stderr: '', exitCode: 0 })
    await ui.toolInput({ toolCallId: 'd', toolName: 'Search', input: { query: 'x' } })
    await ui.toolInput({ toolCallId: 'e', toolName: 'Read', input: { file_path: 'b.txt' } })
    expect(text()).toBe(
      '\nWorking now\n\n● Write a.txt\n● Bash ls\n  a.txt\n  b.txt\n● Search {"query":"x"}\n● Read b.txt\n',
    )
  })

  it('shows a line break once that came in two halves, and a bare one as a break', async () => {
    const { ui, text } = show()
    await ui.textStart('t')
    for (const delta of ['one\r', '\ntwo\r', 'three']) await ui.textDelta('t', delta)
    await ui.textEnd('t')
    expect(text()).toBe('\none\ntwo\nthree\n')
  })

  it.each([
    ['finishes', 'finish', ''],
    ['is stopped', 'abort', '\nStopped.\n'],
    ['fails', 'error', ''],
  ] as const)('tells how to go on with a session once it %s', async (_, end, before) => {
    const { ui, text } = show()
    await ui.metadata({ sessionId: 's1', model: 'm' })
    await ui.metadata({ durationMs: 10 })
    expect(text()).toBe('')
    await ui[end]('The model is gone')
    expect(text()).toBe(`${before}\nGo on with it: --resume s1\n`)
  })

  it('cuts long output', async () => {
    const { ui, text } = show()
    await ui.toolOutput('a', { stdout: Array.from({ length: 25 }, (_, n) => n).join('\n') })
    expect(text()).toMatch(/ {2}19\n {2}… 5 more lines\n$/)
  })

  it('takes whatever a tool was given and gives', async () => {
    const { ui, text } = show()
    await ui.toolInput({ toolCallId: 'a', toolName: 'Rest', input: undefined })
    await ui.toolOutput('a', null)
    await ui.toolInput({ toolCallId: 'b', toolName: 'Read', input: { path: 'a.txt' } })
    await ui.toolOutput('b', 'one\ntwo')
    expect(text()).toBe('● Rest {}\n● Read a.txt\n  one\n  two\n')
  })

  it('takes values of other shapes than an agent gives', async () => {
    const { ui, print, text } = show({ showQuestions: true })
    await ui.metadata({ sessionId: { toString: 1 }, durationMs: 1 })
    await ui.toolInput({ ...ask, input })
    text()
    await ui.toolOutput('c', { answers: { a: { toString: 1 }, b: 'One', c: ['Two'] } })
    const deep = JSON.parse(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)
    await print({ type: 'tool-input-available', toolCallId: 'd', toolName: 'Deep', input: deep })
    expect(text()).toBe('→ {"toString":1}\n→ One\n→ ["Two"]\n● Deep …\n')
  })

  it('leaves questions to whoever asks them', async () => {
    const { ui, text } = show()
    await ui.toolInput({ ...ask, input })
    await ui.toolOutput('c', { answers: {} })
    expect(text()).toBe('')
  })

  it('shows questions where nobody asks them', async () => {
    const { ui, text } = show({ showQuestions: true })
    await ui.toolInput({ ...ask, input })
    expect(text()).toBe('\n? Which?\n  - One\n  - Two\n\nWaiting for the answer to come from elsewhere.\n')
  })

  it('says that an agent does not wait, and what it goes on with', async () => {
    const { ui, text } = show({ showQuestions: true })
    const [question] = input.questions
    await ui.toolInput({
      ...ask,
      input: { questions: [{ ...question, defaultOption: 'One' }], blocking: false },
    })
    expect(text()).toContain('\nThe agent goes on with One until an answer comes from elsewhere.\n')
    await ui.toolInput({ ...ask, toolCallId: 'd', input: { ...input, blocking: false } })
    expect(text()).toContain('\nThe agent goes on until an answer comes from elsewhere.\n')
  })

  it('names the command that answers a question, where there is one', async () => {
    const { ui, text } = show({ showQuestions: true, answerCommand: (id) => `sandagent answer ${id}` })
    await ui.toolInput({ ...ask, input })
    expect(text()).toContain('from elsewhere, such as: sandagent answer c\n')
  })

  it.each([
    [
      'declined',
      'The user declined to answer, saying "not \\"now\\"". Do not ask the same again.',
      'Declined, saying "not \\"now\\"".',
    ],
    ['declined', 'The user declined to answer. Do not ask the same again.', 'Declined.'],
    [
      'timed out',
      'Nobody answered within 3 s. This is not a decision of the user.',
      'Nobody answered in time.',
    ],
    ['withdrawn', 'The question was withdrawn before it was answered.', 'The agent withdrew the question.'],
  ])('tells people that a question was %s, not what the model shall do', async (_, forModel, forPeople) => {
    const elsewhere = show({ showQuestions: true })
    await elsewhere.ui.toolInput({ ...ask, input })
    elsewhere.text()
    await elsewhere.ui.toolError('c', forModel)
    expect(elsewhere.text()).toBe(`✗ ${forPeople}\n`)
    const here = show()
    await here.ui.toolInput({ ...ask, input })
    await here.ui.toolError('c', forModel)
    expect(here.text()).toBe('')
  })

  it('tells why a call failed, and that a run was stopped', async () => {
    const { ui, text } = show()
    await ui.toolError('a', 'no\u0007pe')
    await ui.abort()
    expect(text()).toBe('✗ nope\n\nStopped.\n')
  })
})

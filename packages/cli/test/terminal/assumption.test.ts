import type { AskedQuestion, PageAnswer, QuestionView } from '@sandagent/core/internal'
import { createFileHostChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox } from '@sandagent/sdk'
import { expect, it } from 'vitest'
import { createPaint } from '../../src/terminal/form/draw/paint.ts'
import { createFormModel } from '../../src/terminal/form/form-model.ts'
import type { Key } from '../../src/terminal/keyboard/key.ts'
import { holdAnswers } from '../../src/terminal/session/open-session.ts'
import { createFakeTerminal } from '../fake-terminal.ts'

const DATABASE: AskedQuestion = {
  id: 'db',
  question: 'Which database?',
  options: [{ label: 'Postgres' }, { label: 'SQLite' }],
  defaultOption: 'Postgres',
}

/** The form of a question, as its host tells of it. */
function openForm(more: Partial<QuestionView>, questions: AskedQuestion[] = [DATABASE]) {
  const sent: PageAnswer[] = []
  const view: QuestionView = {
    ...{ toolCallId: 'c', kind: 'question', state: 'open', questions, responses: {} },
    ...{ revision: 0, declined: false, deadline: null, remainingMs: null, ...more },
  }
  const transport = {
    send: async (answer: PageAnswer) => {
      sent.push(answer)
      return {}
    },
    subscribe(_: string, onView: (view: QuestionView) => void) {
      onView(view)
      return () => {}
    },
  }
  const { session, ...opened } = holdAnswers({ toolCallId: 'c', questions }, transport, 0)
  const stop = session.start()
  const model = createFormModel({
    open: { session, record: { kind: 'question' }, attach: async () => null, ...opened },
    paint: createPaint(false),
    size: { columns: 80, rows: 40 },
    ctrlC: 'leave',
  })
  model.arrive()
  const press = (name: string): void =>
    model.press({ name, text: '', ctrl: false, meta: false, shift: false } as Key)
  let whole = ''
  model.onWholeTexts((text) => {
    whole += text
  })
  const showWhole = (): string => {
    model.press({ name: 'o', text: '', ctrl: true, meta: false, shift: false } as Key)
    return whole
  }
  return { sent, stop, press, showWhole, screen: () => model.getDrawing().lines.join('\n') }
}

it('the form lets stand what the agent goes on with', async () => {
  const { sent, stop, press, screen } = openForm({ blocking: false })
  const row = 'Let it stand: the agent goes on with Postgres'
  for (let moves = 0; moves < 5 && !screen().includes(`❯ ${row}`); moves++) press('down')
  expect(screen()).toContain(`❯ ${row}`)
  expect(screen()).toContain('Enter send')
  press('return')
  const answer = { status: 'completed', responses: { db: { selected: ['Postgres'], source: 'human' } } }
  await expect.poll(() => sent.at(-1)).toMatchObject(answer)
  stop()
})

it('the form sends nothing by a first Enter, and shows all of what the agent goes on with', async () => {
  const defaultText = `Keep all${' of it'.repeat(20)}, but delete the rest`
  const why = { id: 'db', question: 'What becomes of it?', defaultText }
  const { sent, stop, press, screen, showWhole } = openForm({ blocking: false }, [why])
  expect(screen()).toContain('❯ Let it stand: the agent goes on with Keep all')
  expect(screen()).toContain('Ctrl-O whole text')
  expect(screen()).not.toContain('n note')
  expect(showWhole().replaceAll(/\s*\n│ /g, ' ')).toContain('but delete the rest')
  press('return')
  expect(screen()).not.toContain('Let it stand')
  expect(sent.filter(({ status }) => status === 'completed')).toEqual([])
  press('return')
  await expect
    .poll(() => sent.at(-1))
    .toMatchObject({ status: 'completed', responses: { db: { freeText: defaultText } } })
  stop()
})

it('the form says nothing of it where the agent waits', () => {
  const { stop, screen } = openForm({})
  expect(screen()).not.toContain('Let it stand')
  stop()
})

it.each<[string, Partial<QuestionView>, string, string]>([
  ['goes on', {}, 'goes on with', ''],
  ['comes back', { runEnded: true, comesBack: true }, 'went on with', 'It looks for your answer when it'],
  ['is gone', { runEnded: true }, 'went on with', 'Your answer is kept until it is started again'],
])('the form says that the agent %s', (_, more, stands, reader) => {
  const { stop, screen } = openForm({ blocking: false, ...more })
  expect(screen()).toContain(`Let it stand: the agent ${stands} Postgres`)
  expect(screen()).toContain(reader)
  expect(screen()).not.toContain('goes on without an answer')
  stop()
})

it('the form says that the agent goes on without an assumption', () => {
  const { defaultOption: _, ...question } = DATABASE
  const { stop, screen } = openForm({ blocking: false }, [question])
  expect(screen()).toContain('The agent goes on without an answer until you give one')
  expect(screen()).not.toContain('Let it stand')
  stop()
})

it('a person lets it stand in plain lines', async () => {
  const terminal = createFakeTerminal()
  const workdir = await tempDir()
  const line = JSON.stringify({ type: 'ask', id: '1', wait: false, questions: [DATABASE] })
  const program = ['sh', '-c', `echo '${line}'; read -r answer`]
  const host = createFileHostChannel({ files: new LocalSandbox({ workdir }).files })
  const exitCode = terminal.run(
    'run',
    ...['--screen-reader', '--workdir', workdir, '--run-id', 'r', '--', ...program],
  )
  await terminal.atPrompt(/\/stand lets it stand: the agent goes on with Postgres/, '/stand')
  expect(await exitCode).toBe(0)
  const { record } = await host.read('r-1')
  expect(record).toMatchObject({
    state: 'answered',
    blocking: false,
    responses: { db: { selected: ['Postgres'] } },
  })
})

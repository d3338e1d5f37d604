import type { PageAnswer, QuestionView } from '@sandagent/core/internal'
import { createFileHostChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox } from '@sandagent/sdk'
import { expect, it } from 'vitest'
import { createPaint } from '../../src/terminal/form/draw/paint.ts'
import { createFormModel } from '../../src/terminal/form/form-model.ts'
import type { Key } from '../../src/terminal/keyboard/key.ts'
import { holdAnswers } from '../../src/terminal/session/open-session.ts'
import type { Asked } from '../../src/terminal/subject-lines.ts'
import { createFakeTerminal } from '../fake-terminal.ts'
import { writeScenario } from '../write-scenario.ts'

const colour = { id: 'colour', question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }

it('a person asks back in plain lines, reads the reply, and answers then', async () => {
  const terminal = createFakeTerminal()
  const workdir = await tempDir()
  const ask = { questions: [colour], explain: 'For the roof.' }
  const scenario = await writeScenario(workdir, { ask })
  const host = createFileHostChannel({ files: new LocalSandbox({ workdir }).files })
  const args = ['--screen-reader', '--scenario', scenario, '--workdir', workdir, '--run-id', 'r']
  const exitCode = terminal.run('run', ...args)
  await terminal.atPrompt(/\/ask TEXT asks the agent, and decides nothing\./, '/ask')
  await terminal.atPrompt(/Type what you want to ask behind \/ask\./, '/ask What is it for?')
  const again =
    /Asked back: What is it for\?(.|\n)*You asked: What is it for\?\nThe agent says:\n│ For the roof\.\n/
  await terminal.atPrompt(again, '2')
  expect(await exitCode).toBe(0)
  const { record } = await host.read('r-1-again')
  expect(record).toMatchObject({ state: 'answered', follows: { toolCallId: 'r-1' } })
})

it('the form asks back from where it declines, and nothing but the marked row is sent', async () => {
  const sent: PageAnswer[] = []
  const view: QuestionView = {
    ...{ toolCallId: 'c', kind: 'question', state: 'open', questions: [colour], responses: {}, revision: 0 },
    ...{ declined: false, deadline: null, remainingMs: null, takesQuestions: true },
    thread: [{ question: 'And the door?', name: 'ada', reply: 'Green.' }],
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
  const { session, ...opened } = holdAnswers({ toolCallId: 'c', questions: [colour] }, transport, 0)
  const stop = session.start()
  const record: Asked = { kind: 'question' }
  const model = createFormModel({
    open: { session, record, attach: async () => null, ...opened },
    paint: createPaint(false),
    size: { columns: 80, rows: 40 },
    ctrlC: 'leave',
  })
  model.arrive()
  const press = (key: Partial<Key>): void =>
    model.press({ name: '', text: '', ctrl: false, meta: false, shift: false, ...key } as Key)
  const screen = (): string => model.getDrawing().lines.join('\n')
  expect(screen()).toMatch(/ada asked: And the door\?/)
  expect(screen()).toMatch(/│ The agent says: Green\./)
  press({ name: 'escape' })
  press({ name: 'down' })
  press({ name: 'down' })
  expect(screen()).toContain('❯ Ask the agent: decides nothing: it replies, and asks again')
  press({ name: 'return' })
  expect(screen()).toContain('Type what you want to ask.')
  for (const text of 'Why?') press({ text })
  expect(screen()).toContain('Enter ask')
  press({ name: 'return' })
  const asked = { status: 'declined', asksBack: true, reason: 'Why?', responses: {} }
  await expect.poll(() => sent).toMatchObject([asked])
  stop()
})

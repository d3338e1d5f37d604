import { createFileHostChannel, createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { askUser } from '@sandagent/runner'
import { LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { expect, it } from 'vitest'
import { WaitingLine } from '../../../src/terminal/beside/waiting-line.ts'
import { createTerminalChannel } from '../../../src/terminal/terminal-channel.ts'
import { createFakeTerminal } from '../../fake-terminal.ts'

it('a question that ends between its key and its form leaves the line, and its end is told', async () => {
  const { io, keyboard, inForm, at, view } = createFakeTerminal()
  const sandbox = new LocalSandbox({ workdir: await tempDir() })
  let open = (): void => {}
  class Line extends WaitingLine {
    override add(...[record, opens]: Parameters<WaitingLine['add']>) {
      super.add(record, opens)
      open = opens
    }
  }
  const line = new Line({ ...io, keyboard })
  const inFiles = createFileRunnerChannel({ workdir: sandbox.workdir })
  const channel = createTerminalChannel({ channel: inFiles, sandbox, io, keyboard, line })
  const ask = (toolCallId: string, question: string, blocking: boolean) =>
    askUser(channel, {
      ...{ toolCallId, runId: 'r', blocking },
      questions: [{ id: 'q', question, options: [{ label: 'Red' }, { label: 'Blue' }] }],
    })
  const waiting = ask('c', 'Which colour?', false)
  await at('Tab opens it')
  const first = ask('d', 'Which border?', true)
  await inForm('Which border?')
  // The key was pressed as the other question came.
  open()
  await submitAnswer(sandbox, { toolCallId: 'c', answers: { 'Which colour?': 'Blue' } })
  const host = createFileHostChannel({ files: sandbox.files })
  await expect.poll(async () => (await host.read('c')).record).toMatchObject({ state: 'answered' })
  await submitAnswer(sandbox, { toolCallId: 'd', answers: { 'Which border?': 'Red' } })
  expect(await waiting).toMatchObject({ kind: 'answered' })
  expect(await first).toMatchObject({ kind: 'answered' })
  await at(/Answered elsewhere\.\s+Which colour\?\s+→ Blue/)
  expect(await view()).not.toContain('Tab opens it')
})

import type { RunnerChannel } from '@sandagent/core'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { askUser } from '@sandagent/runner'
import { LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { expect, it } from 'vitest'
import { WaitingLine } from '../../../src/terminal/beside/waiting-line.ts'
import type { Key } from '../../../src/terminal/keyboard/key.ts'
import { createTerminalChannel } from '../../../src/terminal/terminal-channel.ts'
import { createFakeTerminal } from '../../fake-terminal.ts'

it('a question that ends between its key and its form leaves the line, and its end is told', async () => {
  const { io, at, view } = createFakeTerminal()
  const sandbox = new LocalSandbox({ workdir: await tempDir() })
  let press = (_key: Key): void => {}
  let letGo = (): void => {}
  const line = new WaitingLine({
    ...io,
    openKeyboard(onKey) {
      press = onKey
      return () =>
        new Promise((resolve) => {
          letGo = resolve
        })
    },
  })
  const inFiles = createFileRunnerChannel({ workdir: sandbox.workdir })
  const channel: RunnerChannel = {
    ...inFiles,
    // The keyboard is left only when the question has ended.
    settle: (...receipt) => inFiles.settle(...receipt).finally(() => setImmediate(() => letGo())),
  }
  const outcome = askUser(createTerminalChannel({ channel, sandbox, io, line }), {
    toolCallId: 'c',
    runId: 'r',
    blocking: false,
    questions: [{ id: 'q', question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }],
  })
  await at('Tab opens it')
  press({ name: 'tab' } as Key)
  await submitAnswer(sandbox, { toolCallId: 'c', answers: { 'Which colour?': 'Blue' } })
  expect(await outcome).toMatchObject({ kind: 'answered' })
  await at(/Answered elsewhere\.\s+Which colour\?\s+→ Blue/)
  expect(await view()).not.toContain('Tab opens it')
})

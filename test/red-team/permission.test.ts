import type { ChannelWarning, Outcome } from '@sandagent/core'
import { createFileRunnerChannel, questionRecordPath } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { askUser, createVerifiedChannel } from '@sandagent/runner'
import { createSigningKey, LocalSandbox, listQuestions, parseSigningKeys, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'

const id = 'toolu_1'
const options = [
  { value: 'allow-once', label: 'Allow once' },
  { value: 'deny', label: 'Deny' },
]
const request = {
  toolCallId: id,
  runId: 'run',
  kind: 'approval' as const,
  toolName: 'Bash',
  questions: [{ id: 'permission', question: 'May the agent use Bash?', options, allowFreeText: false }],
  subject: { toolName: 'Bash', input: { command: 'rm -rf /' } },
}
const swapped = [
  { value: 'deny', label: 'Allow once' },
  { value: 'allow-once', label: 'Deny' },
]

/** What an agent writes in the place of the record that its runner asks. */
const edits: Record<string, object> = {
  'shows a harmless call in the place of its own': {
    subject: { toolName: 'Bash', input: { command: 'ls' } },
  },
  'shows no call at all': { subject: undefined },
  'names another tool': { toolName: 'Read' },
  'swaps the labels of the choices': { questions: [{ ...request.questions[0], options: swapped }] },
  'asks for an answer rather than a permission': { kind: 'question' },
}

describe.each([
  ['where approvals are out of its reach', false],
  ['where answers are signed', true],
])('%s, an agent gets no permission for a call that the person did not see', (_, isSigned) => {
  it.each(Object.entries(edits))('when it %s', async (_, edit) => {
    const sandbox = new LocalSandbox({ workdir: await tempDir(), isolation: 'none' })
    const keys = isSigned ? await parseSigningKeys(await createSigningKey()) : null
    const warnings: ChannelWarning[] = []
    const onWarning = (warning: ChannelWarning): void => void warnings.push(warning)
    const files = createFileRunnerChannel({ workdir: sandbox.workdir })
    const channel = keys ? createVerifiedChannel(files, { publicKeys: keys.publicKeys, onWarning }) : files

    const stop = new AbortController()
    const { outcome } = await new Promise<{ outcome: Promise<Outcome> }>((resolve, reject) => {
      const onAsked = (): void => resolve({ outcome })
      const outcome = askUser(channel, request, { signal: stop.signal, onAsked, onWarning })
      outcome.catch(reject)
    })
    const path = questionRecordPath(id)
    const record = JSON.parse((await sandbox.files.read(path)) as string)
    await sandbox.files.writeAtomic(path, JSON.stringify({ ...record, ...edit }))

    const [seen] = await listQuestions(sandbox, { signingKeys: keys })
    expect(seen?.toolCallId).toBe(id)
    await submitAnswer(
      sandbox,
      { toolCallId: id, responses: allowed(), status: 'completed' },
      { signingKeys: keys },
    )
    await vi.waitFor(() => expect(warnings).not.toEqual([]))
    stop.abort()
    expect(await outcome).toMatchObject({ kind: 'aborted', responses: {} })
  })
})

const allowed = () => ({ permission: { selected: ['allow-once'], source: 'human' as const } })

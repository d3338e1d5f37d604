// A Cognipeer agent that asks: kill it while it waits, start it again, and it goes on with its snapshot.
// node examples/dialects/cognipeer.mjs FOLDER
import { addUserQuestion } from '@sandagent/core/dialects/cognipeer'
import { createFileRunnerChannel, createLocalFiles } from '@sandagent/files'
import { askPending } from '@sandagent/runner/cognipeer'

const folder = process.argv[2] ?? 'cognipeer-example'
const files = createLocalFiles(folder)

/** The result of `agent.invoke` when the model asks, here without a model. */
const invoke = () =>
  addUserQuestion(
    { messages: [{ role: 'user', content: 'Set up a project' }] },
    {
      id: 'uq_1',
      toolCallId: 'call_1',
      requestedAt: new Date().toISOString(),
      input: {
        questions: [
          {
            question: 'Which framework should we scaffold with?',
            header: 'Framework',
            options: [{ label: 'React' }, { label: 'Vue' }, { label: 'Svelte', value: 'svelte' }],
          },
          { question: 'What is it called?', header: 'Name' },
        ],
      },
    },
  )

/** @returns {Promise<import('@sandagent/core/dialects/cognipeer').CognipeerState>} */
const paused = async () => {
  const kept = await files.read('snapshot.json')
  if (kept !== null) return JSON.parse(kept)
  const state = invoke()
  await files.writeAtomic('snapshot.json', JSON.stringify(state))
  return state
}

const resolved = await askPending(await paused(), {
  channel: createFileRunnerChannel({ workdir: folder }),
  runId: 'cognipeer-example',
  onEvent: (event) => console.log(JSON.stringify(event)),
})
// The agent is invoked with this state; its last message is the result of the tool call.
console.log(JSON.stringify(resolved.messages?.at(-1)))

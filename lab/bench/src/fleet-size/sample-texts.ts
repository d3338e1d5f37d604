import { setTimeout as sleep } from 'node:timers/promises'
import { createRunnerChannel } from '@sandagent/core/store'
import { createMemoryFleet } from '@sandagent/fleet'
import { fleetSandbox } from '@sandagent/fleet-host'
import { askUser, createVerifiedChannel, parsePublicKeys } from '@sandagent/runner'
import { createSigningKey, parseSigningKeys, submitAnswer } from '@sandagent/sdk'

/** The id that the texts below have. Others take its place. */
export const SAMPLE_ID = 'toolu_sample'

/** What a question is in a store: its texts while it is open, and when it is settled. */
export interface SampleTexts {
  openRecord: string
  settledRecord: string
  answer: string
}

/** Asks a usual question: one with a header and three options that have descriptions. It gets a signed answer. */
export async function sampleTexts(): Promise<SampleTexts> {
  const store = createMemoryFleet()
  const key = await createSigningKey()
  const signingKeys = await parseSigningKeys(key)
  const publicKeys = parsePublicKeys(JSON.stringify(signingKeys.publicKeys))
  const questions = store.questions('sample')
  const textOf = async (which: 'record' | 'answer'): Promise<string> =>
    (await questions.read([SAMPLE_ID]))[0]?.[which]?.text ?? ''
  const channel = createVerifiedChannel(createRunnerChannel(questions), { publicKeys })
  let openRecord = ''
  const runId = 'run_0193f0c2a1b4'
  await store.runs.put({
    runId,
    namespace: 'sample',
    publicKeyIds: signingKeys.publicKeys.keys.flatMap(({ kid }) => kid ?? []),
    metadata: {},
    startedAt: new Date().toISOString(),
  })
  await askUser(
    channel,
    { toolCallId: SAMPLE_ID, runId, questions: [QUESTION] },
    {
      async onAsked() {
        openRecord = await textOf('record')
        void submitAnswer(
          fleetSandbox(store, 'sample'),
          {
            toolCallId: SAMPLE_ID,
            status: 'completed',
            answers: { [QUESTION.question]: 'Postgres' },
          },
          { answeredBy: 'ada', signingKeys },
        )
      },
    },
  )
  // The receipt is written behind.
  let settledRecord = openRecord
  while (settledRecord === openRecord) {
    await sleep(10)
    settledRecord = await textOf('record')
  }
  const answer = await textOf('answer')
  await store.close()
  return { openRecord, settledRecord, answer }
}

const QUESTION = {
  question: 'Which database should the new service use for its orders?',
  header: 'Database',
  options: [
    {
      label: 'Postgres',
      description: 'The other services use it too. A migration tool and back-ups are there already.',
    },
    {
      label: 'SQLite',
      description: 'Nothing has to be operated. It works as long as one process writes to it.',
    },
    {
      label: 'DynamoDB',
      description: 'It grows without work. Queries have to be known before the tables are made.',
    },
  ],
}

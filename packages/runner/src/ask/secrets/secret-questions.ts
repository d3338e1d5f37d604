import {
  type AskedQuestion,
  answersOf,
  isSettled,
  type OpenRecord,
  type Outcome,
  own,
  type QuestionRecord,
  questionDigestOf,
  type Responses,
  type RunnerChannel,
  secretIdOf,
} from '@sandagent/core/internal'
import { createSecretKeys, openSecret, type SecretPlace } from '@sandagent/core/secret'
import { dropSecret, type KeptSecret, keepSecret, keptSecret, sweepSecrets } from './secret-files.ts'

/**
 * Asks questions of which some are secrets, each with a key of its own. A question that waits keeps its keys, if they are still
 * here.
 */
export async function openWithKeys(
  channel: RunnerChannel,
  asked: OpenRecord,
  open: (asked: OpenRecord) => Promise<QuestionRecord>,
): Promise<QuestionRecord> {
  await sweepSecrets(Date.now())
  const found = await channel.recordOf(asked.toolCallId)
  const isWaiting = found !== null && !isSettled(found) && (await areKept(found.questions))
  const questions = isWaiting
    ? withKeysOf(found.questions, asked.questions)
    : await withNewKeys(asked.questions)
  try {
    const record = await open({ ...asked, questions })
    if (!isWaiting) await dropSecrets(questions, record.questions)
    return record
  } catch (error) {
    // A key that cannot be removed now is removed later, as one that nobody uses.
    if (!isWaiting) await dropSecrets(questions).catch(() => {})
    throw error
  }
}

/**
 * Keeps the secrets that were given, and removes the keys of all others. In the outcome, a secret is a text that says how to
 * use it.
 *
 * @param mayBeGone whether a secret that is not kept here any more is told again, by its id. Otherwise it counts as one that
 *   cannot be opened
 * @returns `null` if one of them cannot be opened: nothing is kept then, and the person must be asked again
 */
export async function takeGiven(
  record: QuestionRecord,
  outcome: Outcome,
  mayBeGone: boolean,
): Promise<Outcome | null> {
  const secrets: Record<string, string> = {}
  const given = new Map<string, KeptSecret>()
  const { toolCallId } = record
  const questionDigest = questionDigestOf(record)
  for (const { question, id } of secretsIn(record.questions)) {
    const sealed = sealedIn(outcome.responses, question)
    if (sealed === undefined) continue
    secrets[question.id] = id
    const kept = await keptSecret(id)
    const place = { toolCallId, questionId: question.id, questionDigest }
    if (kept ? !(await canOpen(sealed, kept, place)) : !mayBeGone) return null
    if (kept && !kept.given) given.set(id, { ...kept, given: { sealed, place } })
  }
  for (const [id, secret] of given) await keepSecret(id, secret)
  for (const { question, id } of secretsIn(record.questions))
    if (!own(secrets, question.id)) await dropSecret(id)
  return inWords(outcome, secrets)
}

const canOpen = (sealed: string, { privateKey }: KeptSecret, place: SecretPlace): Promise<boolean> =>
  openSecret(sealed, privateKey, place).then(
    () => true,
    () => false,
  )

/** The outcome of a call whose secrets are kept already. */
export const toldAgain = (outcome: Outcome): Outcome =>
  inWords(
    outcome,
    Object.fromEntries(
      secretsIn(outcome.questions).flatMap(({ question, id }) =>
        sealedIn(outcome.responses, question) === undefined ? [] : [[question.id, id]],
      ),
    ),
  )

function inWords(outcome: Outcome, secrets: Record<string, string>): Outcome {
  const responses = Object.fromEntries(
    Object.entries(outcome.responses).map(([questionId, response]) => {
      const id = own(secrets, questionId)
      if (id === undefined || 'skipped' in response) return [questionId, response]
      const { sealed: _, ...rest } = response
      return [questionId, { ...rest, freeText: wordsFor(id) }]
    }),
  )
  return Object.keys(secrets).length === 0
    ? outcome
    : { ...outcome, responses, answers: answersOf(outcome.questions, responses), secrets }
}

const wordsFor = (id: string): string =>
  `given as a secret. You cannot see it. A command gets it once, on its standard input: npx sandagent secret ${id} -- COMMAND (or in a variable: npx sandagent secret ${id} --env NAME -- COMMAND)`

const sealedIn = (responses: Responses, { id }: AskedQuestion): string | undefined => {
  const response = own(responses, id)
  return response && !('skipped' in response) ? response.sealed : undefined
}

const secretsIn = (questions: readonly AskedQuestion[]): { question: AskedQuestion; id: string }[] =>
  questions.flatMap((question) => {
    const id = secretIdOf(question)
    return id === undefined ? [] : [{ question, id }]
  })

async function areKept(questions: readonly AskedQuestion[]): Promise<boolean> {
  for (const { id } of secretsIn(questions)) if (!(await keptSecret(id))) return false
  return true
}

async function withNewKeys(questions: readonly AskedQuestion[]): Promise<AskedQuestion[]> {
  const keyed: AskedQuestion[] = []
  for (const question of questions) {
    if (!question.secret) {
      keyed.push(question)
      continue
    }
    // A key that the asker gave would be the asker's.
    const { publicKey, privateKey } = await createSecretKeys()
    const withKey = { ...question, secret: { publicKey } }
    await keepSecret(secretIdOf(withKey) as string, { privateKey })
    keyed.push(withKey)
  }
  return keyed
}

const withKeysOf = (found: readonly AskedQuestion[], asked: readonly AskedQuestion[]): AskedQuestion[] =>
  asked.map((question, index) =>
    question.secret ? { ...question, secret: found[index]?.secret ?? true } : question,
  )

/** Removes the keys of questions, but those that a recorded one has. */
export async function dropSecrets(
  questions: readonly AskedQuestion[],
  recorded: readonly AskedQuestion[] = [],
): Promise<void> {
  const used = secretsIn(recorded).map(({ id }) => id)
  for (const { id } of secretsIn(questions)) if (!used.includes(id)) await dropSecret(id)
}

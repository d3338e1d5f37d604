import {
  type AnswerRequest,
  type AskedQuestion,
  type Author,
  authorOf,
  type BoundAnswerFile,
  type Clock,
  encodeAnswers,
  type GrantName,
  otherDraftsFor,
  type PasskeyProof,
  PROVISIONAL,
  type Question,
  type QuestionState,
  questionDigestOf,
  type Viewer,
  withIds,
} from '@sandagent/core/internal'
import { type CountedAnswer, countVotes, type GivenAnswer } from '../policy/count-votes.ts'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { signAnswer } from '../signing/answer-signatures.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'

interface StoringFacts extends Pick<AnswerFacts, 'now' | 'browser' | 'grant'> {
  viewer: Viewer
  /** What a passkey has signed of the answer, if it needs that. */
  proof: PasskeyProof | undefined
  /** Default: nothing is signed. */
  sandbox: AnswerableSandbox | undefined
  signingKeys: SigningKeys | null | undefined
  clock: Clock
}

/**
 * What is stored of a checked answer: it is counted under the policy, and signed with the host's key.
 *
 * @throws AskError as {@link countVotes} and {@link signAnswer} do
 */
export async function answerToStore(
  state: QuestionState,
  answer: GivenAnswer,
  { reason, asksBack }: AnswerRequest,
  { viewer, proof, sandbox, signingKeys, clock, ...facts }: StoringFacts,
): Promise<{ answerFile: BoundAnswerFile; missingVotes: number | undefined }> {
  const { rule } = viewer
  const counted: CountedAnswer = rule
    ? countVotes(state, answer, { ...viewer, rule }, facts.now, proof)
    : answer
  const unsigned = answerFileFor(state, counted, { author: authorOf(viewer), reason, asksBack, ...facts })
  const { record } = state
  const answerFile =
    record && sandbox ? await signAnswer(sandbox, unsigned, record, { signingKeys, clock }) : unsigned
  return { answerFile, missingVotes: counted.missingVotes }
}

/** What an answer file has beside the answer. */
interface AnswerFacts extends Pick<AnswerRequest, 'reason' | 'asksBack' | 'browser'> {
  author: Author
  /** In milliseconds since 1970. */
  now: number
  grant?: GrantName | undefined
}

/** The answer file of an answer, as the next revision of the stored one. */
export function answerFileFor(
  { toolCallId, record, answerFile }: QuestionState,
  { questions, status, responses, isProvisional, policy, ownDraft }: CountedAnswer,
  { author, now, reason, asksBack, browser, grant }: AnswerFacts,
): BoundAnswerFile {
  const isDraft = status === 'pending'
  const revision = (answerFile?.revision ?? 0) + 1
  const timestamp = new Date(now).toISOString()
  const others = isDraft ? otherDraftsFor(author, answerFile, questions) : []
  const otherDrafts = ownDraft ? [{ ...author, responses: ownDraft, revision, timestamp }, ...others] : others
  return {
    questions: withoutGivenIds(questions),
    answers: encodeAnswers(questions, responses),
    status,
    timestamp,
    ...(isProvisional && PROVISIONAL),
    version: 1,
    toolCallId,
    ...(record && { nonce: record.nonce, questionDigest: questionDigestOf(record) }),
    revision,
    responses,
    // While votes are counted, the answer is nobody's yet.
    ...(!(isDraft && policy) && { ...author, ...(browser !== undefined && { browser }) }),
    ...(otherDrafts.length > 0 && { otherDrafts }),
    ...policy,
    ...(status === 'declined' && reason !== undefined && { reason }),
    ...(grant && { grant }),
    ...(status === 'declined' && asksBack && { asksBack }),
  }
}

/** The questions as they were asked. Other SandAgent programs know no ids, and readers number the questions again. */
function withoutGivenIds(questions: AskedQuestion[]): Question[] {
  const asked = questions.map(({ id: _, ...question }): Question => question)
  return withIds(asked).every(({ id }, index) => id === questions[index]?.id) ? asked : questions
}

import { isFinal } from '../../compat/finality.ts'
import type { AskedQuestion } from '../../question/question.ts'
import { readQuestions } from '../../question/read-questions.ts'
import { responsesOf } from '../answer-file/answer-file.ts'
import { questionDigestOf } from '../answer-file/signed-claims.ts'
import type { AskedBack } from '../asking-back.ts'
import { type Author, authorId, authorOf, isSameAuthor, isSameName, shownName } from '../people/author.ts'
import { decidableBy } from '../people/passkey-demand.ts'
import { passkeyNote } from '../people/passkey-note.ts'
import { isBy, type Vote } from '../people/vote.ts'
import { isSettled } from '../question-record.ts'
import type { QuestionState } from '../question-state.ts'
import { isDisputed } from '../receipt.ts'
import { deadlineOf } from '../timeout.ts'
import { draftsIn } from './other-drafts.ts'
import type { OtherDraft, QuestionView, ShownExchange } from './question-view.ts'
import { policyFor, type Viewer, votesOn } from './votes-on.ts'

/**
 * Makes the view of a question at `now`, in milliseconds since 1970.
 *
 * @param viewer the person who will see it. Drafts of other people are kept apart for this person.
 * @param host what the host knows of the question, also where nobody in particular will see it. Default: what it knows for the
 *   viewer
 */
export function viewOf(
  state: QuestionState,
  now: number,
  viewer?: Viewer,
  host: Pick<Viewer, 'rule' | 'passkeySite'> = viewer ?? {},
): QuestionView {
  const { toolCallId, record, answerFile, runEnded, thread, ignored } = state
  // The questions of older writers are not checked. One bad file must not hide the others.
  const questions = record?.questions ?? readQuestions(answerFile)
  const settled = record && isSettled(record) ? record : undefined
  const final = answerFile !== undefined && isFinal(answerFile)
  const deadline = record ? deadlineOf(record, answerFile?.timestamp, now) : null
  const answeredBy = settled ? settled.answeredBy : final || !viewer ? answerFile?.answeredBy : undefined
  const { reason, asksBack } = settled ?? answerFile ?? {}
  const policy = policyFor(state, viewer, host.rule)
  const isOpen = !settled && !final
  const note = record && isOpen ? passkeyNote(record, policy.rule, host.passkeySite) : undefined
  const decidable =
    isOpen && policy.rule?.passkey
      ? questions.map((question) => decidableBy(question, viewer?.passkey !== undefined))
      : questions
  return {
    toolCallId,
    ...(record && { toolName: record.toolName, askedAt: record.askedAt }),
    kind: record?.kind ?? 'question',
    state: settled ? settled.state : final ? 'sent' : 'open',
    questions: record?.kind === 'approval' ? decidable.map(asWritten) : questions,
    ...(record && { questionDigest: questionDigestOf(record) }),
    ...(record?.subject && { subject: record.subject }),
    ...(record?.asker && { asker: record.asker }),
    ...(record?.takesQuestions && { takesQuestions: record.takesQuestions }),
    // A runner may claim it of an approval. Nobody goes on with a call before it is allowed.
    ...(record?.kind === 'question' && record.blocking === false && { blocking: record.blocking }),
    ...(record?.kind === 'question' && record.comesBack && { comesBack: record.comesBack }),
    ...(thread?.length && { thread: thread.map((exchange) => exchangeFor(exchange, viewer)) }),
    ...(record?.traceparent !== undefined && { traceparent: record.traceparent }),
    responses: settled ? settled.responses : answerFile ? responsesOf(answerFile, questions) : {},
    revision: answerFile?.revision ?? 0,
    declined: answerFile?.status === 'declined',
    ...(settled && { settledAt: settled.settledAt }),
    deadline: deadline === null ? null : new Date(deadline).toISOString(),
    remainingMs: deadline === null ? null : Math.max(0, deadline - now),
    ...(answeredBy !== undefined && { answeredBy }),
    ...policy,
    ...(final
      ? { answeredAt: answerFile.timestamp, ...(answerFile.grant && { grant: answerFile.grant }) }
      : !settled && viewer?.offer),
    ...(isOpen && viewer?.passkey && { passkey: viewer.passkey }),
    ...(note !== undefined && { passkeyNote: note }),
    ...(reason !== undefined && { reason }),
    ...(asksBack && { asksBack }),
    ...(runEnded && !settled && { runEnded }),
    ...(ignored && isOpen && { ignored }),
    ...(settled && isDisputed(settled, answerFile) && { disputed: true as const }),
    ...(viewer && (settled || final ? endingFor(viewer, state) : draftsFor(viewer, state, questions))),
  }
}

/** What a person permits by is shown with all its signs: Markdown would show `Edit(/src/**)` as less than it permits. */
const asWritten = (question: AskedQuestion): AskedQuestion => ({ ...question, textFormat: 'plain' })

const exchangeFor = (
  { question, reply, ...author }: AskedBack,
  viewer: Author | undefined,
): ShownExchange => ({
  question,
  ...shownName(author),
  ...(viewer && isBy(author, viewer) && { isOwn: true }),
  ...(reply !== undefined && { reply }),
})

/** The viewer's own draft or vote, and the drafts of other people, unless the viewer may not answer. */
function draftsFor(
  viewer: Viewer,
  state: QuestionState,
  questions: readonly AskedQuestion[],
): Pick<QuestionView, 'responses' | 'revision' | 'otherDrafts'> {
  const drafts = draftsIn(state.answerFile, questions)
  const isOwn = (draft: Author): boolean => isSameAuthor(authorOf(draft), authorOf(viewer))
  const isOwnVote = ({ answeredBy }: Vote): boolean => isSameName(answeredBy, viewer.answeredBy)
  const own = drafts.find(isOwn) ?? votesOn(state, viewer.counts).find(isOwnVote)
  const others = viewer.mayAnswer === false ? [] : drafts.filter((draft) => !isOwn(draft))
  return {
    responses: own?.responses ?? {},
    revision: own?.revision ?? 0,
    otherDrafts: others.map(({ responses, revision, timestamp, ...author }): OtherDraft => {
      const id = authorId(author)
      return { id, ...shownName(author), responses, revision, at: timestamp }
    }),
  }
}

/** Whether somebody else answered. An answer without a name and without a browser may be anybody's. */
function endingFor(viewer: Author, { record, answerFile }: QuestionState): Pick<QuestionView, 'byOther'> {
  const final = answerFile && isFinal(answerFile) ? answerFile : undefined
  const given: Author = final ?? (record && isSettled(record) ? record : {})
  const isKnown = given.answeredBy !== undefined || given.browser !== undefined
  return isKnown ? { byOther: !isBy(given, viewer) } : {}
}

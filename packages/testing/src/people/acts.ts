import { APPROVAL_OPTIONS, AskError, type Responses } from '@sandagent/core/internal'
import { allResponsesTo, responsesTo, type SaidAnswers } from '../said-answers.ts'
import type { Act } from './act.ts'

/** The person answers at once. */
export const answers =
  (said: SaidAnswers): Act =>
  async ({ record, send }) => {
    await send({ responses: allResponsesTo(record.questions, said), status: 'completed' })
  }

/** The person answers this many milliseconds after the question was asked. */
export const answersAfter = (ms: number, said: SaidAnswers): Act => after(ms, answers(said))

/** The person declines, and may say why. */
export const declines =
  (reason?: string): Act =>
  async ({ send }) => {
    await send({ status: 'declined', reason })
  }

/** The person answers, and then again. The first answer counts: what the host says to the second one is a reply. */
export const answersTwice = (first: SaidAnswers, second: SaidAnswers): Act =>
  inOrder(answers(first), mayBeRefused(answers(second)))

/** The person types something and leaves: the host has a draft, and no answer comes. */
export const leavesDraft =
  (said: SaidAnswers): Act =>
  async ({ record, send }) => {
    await send({ responses: responsesTo(record.questions, said), status: 'pending' })
  }

/** The person sees the question and does nothing. */
export const neverAnswers = (): Act => async () => {}

/** The person lets the tool of an approval run once. */
export const allows = (): Act => decides(APPROVAL_OPTIONS.allowOnce.value)

/** The person denies the tool of an approval, and may say why. */
export const denies = (note?: string): Act => decides(APPROVAL_OPTIONS.deny.value, note)

const decides =
  (value: string, notes?: string): Act =>
  async ({ record, send }) => {
    const decision = { selected: [value], notes, source: 'human' as const }
    const responses: Responses = Object.fromEntries(record.questions.map(({ id }) => [id, decision]))
    await send({ responses, status: 'completed' })
  }

/** The act begins this many milliseconds later. */
export const after =
  (ms: number, act: Act): Act =>
  async (call) => {
    await call.wait(ms)
    await act(call)
  }

/** One act after the other, for the same call. */
export const inOrder =
  (...acts: readonly Act[]): Act =>
  async (call) => {
    for (const act of acts) await act(call)
  }

/** The act, where the host may refuse what is sent: the refusal is a reply of the person, and no failure. */
export const mayBeRefused =
  (act: Act): Act =>
  async (call) => {
    try {
      await act(call)
    } catch (error) {
      if (!(error instanceof AskError)) throw error
    }
  }

import {
  AskError,
  type CheckQuestionInput,
  filledText,
  parseWith,
  printableLine,
  TICKET_ACTIONS,
} from '@sandagent/core/internal'
import * as v from 'valibot'

const checkSchema = v.strictObject({
  ticket: filledText,
  action: v.nullish(v.picklist(TICKET_ACTIONS), 'look'),
})

/** Reads a call of the tool that checks a ticket. @throws AskError `INVALID_REQUEST` with every fault. */
export const parseCheckCall = (input: unknown): Required<CheckQuestionInput> =>
  parseWith(checkSchema, input, 'INVALID_REQUEST', 'This cannot be checked')

/** A wrong ticket may be long, and a model pays for what it reads. */
export const noTicket = (ticket: string): AskError =>
  new AskError(
    'NOT_FOUND',
    `There is no question with the ticket ${printableLine(ticket, 100)}. Ask it again`,
  )

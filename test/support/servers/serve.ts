import { listen } from '@sandagent/fixtures/listen.ts'
import { type AnswerHandler, toNodeHandler } from '@sandagent/sdk'

export { post } from '@sandagent/fixtures/listen.ts'

/** Serves a handler on a free port of the loopback until the test is over; resolves to the origin. */
export const serve = (handler: Partial<AnswerHandler>): Promise<string> => listen(toNodeHandler(handler))

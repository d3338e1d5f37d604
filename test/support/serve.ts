import { type AnswerHandler, toNodeHandler } from '@sandagent/sdk'
import { listen } from './listen.ts'

export { post } from './listen.ts'

/** Serves a handler on a free port of the loopback until the test is over; resolves to the origin. */
export const serve = (handler: Partial<AnswerHandler>): Promise<string> => listen(toNodeHandler(handler))

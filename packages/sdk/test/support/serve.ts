import type { RequestListener } from 'node:http'
import { listen } from '@sandagent/fixtures/listen.ts'

export { post } from '@sandagent/fixtures/listen.ts'

/** Serves on a free port of the loopback until the test is over; resolves to the URL. */
export const serve = async (listener: RequestListener): Promise<string> =>
  `${await listen(listener)}/api/answer`

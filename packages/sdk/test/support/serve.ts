import type { RequestListener } from 'node:http'
import { listen } from '../../../../test/support/listen.ts'

export { post } from '../../../../test/support/listen.ts'

/** Serves on a free port of the loopback until the test is over; resolves to the URL. */
export const serve = async (listener: RequestListener): Promise<string> =>
  `${await listen(listener)}/api/answer`

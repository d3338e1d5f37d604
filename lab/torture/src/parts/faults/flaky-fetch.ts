import { request as httpRequest } from 'node:http'
import { createRandom } from '../../lib/random.ts'
import { settings } from '../settings/settings.ts'

/** What can happen to a request that stores something. */
const SHARES = { works: 84, lost: 4, 'cut off': 4, 'reply lost': 4, doubled: 4 }

const random = createRandom(settings.seed + 1)
let ports: readonly number[] = []
let isHealed = false

export const setPorts = (now: readonly number[]): void => {
  ports = now
}

export const healNetwork = (): void => {
  isHealed = true
}

/** Sends a request to one of the hosts, over a network that loses, cuts and doubles requests. */
export const flakyFetch: typeof fetch = async (input, init = {}) => {
  const [first, ...others] = ports
  if (first === undefined) throw new TypeError('No host is there')
  const { pathname, search } = new URL(String(input))
  const url = `http://127.0.0.1:${random.pick([first, ...others])}${pathname}${search}`
  const fate = init.method === 'POST' && !isHealed ? random.weighted(SHARES) : 'works'
  if (fate === 'lost') throw new TypeError('A fault of the torture: the request is lost')
  if (fate === 'cut off') {
    await sendHalf(url, init)
    throw new TypeError('A fault of the torture: the request is cut off')
  }
  if (fate === 'doubled')
    void fetch(url, init).then(
      (response) => response.body?.cancel(),
      () => {},
    )
  const response = await fetch(url, init)
  if (fate !== 'reply lost') return response
  await response.body?.cancel()
  throw new TypeError('A fault of the torture: the reply is lost')
}

/** Sends the headers and a half of the body, then closes the connection. */
function sendHalf(url: string, { headers, body }: RequestInit): Promise<void> {
  const bytes = Buffer.from(String(body))
  return new Promise((resolve) => {
    const request = httpRequest(url, {
      method: 'POST',
      agent: false,
      headers: { ...Object.fromEntries(new Headers(headers)), 'content-length': bytes.length },
    })
    request.once('error', () => resolve())
    request.once('close', () => resolve())
    request.write(bytes.subarray(0, bytes.length / 2), () => request.destroy())
  })
}

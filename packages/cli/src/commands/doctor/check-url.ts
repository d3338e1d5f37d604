import { errorCode, withLimit } from '@sandagent/core/internal'
import { bad, good, type Verdict } from './finding.ts'

const PATIENCE_MS = 10_000

/** Whether an address replies at all. What it replies is for those who may ask it. */
export async function checkUrl(url: string, stop: AbortSignal): Promise<Verdict> {
  const began = performance.now()
  try {
    const signal = withLimit(stop, PATIENCE_MS)
    const { status } = await fetch(url, { redirect: 'manual', signal })
    const replyMs = Math.round(performance.now() - began)
    const text = `${url} replies with ${status} after ${replyMs} ms`
    return status >= 500 ? bad(text, 'Look into the log of that host.') : good(text, { replyMs })
  } catch (error) {
    const { message, cause } = error as Error
    // The error of a name with several addresses has a code alone.
    const why = (cause instanceof Error && (cause.message || errorCode(cause))) || message
    return bad(`${url} does not reply: ${why}`, 'Look at its name, its port, and firewalls.')
  }
}

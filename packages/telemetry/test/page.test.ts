import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { describe, expect, it } from 'vitest'
import { NAMES } from '../src/names.ts'
import { createTracedFetch } from '../src/page.ts'
import { measured, parentOf } from './measured.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const QUESTION = `00-${TRACE}-b7ad6b7169203331-01`

/** A page's `fetch`, and the headers that it sent. */
function page(reply: () => Response = () => Response.json({ success: true })) {
  const { tracerProvider, span, spans } = measured()
  const sent: Headers[] = []
  const fetch = createTracedFetch({
    tracerProvider,
    fetch: async (_, init) => {
      sent.push(new Headers(init?.headers))
      return reply()
    },
  })
  const post = (body: string) =>
    fetch('/api/answer', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return { fetch, post, sent, span, spans }
}

describe('the fetch of a page', () => {
  it('an answer gets a span below its question, and the host the header', async () => {
    const { post, sent, span } = page()
    await post(JSON.stringify({ toolCallId: 'call_1', status: 'declined', traceparent: QUESTION }))
    const answer = span('sandagent.send_answer')
    expect(answer.spanContext().traceId).toBe(TRACE)
    expect(parentOf(answer)).toBe('b7ad6b7169203331')
    expect(answer).toMatchObject({
      kind: SpanKind.CLIENT,
      attributes: { [NAMES.call]: 'call_1', [NAMES.status]: 'declined', [NAMES.httpStatus]: 200 },
    })
    expect(sent[0]?.get('traceparent')).toBe(`00-${TRACE}-${answer.spanContext().spanId}-01`)
    expect(sent[0]?.get('content-type')).toBe('application/json')
  })

  it.each(['x', '00-0-0-01', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, 7, null])(
    'a traceparent that is %j begins a trace of its own',
    async (traceparent) => {
      const { post, span } = page()
      await post(JSON.stringify({ toolCallId: 'call_1', traceparent }))
      expect(parentOf(span('sandagent.send_answer'))).toBeUndefined()
    },
  )

  it('a refused answer is an error of the client', async () => {
    const { post, span } = page(() => Response.json({}, { status: 409 }))
    await post(JSON.stringify({ toolCallId: 'call_1' }))
    expect(span('sandagent.send_answer')).toMatchObject({
      attributes: { [NAMES.httpStatus]: 409 },
      status: { code: SpanStatusCode.ERROR },
    })
  })

  it('a failed request is passed on, and ends its span', async () => {
    const { post, span } = page(() => {
      throw new TypeError('offline')
    })
    await expect(post(JSON.stringify({ toolCallId: 'call_1' }))).rejects.toThrow('offline')
    expect(span('sandagent.send_answer').attributes['error.type']).toBe('TypeError')
  })

  it('other requests are left as they are', async () => {
    const { fetch, post, sent, spans } = page()
    await fetch('/api/answer?toolCallId=call_1')
    await post('no JSON')
    await post('null')
    expect(spans()).toEqual([])
    expect(sent.map((headers) => headers.get('traceparent'))).toEqual([null, null, null])
  })
})

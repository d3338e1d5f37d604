import { MAX_BODY_BYTES } from '@sandagent/core/internal'
import { describe, expect, it } from 'vitest'
import { readJsonBody } from '../../src/http/read-json-body.ts'
import { refusalOf } from '../support/temp-sandbox.ts'

type Body = NonNullable<RequestInit['body']>

const requestWith = (body: Body, contentType = 'application/json'): Request =>
  new Request('http://localhost/', {
    method: 'POST',
    headers: { 'content-type': contentType },
    body,
    duplex: 'half',
  } as RequestInit)

describe('readJsonBody', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json ;x=y',
  ])('reads %s', async (contentType) => {
    expect(await readJsonBody(requestWith('{"a": "ü"}', contentType))).toEqual({ a: 'ü' })
  })

  it.each([
    'text/plain',
    'application/jsonp',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    '',
  ])('refuses %j, which a form on a foreign page could send', async (contentType) => {
    expect(await refusalOf(readJsonBody(requestWith('{}', contentType)))).toMatchObject({
      code: 'UNSUPPORTED_MEDIA_TYPE',
    })
  })

  it.each(['', '{', 'undefined', '{}{}'])('refuses %j', async (body) => {
    expect(await refusalOf(readJsonBody(requestWith(body)))).toMatchObject({ code: 'INVALID_REQUEST' })
  })

  it('refuses bytes that are no UTF-8', async () => {
    const bytes = new Uint8Array([...Buffer.from('{"a": "'), 0xff, ...Buffer.from('"}')])
    expect(await refusalOf(readJsonBody(requestWith(bytes)))).toMatchObject({ code: 'INVALID_REQUEST' })
  })

  it('reads up to its limit and not a byte more', async () => {
    const text = (length: number): string => JSON.stringify('x'.repeat(length - 2))
    expect(await readJsonBody(requestWith(text(MAX_BODY_BYTES)))).toHaveLength(MAX_BODY_BYTES - 2)
    expect(await refusalOf(readJsonBody(requestWith(text(MAX_BODY_BYTES + 1))))).toMatchObject({
      code: 'TOO_LARGE',
    })
  })

  it('stops an endless body instead of reading it', async () => {
    let sent = 0
    let stopped = false
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 64 * 1024
        controller.enqueue(new Uint8Array(64 * 1024))
      },
      cancel() {
        stopped = true
      },
    })
    expect(await refusalOf(readJsonBody(requestWith(endless)))).toMatchObject({ code: 'TOO_LARGE' })
    expect(stopped).toBe(true)
    expect(sent).toBeLessThan(5 * MAX_BODY_BYTES)
  })
})

import type { RequestHandler } from 'express'

const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/

/** Refuses requests that name another host: a web site whose name was pointed at this machine sends them. */
export const loopbackOnly: RequestHandler = (request, response, next) => {
  if (LOOPBACK.test(request.headers.host ?? '')) next()
  else response.sendStatus(403)
}

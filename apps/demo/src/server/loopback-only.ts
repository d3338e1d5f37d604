import type { RequestHandler } from 'express'

const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/

/**
 * Refuses requests that name another host, as a web site sends them whose name was pointed at this machine, and those
 * that another site's page sends here.
 */
export const loopbackOnly: RequestHandler = ({ headers: { host = '', origin } }, response, next) => {
  if (LOOPBACK.test(host) && (origin === undefined || origin === `http://${host}`)) next()
  else response.sendStatus(403)
}

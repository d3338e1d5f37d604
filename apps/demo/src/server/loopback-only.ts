import { AskError, checkOrigin, LOOPBACK_HOSTS } from '@sandagent/sdk'
import type { RequestHandler } from 'express'

/**
 * Refuses requests that name another host, as a web site sends them whose name was pointed at this machine, and those
 * that another site's page sends here.
 */
export const loopbackOnly: RequestHandler = (request, response, next) => {
  try {
    checkOrigin(request, { allowedHosts: LOOPBACK_HOSTS })
  } catch (error) {
    if (!(error instanceof AskError)) throw error
    return void response.status(403).type('text/plain').send(error.message)
  }
  next()
}

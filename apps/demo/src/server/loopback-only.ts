import { AskError, checkOrigin, LOOPBACK_HOSTS } from '@sandagent/sdk'
import type { RequestHandler } from 'express'

/** Refuses requests that name another host (DNS rebinding), and requests from pages of other sites. */
export const loopbackOnly: RequestHandler = (request, response, next) => {
  try {
    checkOrigin(request, { allowedHosts: LOOPBACK_HOSTS })
  } catch (error) {
    if (!(error instanceof AskError)) throw error
    return void response.status(403).type('text/plain').send(error.message)
  }
  next()
}

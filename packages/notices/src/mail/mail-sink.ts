import { AskError, checkOptions, invalid } from '@sandagent/core/internal'
import { LOOPBACK_HOSTS } from '@sandagent/sdk'
import { headlineOf, textsOf } from '../lib/notice-text.ts'
import type { Notice, NoticeSink } from '../notice.ts'

export interface MailSinkOptions {
  /** The mail server with its user and password, such as `smtps://USER:PASSWORD@mail.example.com`. */
  server: string
  /** The sender: an address, or `Name <address>`. */
  from: string
}

/**
 * Sends notices by mail, as plain text. The address of a person is a mail address. Mails cannot be edited, so nothing happens
 * when the question has ended.
 *
 * @throws AskError `INVALID_REQUEST` for a server that is no URL
 */
export function createMailSink(options: MailSinkOptions): NoticeSink {
  checkOptions('createMailSink', options, { server: true, from: true })
  const { server, from } = options
  const { protocol, hostname } = URL.canParse(server) ? new URL(server) : { protocol: '', hostname: '' }
  // The address may hold a password, so the error does not name it.
  if (!['smtp:', 'smtps:'].includes(protocol))
    throw invalid('INVALID_REQUEST', 'This is no mail server', [
      { path: 'server', expected: 'an address such as smtps://USER:PASSWORD@mail.example.com' },
    ])
  // No password and no link goes through a network in the clear.
  const requireTLS = protocol === 'smtp:' && !LOOPBACK_HOSTS.includes(hostname)
  return {
    async send(notice, { signal }) {
      const { name, address } = notice.person
      if (!address)
        throw new AskError(
          'INVALID_REQUEST',
          `${name} has no mail address. Add it to their addresses in the settings`,
        )
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({
        url: server,
        requireTLS,
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      const close = (): void => transport.close()
      signal.addEventListener('abort', close)
      try {
        await transport.sendMail({
          from,
          to: { name, address },
          subject: headlineOf(notice),
          text: textOf(notice),
          // Mail programs show a message that comes twice once.
          messageId: `<${notice.id}@notices.sandagent>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        return undefined
      } catch (error) {
        throw failureOf(error as Error & { responseCode?: number })
      } finally {
        signal.removeEventListener('abort', close)
        close()
      }
    },
  }
}

function textOf(notice: Notice): string {
  const quoted = textsOf(notice).map((text) => text.replace(/^/gm, '> '))
  const how =
    notice.link === undefined
      ? 'Answer in the inbox, or with: sandagent answer'
      : `Answer here: ${notice.link}`
  return [`${headlineOf(notice)}.`, ...quoted, how].join('\n\n')
}

/** A mail server refuses for good with a code from 500 on. */
const failureOf = (error: Error & { responseCode?: number }): AskError =>
  new AskError((error.responseCode ?? 0) >= 500 ? 'INVALID_REQUEST' : 'UNREACHABLE', error.message, {
    cause: error,
  })

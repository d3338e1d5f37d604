import { once } from 'node:events'
import { userInfo } from 'node:os'
import { styleText } from 'node:util'
import { isSameName, printable, thenEnd } from '@sandagent/core/internal'
import { startGrants } from '@sandagent/grants'
import { createInbox } from '@sandagent/inbox'
import { openPasskeys, passkeySiteFaults } from '@sandagent/passkeys'
import { LOOPBACK_HOSTS, loadSigningKeys, observeQuestions } from '@sandagent/sdk'
import { createAuditLog } from '@sandagent/sdk/audit'
import { renderUnicodeCompact } from 'uqr'
import type { CliIo } from '../../io.ts'
import { createInboxSite } from '../../serve/inbox-site.ts'
import { listen } from '../../serve/listen.ts'
import { openInBrowser } from '../../serve/open-in-browser.ts'
import { NO_PASSKEYS } from '../../serve/passkey-routes.ts'
import { startPushNotices } from '../../serve/push-notices.ts'
import { createSessions } from '../../serve/sessions.ts'
import { warn } from '../../warn.ts'
import { answererOf } from '../answerer-of.ts'
import { grantsFolder } from '../grants/grants-folder.ts'
import { servedNotices } from '../notices/serve-notices.ts'
import { createPlaces, foldersOf } from '../places/places.ts'
import { parseServeArgs } from './serve-args.ts'

/** Serves the inbox until the command is interrupted. */
export async function serve(args: readonly string[], io: CliIo): Promise<void> {
  const options = parseServeArgs(args)
  const { host, tls, url } = options
  const onWarning = warn(io.stderr)
  const sandboxes = createPlaces(options.choice, io)
  const say = (line: string): void => void io.stdout.write(`${line}\n`)
  const notices = await servedNotices(options.notices)
  const { answeredBy = userInfo().username, roles, policy } = await answererOf(options.who)
  if (policy && notices && !notices.people.some((name) => isSameName(name, answeredBy)))
    onWarning({
      code: 'INVALID_REQUEST',
      message: `Nobody in ${notices.file} is called ${answeredBy}. Whoever answers here and by notices must have the same name: else one person has two votes. Set --name.`,
    })
  const signingKeys = await loadSigningKeys({ create: true })
  const audit = options.audit === undefined ? undefined : createAuditLog({ folder: options.audit })
  const demandsPasskeys = policy?.some(({ passkey }) => passkey) === true
  // Runs name the page on which passkeys are used, with its port.
  const server = await listen({ ...options, mayMove: !demandsPasskeys })
  // What listens, reads or tells would keep the process from ending, also if something fails below.
  const over = new AbortController()
  const signal = AbortSignal.any([io.signal, over.signal])
  const serveUntilAborted = async (): Promise<void> => {
    const sessions = createSessions(
      signingKeys,
      { port: server.port, answeredBy, roles, folders: foldersOf(options.choice) },
      { isSecure: tls !== undefined || url !== undefined },
    )
    const origin = url?.origin ?? `${tls ? 'https' : 'http'}://${hostName(host)}:${server.port}`
    const link = (): string => `${origin}/login?link=${sessions.newLink()}`
    const common = { sandboxes, policy, signingKeys, onWarning, onDecision: audit?.write }
    const grants = startGrants({ ...common, folder: grantsFolder(), signal })
    const site = { rpId: new URL(origin).hostname, origins: [origin] }
    const passkeys = passkeySiteFaults(site).length === 0 ? openPasskeys(site) : undefined
    if (!passkeys && demandsPasskeys)
      onWarning({
        code: 'INVALID_REQUEST',
        message: `Nobody can allow what the policy demands passkeys for. ${NO_PASSKEYS}`,
      })
    const inbox = createInbox({ ...common, grants, passkeys })
    const served = { ...common, inbox, grants, passkeys, origin, answeredBy, roles, signal }
    const stopCounting = observeQuestions(async () => (await sandboxes()).map(({ sandbox }) => sandbox), {
      signingKeys,
      passkeys,
      onWarning,
    })
    signal.addEventListener('abort', stopCounting)
    const push = await startPushNotices(served)
    server.serve(
      createInboxSite(served, {
        sessions,
        allowedHosts: [...LOOPBACK_HOSTS, hostName(host), ...(url ? [url.hostname] : [])],
        push: push.handler,
        slack: notices?.slackHandler(inbox) ?? null,
        linkElsewhere: () => (options.isReachable ? link() : null),
        onSignIn: () =>
          say(`A browser has signed in.${io.stdin.isTTY ? ' Press Enter for another link.' : ''}`),
      }),
    )
    const first = link()
    const offer = (words: string, offered: string): void => {
      say(`${words}: ${offered}`)
      if (io.stdout.isTTY && options.isReachable) say(qrCode(offered))
    }
    say(`The inbox has ${printable(whichFolders((await sandboxes()).map(({ name }) => name)))}.`)
    offer('Open this link within 10 minutes. It signs in one browser', first)
    if (options.isOpened) {
      const opened = openInBrowser(first)
      signal.addEventListener('abort', opened.forget)
    }
    if (io.stdin.isTTY) io.stdin.on('data', () => offer('Another link', link()))
    const noticing = notices?.start(served)
    if (notices) say(`Notices are sent as ${printable(notices.file)} says.`)
    if (!signal.aborted) await once(signal, 'abort')
    await Promise.all([noticing, push.ended, grants.ended])
  }
  await thenEnd(
    serveUntilAborted,
    () => over.abort(),
    () => io.stdin.pause(),
    server.close,
    () => audit?.close(),
  )
}

/** A link for the camera of a phone: black on white, whatever the colours of the terminal. */
const qrCode = (link: string): string =>
  renderUnicodeCompact(link, { border: 2 })
    .split('\n')
    .map((line) => styleText(['bgBlack', 'whiteBright'], line))
    .join('\n')

/** As URLs have it. */
const hostName = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)

function whichFolders(names: readonly string[]): string {
  if (names.length === 0)
    return 'no folder yet. The folder of an agent that you start by sandagent run appears by itself. For a program that calls askUser, start sandagent serve with --workdir and the folder of its questions'
  return names.length > 5
    ? `the questions of ${names.length} folders`
    : `the questions of ${names.join(', ')}`
}

import { AskError, type OnWarning, routeOf } from '@sandagent/core/internal'
import { createInboxHandler, type Inbox, type InboxHandlerOptions } from '@sandagent/inbox'
import type { Passkeys } from '@sandagent/passkeys'
import { checkOrigin, errorResponse, type SigningKeys, type WebHandler } from '@sandagent/sdk'
import { readPageFiles } from './page-files.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import type { Sessions } from './sessions.ts'

/** What the parts of a served inbox have in common. */
export interface Served extends Pick<InboxHandlerOptions, 'sandboxes' | 'policy' | 'grants' | 'onDecision'> {
  inbox: Inbox
  signingKeys: SigningKeys
  /** `undefined` where browsers have none. */
  passkeys: Passkeys | undefined
  /** How browsers reach the site, such as `https://inbox.example.com`. */
  origin: string
  /** The person whose answers these are, with the roles for the policy. */
  answeredBy: string
  roles: readonly string[] | undefined
  onWarning: OnWarning
  signal: AbortSignal
}

interface SiteParts {
  sessions: Sessions
  allowedHosts: readonly string[]
  /** Makes a link that signs in another browser; `null` if no other machine reaches this one. */
  linkElsewhere: () => string | null
  /** The routes by which browsers subscribe to notices. */
  push: WebHandler
  /** Takes what people click and enter in Slack. Slack signs its requests. */
  slack: WebHandler | null
  onSignIn: () => void
}

/** No page of another site can frame it, and nothing but its own files runs in it. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types sandagent sandagent-inbox",
  'cross-origin-opener-policy': 'same-origin',
  // Forms of this site say where they come from.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** The page of the inbox, its API, and the sign-in by a link. */
export function createInboxSite(
  {
    sandboxes,
    policy,
    grants,
    passkeys,
    signingKeys,
    onWarning,
    onDecision,
    origin,
    answeredBy,
    roles,
  }: Served,
  { sessions, allowedHosts, linkElsewhere, push, slack, onSignIn }: SiteParts,
): WebHandler {
  const files = readPageFiles()
  const api = createInboxHandler({
    ...{ sandboxes, policy, grants, passkeys, signingKeys, onWarning, onDecision },
    allowedHosts,
    links: { page: answerPage(origin) },
    async authorize(request) {
      await sessions.requireSession(request)
      return { answeredBy, roles }
    },
  })

  /** What only a browser that is signed in gets. */
  const guarded = async (request: Request, reply: WebHandler): Promise<Response> => {
    try {
      checkOrigin(request.headers, { allowedHosts })
      await sessions.requireSession(request)
      return await reply(request)
    } catch (error) {
      return errorResponse(error)
    }
  }
  const changePasskeys = passkeyRoutes(passkeys, answeredBy)
  const pair: WebHandler = async ({ method }) =>
    method === 'POST'
      ? Response.json({ link: linkElsewhere() }, { headers: { 'cache-control': 'no-store' } })
      : new Response(null, { status: 405, headers: { allow: 'POST' } })

  const badLink = (): Response =>
    sentencePage(
      403,
      'This link was used or has expired. Press Enter in the terminal of sandagent serve: it prints another one. Paste it here.',
      {},
      SIGN_IN,
    )

  /** What only looks at a link, such as the preview of a messenger, must not use it up: the button does. */
  const offerSignIn = (secret: string): Response =>
    sessions.counts(secret)
      ? sentencePage(200, 'This link signs in one browser.', {}, signInForm(secret))
      : badLink()

  const signIn = async (request: Request): Promise<Response> => {
    // A person may paste the whole link into the form.
    const cookie = await sessions.signIn((await linkIn(request)).split('link=').at(-1) ?? '')
    if (cookie === null) return badLink()
    onSignIn()
    // Not a redirect: after one from another site, browsers would hold the cookie back.
    return sentencePage(200, 'You are signed in.', { 'set-cookie': cookie, refresh: '0; url=/' })
  }

  const site = async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    const { pathname } = url
    const path = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
    if (path.startsWith('/api/inbox/')) return api(request)
    if (path === '/api/link') return guarded(request, pair)
    if (path.startsWith('/api/push/')) return guarded(request, push)
    if (path.startsWith('/api/passkeys/')) return guarded(request, changePasskeys)
    if (slack && path === '/api/slack') return slack(request)
    // A link may be followed from anywhere: here only the name of the host counts.
    checkOrigin({ get: (name) => (name === 'host' ? request.headers.get(name) : null) }, { allowedHosts })
    if (path === '/login' && request.method === 'POST') return signIn(request)
    if (routeOf(request).method !== 'GET')
      return sentencePage(405, 'This page can only be read.', { allow: 'GET, HEAD' })
    if (path === '/login') return offerSignIn(url.searchParams.get('link') ?? '')
    const file = files.get(path)
    if (!file) return sentencePage(404, 'There is no such page.')
    if (path !== '/' || (await sessions.isSignedIn(request))) return file()
    return sentencePage(
      401,
      'Sign in with a link of sandagent serve: open it, or paste it here.',
      {},
      SIGN_IN,
    )
  }

  return async (request) => {
    const response = await site(request).catch((error: unknown) =>
      error instanceof AskError ? sentencePage(403, error.message) : errorResponse(error),
    )
    for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value)
    return response
  }
}

/** The address of the page that answer links lead to. */
export const answerPage = (origin: string): string => `${origin}/answer`

/** An app that is installed has no field for addresses. */
const SIGN_IN =
  '<form method="post" action="/login"><input name="link" aria-label="Link" autocomplete="off" required> <button>Sign in</button></form>'

/** For a link that counts: its secret needs no escapes. */
const signInForm = (secret: string): string =>
  `<form method="post" action="/login"><input type="hidden" name="link" value="${secret}"><button autofocus>Sign in</button></form>`

/** The longest body of the form, in bytes. */
const MAX_LINK_BYTES = 10_000

/** The link in the body of a form; '' for a body that is too long. */
async function linkIn({ body }: Request): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    bytes += piece.length
    if (bytes > MAX_LINK_BYTES) return ''
    pieces.push(piece)
  }
  return new URLSearchParams(Buffer.concat(pieces).toString()).get('link') ?? ''
}

/** A page with one sentence, and perhaps a form. */
const sentencePage = (
  status: number,
  sentence: string,
  headers: Record<string, string> = {},
  form = '',
): Response =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><link rel="stylesheet" href="/page.css"><title>SandAgent inbox</title><p>${sentence}</p>${form}</html>`,
    {
      status,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', ...headers },
    },
  )

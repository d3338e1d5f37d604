import { type CommandLine, readCommandLine } from '../../arguments/command-line.ts'
import { usage } from '../../arguments/option-values.ts'
import { NOTICES_OPTION, PLACE_OPTIONS, POLICY_OPTIONS } from '../../arguments/shared-options.ts'

export const SERVE = {
  summary: 'Serve the inbox: a page with the questions of all folders',
  usage: ['serve [--workdir DIR…] [options]'],
  about:
    'Serves the inbox: a page with the questions of all your agents. It prints a link that signs in one browser, once.',
  options: {
    ...PLACE_OPTIONS,
    port: { value: 'N', help: 'default: 7263, or the next free one; 0 lets the system choose' },
    open: { help: 'opens the link in the browser' },
    ...POLICY_OPTIONS,
    ...NOTICES_OPTION,
    audit: { value: 'FOLDER', help: 'keeps a log of who answered what there; see audit verify' },
    host: {
      value: 'ADDRESS',
      default: '127.0.0.1',
      help: 'where it listens; default: 127.0.0.1. Another address needs TLS, or --url',
      group: 'For other machines',
    },
    'tls-cert': { value: 'FILE', help: 'the certificate, as PEM', group: 'For other machines' },
    'tls-key': { value: 'FILE', help: 'the key of the certificate, as PEM', group: 'For other machines' },
    url: {
      value: 'URL',
      help: 'how browsers reach it, such as https://inbox.example.com. It says that a tunnel or a proxy with TLS stands before it',
      group: 'For other machines',
    },
  },
  examples: [
    ['serve --open', 'opens the inbox of all folders in which your agents have asked'],
    ['serve --workdir ~/shop --workdir ~/blog', 'has the questions of two folders'],
    ['serve --known --sandbox "ssh user@host" --workdir /work', 'adds a folder of another machine'],
    ['serve --url https://inbox.example.com', 'is for a tunnel that leads to port 7263'],
  ],
} as const satisfies CommandLine

/** By these names only this machine reaches a server. */
const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]', '::1']
const EVERY_ADDRESS = ['0.0.0.0', '::']

export function parseServeArgs(args: readonly string[]) {
  const { 'tls-cert': cert, 'tls-key': key, ...values } = readCommandLine(SERVE, args).values
  const { host, port, open: isOpened, url: address, notices, audit, name, policy, role, ...choice } = values
  if ((cert === undefined) !== (key === undefined)) throw usage('--tls-cert and --tls-key belong together')
  const tls = cert !== undefined && key !== undefined ? { cert, key } : undefined
  const url = publicUrl(address)
  const isLocal = THIS_MACHINE.includes(host)
  if (!isLocal && !tls && !url)
    throw usage(
      `--host ${host} lets other machines in: give --tls-cert and --tls-key, or the --url of a tunnel`,
    )
  if (EVERY_ADDRESS.includes(host) && !url)
    throw usage(`--host ${host} is no name for browsers: give the --url by which they reach it`)
  return {
    ...{ choice, port: portIn(port), isOpened, who: { name, policy, role }, host, tls, url, notices, audit },
    /** Whether other machines reach the server, such as a phone. */
    isReachable: !isLocal || url !== undefined,
  }
}

function publicUrl(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol === 'https:' && url.href === `${url.origin}/`) return url
  throw usage(`--url takes an address such as https://inbox.example.com, not ${text}`)
}

function portIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw usage(`--port takes a number from 0 to 65535, not ${text}`)
}

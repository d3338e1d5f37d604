import { visible } from '../lib/text/printable.ts'
import type { ApprovalSubject } from '../record/question-record.ts'
import { type CallReading, readCall } from './call-reading.ts'

/** What a person should look at in a call. A hint and no guarantee: a call without one can do anything. */
export interface Risk {
  /** Such as `deletes`. */
  id: string
  label: string
}

/** What the rules look at. */
interface Facts {
  subject: ApprovalSubject
  reading: CallReading
  /** The command; empty for other calls. */
  command: string
  /** The file that is written, or the command. */
  place: string
  /** All texts of the call: the name of its tool, and the names and texts of its input. */
  texts: readonly string[]
}

interface RiskRule extends Risk {
  test(facts: Facts): boolean
}

// An agent chooses the texts and their length: each expression takes a time that grows with the length alone.

/** Where a word of a command begins. */
const START = '(?:^|[\\s;&|("\'`=<>])'
/** Where a program of a command begins, also by its path. */
const PROGRAM = '(?:^|[\\s;&|("\'`])(?:[\\w./-]*/)?'

const has = (pattern: string, flags = ''): ((text: string) => boolean) => {
  const expression = new RegExp(pattern, flags)
  return (text) => expression.test(text)
}

const runsAsRoot = has(`${PROGRAM}(?:sudo|doas|su|pkexec|runas|chown|setcap)\\s`)
const deletes = has(
  `${PROGRAM}(?:rm|rmdir|unlink|shred|truncate|mkfs[.\\w]*|dd|del|Remove-Item)\\s|\\s-delete\\b|\\bgit\\s(?:[^\\n;&|]{0,80}\\s)?(?:clean|reset\\s+--hard)\\b|\\bpush\\s[^\\n;&|]{0,80}(?:--force|-f\\b)|\\b(?:DROP|TRUNCATE)\\s+(?:TABLE|DATABASE)|\\bDELETE\\s+FROM\\b`,
  'i',
)
const isDeletingName = has('(?:^|[_.-])(?:delete|remove|drop|destroy|purge|erase)(?:$|[_.-])', 'i')
const usesNetwork = has(
  `\\b(?:https?|ftp|ssh)://|${PROGRAM}(?:curl|wget|ssh|scp|sftp|rsync|nc|ncat|telnet|ftp|gh|aws|gcloud|kubectl|Invoke-WebRequest)\\s|\\bgit\\s+(?:push|pull|fetch|clone)\\b|\\b(?:npm|pnpm|yarn|bun|pip3?|uv|cargo|gem|apt|apt-get|brew)\\s+(?:i|ci|install|add|publish|update|upgrade|download)\\b|${PROGRAM}(?:npx|uvx)\\s|/dev/tcp/`,
)
const leadsOut = has(
  `${START}(?:~|\\$\\{?HOME\\}?|\\.\\.)(?:[/\\\\]|$|\\s)|/\\.\\.(?:/|$|\\s)|${START}/(?:etc|usr|bin|sbin|boot|proc|sys|var|root|lib|opt|System|Library|dev/(?!null\\b))|\\b[A-Za-z]:\\\\Windows`,
)
const touchesSecrets = has(
  '(?:^|[\\s/\\\\"\'=~])(?:\\.(?:ssh|aws|gnupg|kube|docker|claude|sandagent|npmrc|netrc|pypirc|git-credentials|bashrc|bash_profile|zshrc|profile|envrc|env)(?![\\w])|\\.git/(?:hooks|config)|id_(?:rsa|ed25519|ecdsa)|authorized_keys|crontab|etc/(?:passwd|shadow|sudoers))|\\.(?:pem|key|p12|pfx)(?![\\w])',
)
const runsMadeCode = has(
  `\\|\\s*(?:[\\w./-]*/)?(?:ba|z|da|k)?sh\\b|\\|\\s*(?:[\\w./-]*/)?(?:python3?|node|perl|ruby)\\b|${PROGRAM}(?:eval|source)\\s|\\bbase64\\s+(?:-d|-D|--decode)|${PROGRAM}(?:python3?|node|perl|ruby|deno|(?:ba|z)?sh)\\s+-\\w*[ce]\\b`,
)
/** Letters that look alike: of two alphabets in one word, or full-width and mathematical ones. */
const mixesAlphabets = has(
  '\\p{Script=Latin}[\\p{M}\\d_-]*[\\p{Script=Cyrillic}\\p{Script=Greek}]|[\\p{Script=Cyrillic}\\p{Script=Greek}][\\p{M}\\d_-]*\\p{Script=Latin}|[\\uff01-\\uff5e\\u{1d400}-\\u{1d7ff}]',
  'u',
)

/** More lines than anybody reads at a glance. */
const MANY_LINES = 100

const leavesSandbox = (input: unknown): boolean => {
  const { dangerouslyDisableSandbox, with_escalated_permissions, sandbox_permissions } = Object(input)
  return (
    dangerouslyDisableSandbox === true ||
    with_escalated_permissions === true ||
    sandbox_permissions === 'require_escalated'
  )
}

const RULES: readonly RiskRule[] = [
  {
    id: 'hidden',
    label: 'Hidden characters',
    test: ({ texts }) => texts.some((text) => visible(text) !== text || / {40}|\n{20}|\t{10}/.test(text)),
  },
  { id: 'look-alikes', label: 'Mixed alphabets', test: ({ texts }) => texts.some(mixesAlphabets) },
  { id: 'root', label: 'Administrator rights', test: ({ command }) => runsAsRoot(command) },
  { id: 'unconfined', label: 'Without the sandbox', test: ({ subject }) => leavesSandbox(subject.input) },
  {
    id: 'deletes',
    label: 'Deletes or overwrites',
    test: ({ command, subject: { toolName, input } }) =>
      deletes(command) || isDeletingName(toolName) || Object(input).edit_mode === 'delete',
  },
  { id: 'outside', label: 'Outside the working folder', test: ({ place }) => leadsOut(place) },
  { id: 'secrets', label: 'Keys or settings', test: ({ place }) => touchesSecrets(place) },
  {
    id: 'network',
    label: 'Network',
    test: ({ command, reading }) => usesNetwork(command) || reading.kind === 'fetch',
  },
  { id: 'made-code', label: 'Runs code that is not shown', test: ({ command }) => runsMadeCode(command) },
  {
    id: 'long',
    label: `More than ${MANY_LINES} lines`,
    test: ({ texts }) => texts.some((text) => text.split('\n', MANY_LINES + 1).length > MANY_LINES),
  },
]

/** What to look at in a call, by rules that know common commands and files. */
export function risksIn(subject: ApprovalSubject): Risk[] {
  const { toolName, input } = subject
  const reading = readCall(subject)
  const command = reading.kind === 'command' ? reading.command : ''
  const place = reading.kind === 'edit' ? reading.path : command
  const facts = { subject, reading, command, place, texts: [toolName, ...textsIn(input)] }
  return RULES.filter((rule) => rule.test(facts)).map(({ id, label }) => ({ id, label }))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, entry]) => [name, ...textsIn(entry)])
}

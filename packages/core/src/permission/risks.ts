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

/** Programs by what they do, without their folders. */
const ROOT = words('sudo doas su pkexec runas chown setcap')
const DELETING = words('rm rmdir unlink shred truncate mkfs dd del remove-item')
const NETWORK = words(
  'curl wget ssh scp sftp rsync nc ncat telnet ftp gh aws gcloud kubectl npx uvx invoke-webrequest',
)
const EVALUATING = words('eval source')

const DELETES = [
  /\s-delete\b/,
  /\bgit\s+(?:clean|reset\s+--hard)\b/,
  /\bpush\s+(?:--force|-f\b)|\s--force\b/,
  /\b(?:drop|truncate)\s+(?:table|database)\b|\bdelete\s+from\b/i,
]
const DELETING_NAME = /(?:^|[_.-])(?:delete|remove|drop|destroy|purge|erase)(?:$|[_.-])/i
const USES_NETWORK = [
  /\b(?:https?|ftp|ssh):\/\/|\/dev\/tcp\//,
  /\bgit\s+(?:push|pull|fetch|clone)\b/,
  /\b(?:npm|pnpm|yarn|bun|pip3?|uv|cargo|gem|apt|apt-get|brew)\s+(?:i|ci|install|add|publish|update|upgrade)\b/,
]
const LEADS_OUT = [
  /(?:^|[\s"'`=:(<>|&;])(?:~|\$\{?HOME\}?|\.\.)(?:[/\\\s]|$)/,
  /\/\.\.(?:[/\s]|$)/,
  /(?:^|[\s"'`=:(<>|&;])\/(?:etc|usr|bin|sbin|boot|proc|sys|var|root|lib|opt|System|Library|dev\/(?!null\b))/,
  /\b[A-Za-z]:\\Windows/,
]
const TOUCHES_SECRETS = [
  /(?:^|[\s/\\"'=~])\.(?:ssh|aws|gnupg|kube|docker|claude|sandagent|npmrc|netrc|pypirc)(?!\w)/,
  /(?:^|[\s/\\"'=~])\.(?:git-credentials|bashrc|bash_profile|zshrc|profile|envrc|env)(?!\w)/,
  /\.git\/(?:hooks|config)|id_(?:rsa|ed25519|ecdsa)|authorized_keys|crontab|etc\/(?:passwd|shadow|sudoers)/,
  /\.(?:pem|key|p12|pfx)(?!\w)/,
]
const RUNS_MADE_CODE = [
  /\|\s*(?:[\w.-]*\/)*(?:ba|z|da|k)?sh\b/,
  /\|\s*(?:[\w.-]*\/)*(?:python3?|node|perl|ruby)\b/,
  /\bbase64\s+(?:-d|-D|--decode)/,
  /\b(?:python3?|node|perl|ruby|deno|(?:ba|z)?sh)\s+-[ce]\b/,
]
/** Letters that look alike: of two alphabets in one word, or full-width and mathematical ones. */
const MIXES_ALPHABETS = [
  /\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]/u,
  /[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin}/u,
  /[\uff01-\uff5e\u{1d400}-\u{1d7ff}]/u,
]
const OUT_OF_SIGHT = / {40}|\n{20}|\t{10}/

/** More lines than anybody reads at a glance. */
const MANY_LINES = 100

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

/** The words of a command, each without its folders. */
const wordsIn = (command: string): string[] =>
  command
    .toLowerCase()
    .split(/[\s;&|()"'`<>={}$]/)
    .map((word) => word.slice(word.lastIndexOf('/') + 1))

const isOneOf = (known: ReadonlySet<string>, command: string): boolean =>
  wordsIn(command).some((word) => known.has(word))

const isLike = (patterns: readonly RegExp[], text: string): boolean =>
  patterns.some((pattern) => pattern.test(text))

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
    test: ({ texts }) => texts.some((text) => visible(text) !== text || OUT_OF_SIGHT.test(text)),
  },
  {
    id: 'look-alikes',
    label: 'Mixed alphabets',
    test: ({ texts }) => texts.some((text) => isLike(MIXES_ALPHABETS, text)),
  },
  { id: 'root', label: 'Administrator rights', test: ({ command }) => isOneOf(ROOT, command) },
  { id: 'unconfined', label: 'Without the sandbox', test: ({ subject }) => leavesSandbox(subject.input) },
  {
    id: 'deletes',
    label: 'Deletes or overwrites',
    test: ({ command, subject: { toolName, input } }) =>
      isOneOf(DELETING, command) ||
      isLike(DELETES, command) ||
      DELETING_NAME.test(toolName) ||
      Object(input).edit_mode === 'delete',
  },
  { id: 'outside', label: 'Outside the working folder', test: ({ place }) => isLike(LEADS_OUT, place) },
  { id: 'secrets', label: 'Keys or settings', test: ({ place }) => isLike(TOUCHES_SECRETS, place) },
  {
    id: 'network',
    label: 'Network',
    test: ({ command, reading }) =>
      isOneOf(NETWORK, command) || isLike(USES_NETWORK, command) || reading.kind === 'fetch',
  },
  {
    id: 'made-code',
    label: 'Runs code that is not shown',
    test: ({ command }) => isOneOf(EVALUATING, command) || isLike(RUNS_MADE_CODE, command),
  },
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

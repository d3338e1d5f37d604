import { isObject, own } from '../lib/objects.ts'
import { isPlainName } from '../lib/text/quoted-name.ts'
import type { ApprovalSubject } from '../record/question-record.ts'
import { editCallIn, type FileEdit } from './file-edits.ts'

/**
 * What a tool call would do, so that a person sees the most important first. Only calls of known tools in their known form
 * have a reading of their own. What it does not tell of the input is in `rest`, so that
 * nothing is out of sight; `undefined` if it tells all.
 */
export type CallReading = { rest: unknown } & (
  | { kind: 'command'; command: string }
  | { kind: 'edit'; path: string; edits: readonly FileEdit[] }
  | { kind: 'fetch'; url: string }
  /** In Markdown. */
  | { kind: 'plan'; plan: string }
  | { kind: 'mcp'; server: string; tool: string }
  | { kind: 'other'; tool: string }
)

/** By tool: the field with the command. It is a text, or the program and its arguments. */
const COMMANDS: Readonly<Record<string, string>> = {
  // Claude Code, and the scripted agent
  Bash: 'command',
  PowerShell: 'command',
  // Gemini CLI
  run_shell_command: 'command',
  // opencode
  bash: 'command',
  // Codex
  shell: 'command',
  shell_command: 'command',
  exec_command: 'cmd',
  // ACP: the kind of a tool whose name is not told
  execute: 'command',
}

/** By tool: the field with the address, or with the plan that a person is to accept. */
const TEXTS: Readonly<Record<string, 'url' | 'plan'>> = {
  // Claude Code
  WebFetch: 'url',
  ExitPlanMode: 'plan',
  // opencode
  webfetch: 'url',
}

/** A call with a second one of these could do something else than it seems to: nobody can tell which one counts. */
const MAIN_FIELDS = new Set([...Object.values(COMMANDS), ...Object.values(TEXTS), 'script'])

/** Claude Code names the tools of MCP servers so, and so does our dialect of Codex. */
const MCP_NAME = /^mcp__(.+?)__(.+)$/s

export function readCall(subject: ApprovalSubject): CallReading {
  const reading = readingOf(subject)
  const { rest } = reading
  return isObject(rest) && Object.keys(rest).length === 0 ? { ...reading, rest: undefined } : reading
}

/** The plan that a call asks to accept. */
export function planIn(call: ApprovalSubject): string | undefined {
  const reading = readCall(call)
  return reading.kind === 'plan' ? reading.plan : undefined
}

function readingOf({ toolName, input, reasons = [] }: ApprovalSubject): CallReading {
  const edit = editCallIn(toolName, input)
  if (edit) return { kind: 'edit', ...edit }
  const command = commandIn(toolName, input)
  if (command) {
    const { description, ...rest } = command.rest
    // Harnesses give the description as the agent's reason, too. It is not shown twice.
    const isSaid = reasons.some(({ by, text }) => by === 'agent' && text === description)
    return { kind: 'command', command: command.text, rest: isSaid ? rest : command.rest }
  }
  const field = own(TEXTS, toolName)
  const main = mainIn(input, field)
  if (main)
    return field === 'plan'
      ? { kind: 'plan', plan: main.text, rest: main.rest }
      : { kind: 'fetch', url: main.text, rest: main.rest }
  const [, server, tool] = MCP_NAME.exec(toolName) ?? []
  if (server !== undefined && tool !== undefined) return { kind: 'mcp', server, tool, rest: input }
  return { kind: 'other', tool: toolName, rest: input }
}

/** The field that is the main text of a call, such as its command; `undefined` where that is made of more than one text. */
export function mainFieldOf(subject: ApprovalSubject): string | undefined {
  const { toolName, input } = subject
  const isText = ['command', 'fetch', 'plan'].includes(readCall(subject).kind)
  const field = isText ? (own(COMMANDS, toolName) ?? own(TEXTS, toolName)) : undefined
  if (field === undefined || !isObject(input) || Object.hasOwn(input, 'args')) return undefined
  return typeof input[field] === 'string' ? field : undefined
}

/** The text of a field, and all other fields; `null` if it is not sure that this field counts. */
function mainIn(
  input: unknown,
  field: string | undefined,
): { text: string; rest: Record<string, unknown> } | null {
  if (field === undefined || !isObject(input)) return null
  const rest = Object.entries(input).filter(([name]) => name !== field)
  if (rest.some(([name]) => MAIN_FIELDS.has(name))) return null
  const value = own(input, field)
  const text = isTexts(value) ? value.map(quoted).join(' ') : value
  return typeof text === 'string' && text.trim() !== '' ? { text, rest: Object.fromEntries(rest) } : null
}

/** The same for a command, whose arguments may be in a field of their own. */
function commandIn(toolName: string, input: unknown): ReturnType<typeof mainIn> {
  const field = own(COMMANDS, toolName)
  const { args, ...others } = isObject(input) ? input : {}
  if (field === undefined || args === undefined) return mainIn(input, field)
  const program = own(others, field)
  if (!isTexts(args) || typeof program !== 'string') return null
  return mainIn({ ...others, [field]: [program, ...args] }, field)
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((part) => typeof part === 'string')

/** An argument as a shell takes it, so that none looks like two. */
const quoted = (argument: string): string =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`

/** The question that a person is asked, by what happens. It has no words of the agent but plain names. */
export function callHeading(reading: CallReading): string {
  switch (reading.kind) {
    case 'command':
      return 'Run this command?'
    case 'edit': {
      const verb = reading.edits.every(({ before }) => before === null) ? 'Write' : 'Change'
      return `${verb} ${named(reading.path.split(/[\\/]/).at(-1), 'this file')}?`
    }
    case 'fetch':
      return `Fetch ${named(hostIn(reading.url), 'this address')}?`
    case 'plan':
      return 'Accept this plan?'
    case 'mcp':
      return `Use ${named(reading.tool, 'a tool')} of ${named(reading.server, 'an MCP server')}?`
    case 'other':
      return `Use ${named(reading.tool, 'this tool')}?`
  }
}

const named = (name: string | undefined, otherwise: string): string =>
  name !== undefined && isPlainName(name) ? name : otherwise

/** The host in an address that nobody reads in two ways: no sign-in before it, no unusual sign behind it. */
const hostIn = (url: string): string | undefined =>
  /^https?:\/\/([\w.-]+)(?::\d+)?(?:[/?#]|$)/i.exec(url)?.[1]

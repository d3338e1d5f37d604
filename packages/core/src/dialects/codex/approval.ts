import * as v from 'valibot'
import { isObject } from '../../lib/objects.ts'
import { absent, parseWith } from '../../lib/schema.ts'
import { reasonsOf } from '../../permission/reasons-of.ts'
import type { ApprovalDecision } from '../../question/approval-options.ts'
import { mcpToolName } from '../../question/tool-part.ts'
import type { ApprovalSubject } from '../../record/question-record.ts'

/** What Codex' app server asks permission for. */
export interface CodexApproval {
  subject: ApprovalSubject
  /** What "Allow for this session" would allow; absent where Codex does not offer it. */
  sessionScope?: string
}

const text = absent(v.string())
const base = { itemId: v.string(), reason: text }

const commandSchema = v.looseObject({
  ...base,
  kind: v.nullish(v.string(), 'command'),
  command: text,
  cwd: text,
  availableDecisions: absent(v.array(v.unknown())),
})

const WHAT = 'This is no approval of Codex'

/** Fields that say how the request travels, or say again what others say. */
const SAID = new Set([
  'kind',
  'threadId',
  'turnId',
  'itemId',
  'approvalId',
  'startedAtMs',
  'reason',
  'command',
  'cwd',
  'commandActions',
  'proposedExecpolicyAmendment',
  'proposedNetworkPolicyAmendments',
  'availableDecisions',
])

/**
 * Reads the `params` of `item/commandExecution/requestApproval`. What a person does not know by the command, such as further
 * permissions or a host, stands in the input, too.
 *
 * @throws AskError `INVALID_REQUEST` with every fault.
 */
export function parseCommandApproval(params: unknown): CodexApproval {
  const parsed = parseWith(commandSchema, params, 'INVALID_REQUEST', WHAT)
  const { kind, command, cwd, reason, availableDecisions } = parsed
  const isSaid = (name: string, value: unknown): boolean =>
    SAID.has(name) || value == null || (name === 'environmentId' && value === 'local')
  const more = Object.entries(parsed).filter(([name, value]) => !isSaid(name, value))
  const isCommand = kind === 'command' || kind === 'humanCommand'
  return {
    subject: {
      toolName: isCommand ? 'exec_command' : kind,
      input: {
        ...(command !== undefined && { [isCommand ? 'cmd' : 'command']: command }),
        ...(cwd !== undefined && { cwd }),
        ...Object.fromEntries(more),
      },
      ...reasons(reason),
    },
    ...(availableDecisions?.includes('acceptForSession') && {
      sessionScope: 'Until the session ends, without asking: this command',
    }),
  }
}

const fileSchema = v.object({ ...base, grantRoot: text })
const changesSchema = v.pipe(
  v.array(v.object({ path: v.string(), kind: v.unknown(), diff: v.string() })),
  v.minLength(1, 'at least one change'),
)

/**
 * Reads the `params` of `item/fileChange/requestApproval`.
 *
 * @param item the item with this id, which came before it and has the changes
 * @throws AskError `INVALID_REQUEST` with every fault, also where nobody can see what would change.
 */
export function parseFileApproval(params: unknown, item: unknown): CodexApproval {
  const { reason, grantRoot } = parseWith(fileSchema, params, 'INVALID_REQUEST', WHAT)
  const given = isObject(item) ? item.changes : undefined
  const changes = parseWith(changesSchema, given, 'INVALID_REQUEST', WHAT, 'changes')
  return {
    subject: {
      toolName: 'apply_patch',
      input: { changes, ...(grantRoot !== undefined && { grantRoot }) },
      ...reasons(reason),
    },
    sessionScope: 'Until the session ends, without asking: changes of these files',
  }
}

const toolSchema = v.object({
  serverName: v.string(),
  message: v.string(),
  _meta: v.object({
    codex_approval_kind: v.literal('mcp_tool_call'),
    tool_name: v.string(),
    tool_params: absent(v.unknown()),
    persist: absent(v.union([v.string(), v.array(v.string())])),
  }),
})

/** Whether the `params` of `mcpServer/elicitation/request` ask to run a tool: Codex asks so before it calls one. */
export const isToolApproval = (params: unknown): boolean =>
  isObject(params) && isObject(params._meta) && params._meta.codex_approval_kind !== undefined

/**
 * Reads such `params`.
 *
 * @throws AskError `INVALID_REQUEST` with every fault.
 */
export function parseToolApproval(params: unknown): CodexApproval {
  const { serverName, message, _meta } = parseWith(toolSchema, params, 'INVALID_REQUEST', WHAT)
  return {
    subject: {
      toolName: mcpToolName(serverName, _meta.tool_name),
      input: _meta.tool_params ?? {},
      reasons: reasonsOf({ rule: [message] }),
    },
    ...([_meta.persist].flat().includes('session') && {
      sessionScope: 'Until the session ends, without asking: this tool',
    }),
  }
}

const reasons = (reason: string | undefined): Pick<ApprovalSubject, 'reasons'> =>
  reason?.trim() ? { reasons: reasonsOf({ agent: [reason] }) } : {}

const DECISIONS = { allowOnce: 'accept', allowSession: 'acceptForSession', deny: 'decline' } as const

/** Writes what a person decided as the result of an approval of a command or of files. */
export const formatDecision = (
  decision: ApprovalDecision,
): { decision: (typeof DECISIONS)[ApprovalDecision] } => ({ decision: DECISIONS[decision] })

/** The same for the approval of a tool of an MCP server. */
export const formatToolDecision = (
  decision: ApprovalDecision,
): { action: 'accept' | 'decline'; content: object | null; _meta: object | null } => ({
  action: decision === 'deny' ? 'decline' : 'accept',
  content: decision === 'deny' ? null : {},
  _meta: decision === 'allowSession' ? { persist: 'session' } : null,
})

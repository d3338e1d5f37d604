/**
 * A tool part of a chat message, by structure: AI SDK 5, 6 and 7, dynamic (`dynamic-tool`) or static
 * (`tool-AskUserQuestion`). States this code does not know count as pending.
 */
export interface ToolPart {
  type: string
  toolCallId: string
  state: string
  toolName?: string | undefined
  input?: unknown
  output?: unknown
  errorText?: string | undefined
  /** Whether an output is still to be followed by the final one. */
  preliminary?: boolean | undefined
  /** In the AI SDK 6 and 7: what a tool asks its page for, before it runs. */
  approval?: unknown
}

/** The names under which agents offer this tool. */
export const ASK_TOOL_NAMES: readonly string[] = ['AskUserQuestion', 'ask_user_question', 'askUserQuestions']

/** What Claude Code and Codex call the tool of an MCP server. */
export const mcpToolName = (server: unknown, tool: unknown): string => `mcp__${server}__${tool}`

const MCP_PREFIX = /^mcp__.*__/

/** Whether a message part is a call of an ask-user tool. `find` and `filter` take it for parts of any type. */
export function isAskUserQuestionPart<Part extends { type: string; toolName?: unknown }>(
  part: Part,
): part is Part & ToolPart {
  const name = part.type === 'dynamic-tool' ? part.toolName : toolNameIn(part.type)
  return typeof name === 'string' && ASK_TOOL_NAMES.includes(name.replace(MCP_PREFIX, ''))
}

/** The name of the tool that a part calls. */
export const toolNameOf = ({ toolName, type }: Pick<ToolPart, 'toolName' | 'type'>): string =>
  toolName ?? toolNameIn(type)

const toolNameIn = (type: string): string => type.replace(/^tool-/, '')

/** Type and state of a part that stands for a call of which no message is at hand. What is asked comes from the host. */
export const UNSEEN = ''

/** Whether a part holds the end of its call, after which nothing comes. A ticket is none: its question waits. */
export const isOver = ({ state, preliminary, output }: ToolPart): boolean =>
  state === 'output-error' ||
  state === 'output-denied' ||
  (state === 'output-available' && !preliminary && !(output as { ticket?: unknown } | undefined)?.ticket)

/** Whether two deliveries of a part show the same; chat stores copy parts, so identity tells nothing. */
export const samePart = (a: ToolPart, b: ToolPart): boolean => a === b || shownOf(a) === shownOf(b)

const shownOf = ({ state, errorText, preliminary, input, output, approval }: ToolPart): string =>
  JSON.stringify([state, errorText, preliminary, input, output, approval])

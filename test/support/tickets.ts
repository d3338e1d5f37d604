import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { createSigningKey, type LocalSandbox, parseSigningKeys, submitAnswer } from '@sandagent/sdk'

/** What an agent asks and works on with: it assumes Postgres. */
export const DATABASE = {
  question: 'Which database?',
  options: [{ label: 'Postgres' }, { label: 'SQLite' }],
  defaultOption: 'Postgres',
}

/** A call of the tool that does not wait. */
export const ASK = { questions: [DATABASE], blocking: false }

interface Content {
  kind: string
  text: string
  ticket: string
  answers?: Record<string, string>
}

/** Calls a tool over MCP. @returns what a model gets as data */
export async function call(
  client: Client,
  name: string,
  args: object,
  signal?: AbortSignal,
): Promise<Content> {
  const result = await client.callTool({ name, arguments: { ...args } }, signal && { signal })
  return (result as CallToolResult).structuredContent as unknown as Content
}

/** Asks without waiting, over MCP. */
export const ask = (client: Client, input: object = ASK): Promise<Content> =>
  call(client, 'ask_user_question', input)

/** Does something with a ticket, over MCP. */
export const check = (client: Client, ticket: string, action?: string): Promise<Content> =>
  call(client, 'check_question', { ticket, ...(action !== undefined && { action }) })

/** A host with keys of its own where answers are signed; `null` where they are not. */
export const newKeys = async (isSigned: boolean) =>
  isSigned ? parseSigningKeys(await createSigningKey()) : null

/** Answers {@link DATABASE}. */
export const answerDatabase = (
  sandbox: LocalSandbox,
  toolCallId: string,
  database: string,
  signingKeys: Awaited<ReturnType<typeof newKeys>> = null,
) => submitAnswer(sandbox, { toolCallId, answers: { [DATABASE.question]: database } }, { signingKeys })

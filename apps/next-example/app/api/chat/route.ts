import { RUN_STREAM_HEADERS, startRun, streamRun } from '@sandagent/sdk'
import { safeValidateUIMessages } from 'ai'
import { sandboxOf, scenario } from '../../../lib/sandbox.ts'
import { currentUser } from '../../../lib/session.ts'

/** Answers `useChat`: starts an agent with what the user wrote, and streams what it says. */
export async function POST(request: Request): Promise<Response> {
  const user = await currentUser()
  if (user === null) return new Response('Open the page first', { status: 401 })
  const chat = await safeValidateUIMessages(await request.json())
  if (!chat.success) return new Response(chat.error.message, { status: 400 })
  const parts = chat.data.at(-1)?.parts ?? []

  const sandbox = sandboxOf(user)
  const { runId } = await startRun(sandbox, {
    agent: 'scripted',
    args: ['--scenario', scenario],
    prompt: parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
    // An agent that could read it could sign sessions.
    env: { SESSION_SECRET: undefined },
  })
  return new Response(await streamRun(sandbox, runId), { headers: RUN_STREAM_HEADERS })
}

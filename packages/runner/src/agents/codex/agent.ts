// Why it is so: docs/decisions/0108-codex-asks-through-its-app-server.md

import { AskError, checkOptions, type OptionNames } from '@sandagent/core/internal'
import type { Agent } from '../../run/agent.ts'
import { endOutput, isEndedOutput } from '../../run/end-output.ts'
import { linesOf } from '../../run/lines-of.ts'
import { whyNotStarted } from '../../run/why-not-started.ts'
import { createAppServer } from './app-server.ts'
import { CodexAsks } from './asks.ts'
import { CodexItems } from './items.ts'
import { CodexQuestions } from './questions.ts'
import { type CodexAgentOptions, CodexThread } from './thread.ts'

const NAMES: OptionNames<CodexAgentOptions> = { model: true, resume: true }

/** The tool for questions is there for its plan mode alone, unless this says otherwise. */
const ARGS = [
  ...['-c', 'features.default_mode_request_user_input=true'],
  ...['-c', 'suppress_unstable_features_warning=true'],
  'app-server',
]

/**
 * Runs the installed Codex as an agent, by its app server. Its settings, its login and its own sandbox count, as in its
 * terminal: what it asks permission for there, it asks here.
 *
 * The agent rejects with `NOT_FOUND` when Codex is not installed, and when its turn fails.
 *
 * @throws AskError `INVALID_REQUEST` for unknown options.
 */
export function createCodexAgent(options: CodexAgentOptions = {}): Agent {
  checkOptions('createCodexAgent', options, NAMES)
  return async (run) => {
    const { execa } = await import('execa') // Takes long to load.
    const over = new AbortController()
    const signal = AbortSignal.any([run.signal, over.signal])
    const items = new CodexItems(run.ui)
    const program = execa('codex', ARGS, {
      cwd: run.workdir,
      stderr: 'inherit',
      cancelSignal: signal,
      buffer: false,
      reject: false,
    })
    endOutput(program)

    const server = createAppServer({
      write: (line) => program.stdin.write(line),
      onRequest: (method, params, id) => asks.answer(method, params, id),
      onNotification: (method, params) => thread.take(method, params),
      onWarning: (message) => run.onWarning?.({ code: 'INVALID_REQUEST', message }),
    })
    const questions = new CodexQuestions({ run, items, threadId: () => thread.id })
    const asks: CodexAsks = new CodexAsks({
      run,
      signal,
      questions,
      tell: (text, params) => thread.tell(text, params),
    })
    const thread: CodexThread = new CodexThread({ run, server, asks, items, signal })

    const read = async (): Promise<void> => {
      for await (const line of linesOf(program.stdout)) await server.take(line)
    }
    const ended = (async () => {
      let failure: unknown
      await read().catch((error: unknown) => {
        if (!isEndedOutput(error)) failure = error
        over.abort()
      })
      const { code, cause, exitCode, signal: by } = await program
      const error =
        whyNot(code, cause, run.workdir) ?? new Error(`Codex ended early (${exitCode ?? by ?? code})`)
      server.end(error)
      throw failure ?? error
    })()
    ended.catch(() => {}) // The race below tells of it.

    await run.ui.startStep()
    try {
      await Promise.race([thread.hold(run.prompt, options), ended])
    } catch (error) {
      if (!run.signal.aborted) throw error
    } finally {
      over.abort()
      // The race above tells of it.
      await ended.catch(() => {})
      await questions.settled()
      await items.endAll()
      await run.ui.finishStep()
    }
  }
}

function whyNot(code: string | undefined, cause: unknown, workdir: string): AskError | undefined {
  if (code === 'EACCES') return whyNotStarted('codex', workdir, { code, cause })
  if (code !== 'ENOENT') return undefined
  return new AskError(
    'NOT_FOUND',
    'Codex cannot be started: there is no program codex. Install it with npm install -g @openai/codex, then log in with codex login',
    { cause },
  )
}

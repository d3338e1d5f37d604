import type { ChildProcess } from 'node:child_process'
import type { Agent } from '../../run/agent.ts'
import { linesOf } from '../../run/lines-of.ts'
import { whyNotStarted } from '../../run/why-not-started.ts'
import { createCommandSession } from './session.ts'

/**
 * Runs a program as an agent, in the workdir and without a shell. `SANDAGENT_PROMPT` holds the prompt. Each line of its
 * output is a message (`ProgramLine`) or text. Each question is answered by a line on its input (`ReplyLine`). Its
 * standard error passes through.
 *
 * Open questions are withdrawn when the program ends. An abort sends SIGTERM, and SIGKILL 5 seconds later. The agent
 * rejects when the program fails or cannot be started.
 */
export const createCommandAgent =
  (command: string, args: readonly string[] = []): Agent =>
  async (run) => {
    const { execa } = await import('execa') // Takes long to load.
    await run.ui.startStep()
    // Nothing is awaited from here to the reading: execa discards what comes before somebody reads.
    const over = new AbortController()
    const signal = AbortSignal.any([run.signal, over.signal])
    const program = execa(command, args, {
      cwd: run.workdir,
      // What is inherited is that of another run, if an agent started this one. A program below may leave the folder.
      env: { SANDAGENT_PROMPT: run.prompt, SANDAGENT_OUTPUT: undefined, SANDAGENT_WORKDIR: run.workdir },
      stderr: 'inherit',
      cancelSignal: signal,
      buffer: false,
      reject: false,
    })
    // A child of the program may outlive it and hold its output open.
    const stopReading = (): void => {
      if (signal.aborted && hasEnded(program)) program.stdout.destroy()
    }
    program.once('exit', stopReading)
    signal.addEventListener('abort', stopReading)
    const session = createCommandSession({
      run,
      signal,
      reply: (line) => program.stdin.write(`${JSON.stringify(line)}\n`),
    })

    try {
      for await (const line of linesOf(program.stdout)) await session.take(line)
      const { failed, code, shortMessage, cause } = await program
      if (code === 'ENOENT' || code === 'EACCES') throw whyNotStarted(command, run.workdir, { code, cause })
      if (failed) throw new Error(shortMessage)
    } catch (error) {
      if (!run.signal.aborted) throw error
    } finally {
      over.abort()
      await program
      await session.end()
      await run.ui.finishStep()
    }
  }

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Sandbox } from '@sandagent/sdk'
import type { Request, Response } from 'express'
import { promptOf } from './prompt-of.ts'
import { streamRun } from './stream-run.ts'

const sandagent = fileURLToPath(new URL('dist/main.js', import.meta.resolve('sandagent/package.json')))

export interface Chat {
  /** Answers `useChat`: starts an agent and streams what it says. It is ended when the page goes away. */
  handle(request: Request, response: Response): Promise<void>
  /** Ends every agent and resolves when they are gone. */
  close(): Promise<void>
}

/** The chat of the page. Each message of the user is a run of its own, in a process of its own. */
export function createChat({ sandbox, scenario }: { sandbox: Sandbox; scenario: string }): Chat {
  const runs = new Set<Promise<void>>()
  const closing = new AbortController()

  const run = async (prompt: string, response: Response): Promise<void> => {
    const stop = new AbortController()
    const end = (): void => stop.abort()
    response.on('close', end)
    closing.signal.addEventListener('abort', end)
    const args = ['run', '--agent', 'scripted', '--scenario', scenario, '--workdir', sandbox.workdir]
    const process_ = await sandbox.spawn(
      process.execPath,
      [sandagent, ...args, '--run-id', `run-${randomUUID().slice(0, 8)}`, '--', prompt],
      { signal: stop.signal },
    )
    await streamRun(process_, response)
    closing.signal.removeEventListener('abort', end)
  }

  return {
    async handle(request, response) {
      const prompt = promptOf(request.body)
      if (prompt === null) {
        response.status(400).send('Send the messages of a chat, the last of them a text of the user')
        return
      }
      const running = run(prompt, response)
      runs.add(running)
      await running.finally(() => runs.delete(running))
    },
    async close() {
      closing.abort()
      await Promise.allSettled(runs)
    },
  }
}

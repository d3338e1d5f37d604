import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from '@sandagent/fixtures/listen.ts'
import { onTestFinished } from 'vitest'
import { createCutter } from './cutter.ts'

const NOW = Date.UTC(2026, 0)
const SESSION = {
  ...{ id: 'session', memory: 1024, vcpus: 1, region: 'here', timeout: 300_000, status: 'running' },
  ...{ requestedAt: NOW, createdAt: NOW, updatedAt: NOW, cwd: '/tmp' },
}
const SANDBOX = {
  ...{ name: 'stand-in', persistent: false, createdAt: NOW, updatedAt: NOW },
  ...{ currentSessionId: 'session', status: 'running' },
}

/** What the real package asks of Vercel, for programs that run right here: commands without input, their logs, and files. */
export async function vercelService() {
  const programs = new Map<string, ChildProcess>()
  // A program whose connection was cut does not notice that the test is over.
  onTestFinished(() => {
    for (const program of programs.values()) program.kill()
  })
  const cutter = createCutter()
  const reply = (response: ServerResponse, body: object): void =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

  const start = ({ command, args }: { command: string; args: string[] }): object => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const id = String(child.pid)
    programs.set(id, child)
    return {
      command: { id, name: command, args, cwd: '/tmp', sessionId: 'session', exitCode: null, startedAt: NOW },
    }
  }

  const log = (id: string, response: ServerResponse): void => {
    const output = programs.get(id)?.stdout
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).flushHeaders()
    const forget = cutter.add(() => response.destroy())
    // A log cuts characters in two.
    output?.setEncoding('latin1').on('data', (data: string) => {
      if (!cutter.isLost()) response.write(`${JSON.stringify({ stream: 'stdout', data })}\n`)
    })
    output?.once('close', () => {
      forget()
      response.end()
    })
  }

  const url = await listen(async (request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    const body = await buffer(request)
    const [, id = ''] = /\/cmd\/(\d+)\/logs$/.exec(path) ?? []
    if (id) return log(id, response)
    if (path.endsWith('/cmd')) return reply(response, start(JSON.parse(String(body))))
    if (path.endsWith('/fs/write')) {
      if (cutter.isLost()) return void response.destroy()
      execFileSync('tar', ['-xz', '-C', String(request.headers['x-cwd'])], { input: body })
      return reply(response, {})
    }
    reply(response, { sandbox: SANDBOX, session: SESSION, routes: [] })
  })
  return { url, cutAfter: cutter.cutAfter }
}

import { type ChildProcess, spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from '@sandagent/fixtures/listen.ts'
import { onTestFinished } from 'vitest'
import { createCutter } from './cutter.ts'

/** The flag of the last message of a stream, in the Connect protocol. */
const END_OF_STREAM = 2

/** A message of a stream in the Connect protocol: a flag, the length, and JSON. */
function envelope(message: object, flag = 0): Buffer {
  const text = Buffer.from(JSON.stringify(message))
  const head = Buffer.alloc(5)
  head.writeUInt8(flag)
  head.writeUInt32BE(text.length, 1)
  return Buffer.concat([head, text])
}

/** What the real package asks of E2B, for programs that run right here: commands with their input, by the Connect protocol. */
export async function e2bService() {
  const programs = new Map<number, ChildProcess>()
  // A program whose connection was cut does not notice that the test is over.
  onTestFinished(() => {
    for (const program of programs.values()) program.kill()
  })
  const cutter = createCutter()

  const start = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { process: asked, stdin } = JSON.parse(String((await buffer(request)).subarray(5)))
    const child = spawn(asked.cmd, asked.args, { stdio: [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe'] })
    programs.set(child.pid as number, child)
    response.writeHead(200, { 'content-type': 'application/connect+json' })
    response.write(envelope({ event: { start: { pid: child.pid } } }))
    const forget = cutter.add(() => {
      response.destroy()
      child.stdin?.destroy()
    })
    child.stdin?.on('error', () => {})
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.on('data', (bytes: Buffer) => {
        if (!cutter.isLost())
          response.write(envelope({ event: { data: { [name]: bytes.toString('base64') } } }))
      })
    child.once('close', (exitCode) => {
      forget()
      programs.delete(child.pid as number)
      response.write(envelope({ event: { end: { exitCode: exitCode ?? -1, exited: true, status: 'exit' } } }))
      response.end(envelope({}, END_OF_STREAM))
    })
  }

  const calls: Record<string, (asked: never) => object> = {
    SendInput({ process: { pid }, input }: { process: { pid: number }; input: { stdin: string } }) {
      if (!cutter.isLost()) programs.get(pid)?.stdin?.write(Buffer.from(input.stdin, 'base64'))
      return {}
    },
    CloseStdin({ process: { pid } }: { process: { pid: number } }) {
      programs.get(pid)?.stdin?.end()
      return {}
    },
    SendSignal({ process: { pid } }: { process: { pid: number } }) {
      programs.get(pid)?.kill('SIGKILL')
      return {}
    },
  }

  const url = await listen(async (request, response) => {
    const [, service, name = ''] = request.url?.split('/') ?? []
    if (service === 'process.Process' && name === 'Start') return start(request, response)
    const asked = String(await buffer(request))
    const call = calls[name]
    const reply = call
      ? call(JSON.parse(asked) as never)
      : { sandboxID: 'stand-in', templateID: 'base', clientID: 'one', envdVersion: '0.6.0', domain: null }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  return { url, cutAfter: cutter.cutAfter }
}

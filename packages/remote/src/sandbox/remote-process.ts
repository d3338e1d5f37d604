import { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { deferred } from '@sandagent/core/internal'
import type { ProcessEnd, SandboxProcess, SpawnOptions } from '@sandagent/sdk/internal'
import { unstartedProcess } from '@sandagent/sdk/internal'
import type { RelayClient } from '../connection/relay-client.ts'
import type { ProcessEvent, ProcessInput } from '../protocol/calls.ts'
import { fromWireError } from '../protocol/wire-errors.ts'
import { wireProgram } from './wire-program.ts'

/** The most bytes of the input that one message carries. */
const PIECE_BYTES = 64 * 1024

/** Starts a program behind a relay, with its streams over the connection. It ends with the connection. */
export async function spawnRemotely(
  client: RelayClient,
  command: string,
  args: readonly string[],
  { signal, ...options }: SpawnOptions,
): Promise<SandboxProcess> {
  const stdout = outputStream()
  const stderr = outputStream()
  const started = deferred<number | null>()
  let written = deferred<void>()
  const onEvent = (event: ProcessEvent): void | Promise<void> => {
    if ('pid' in event) started.resolve(event.pid)
    else if ('stdout' in event) return stdout.add(event.stdout)
    else if ('stderr' in event) return stderr.add(event.stderr)
    else written.resolve()
  }
  const request = client.request('spawn', wireProgram(command, args, options), { onEvent, isOnce: true })
  const send = (input: ProcessInput): void => request.send(input)
  const end = request.value.then(
    ({ exitCode, signal, error }): ProcessEnd => ({
      exitCode,
      signal,
      ...(error && { error: fromWireError(error) }),
    }),
    (error: Error): ProcessEnd => ({ exitCode: null, signal: null, error }),
  )
  const kill = (): void => {
    send({ kill: true })
    request.hurry()
  }
  signal?.addEventListener('abort', kill)
  const stdin = new Writable({
    write(chunk: Buffer, _encoding, done) {
      void writeInPieces(chunk).then(() => done())
    },
    final(done) {
      send({ end: true })
      done()
    },
  })
  const writeInPieces = async (chunk: Buffer): Promise<void> => {
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      written = deferred()
      send({ stdin: chunk.subarray(from, from + PIECE_BYTES).toString('base64') })
      await Promise.race([written.promise, end])
    }
  }
  const ended = end.then(async (result) => {
    signal?.removeEventListener('abort', kill)
    stdin.destroy()
    for (const { stream } of [stdout, stderr]) stream.push(null)
    // A reader that stops early is no failure of the process.
    await Promise.all([stdout, stderr].map(({ stream }) => finished(stream).catch(() => {})))
    return result
  })
  const pid = await Promise.race([started.promise, end])
  if (pid === null || typeof pid === 'object') {
    const { error = new Error(`${command} was not started`) } = await end
    return unstartedProcess(error)
  }
  if (signal?.aborted) kill()
  return { pid, stdin, stdout: stdout.stream, stderr: stderr.stream, ended, kill }
}

/** An output, and a function that adds bytes to it. Its promise resolves when there is room for more. */
function outputStream(): { stream: Readable; add(base64: string): void | Promise<void> } {
  const waiting: (() => void)[] = []
  const onRoom = (): void => {
    for (const resolve of waiting.splice(0)) resolve()
  }
  const stream = new Readable({
    read: onRoom,
    destroy(error, done) {
      onRoom()
      done(error)
    },
  })
  return {
    stream,
    add(base64) {
      if (stream.destroyed || stream.push(Buffer.from(base64, 'base64'))) return undefined
      return new Promise((resolve) => waiting.push(resolve))
    },
  }
}

import { type Readable, Transform, type Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { checkOptions } from '@sandagent/core/internal'
import { ASK_MCP_OPTIONS, type AskMcpOptions, settingsOf } from './call.ts'
import { askServer } from './server.ts'
import { ticketsOf } from './tasks.ts'

export interface AskMcpConnection {
  /** Resolves when the client has gone and every question is settled. */
  ended: Promise<void>
  /** Ends the connection, withdraws its open questions except those of tasks and tickets, and resolves like `ended`. */
  close(): Promise<void>
}

/**
 * Offers `ask_user_question` to the MCP client that started this process.
 *
 * @param options as `createAskMcpServer` takes them
 * @param streams where the client is: by default those of this process
 */
export function serveAskMcpStdio(
  options: AskMcpOptions,
  { stdin, stdout }: { stdin: Readable; stdout: Writable } = process,
): AskMcpConnection {
  checkOptions('serveAskMcpStdio: its options', options, ASK_MCP_OPTIONS)
  const settings = settingsOf(options)
  const calls = new Set<Promise<unknown>>()
  const messages = withoutMark(stdin)
  const transport = new StdioServerTransport(messages, stdout)
  const tickets = settings.channel && ticketsOf(settings.channel, settings)
  const connection = serveStdio(() => askServer(settings, calls, tickets), { transport })
  const { onclose } = transport
  const closed = new Promise<void>((resolve) => {
    transport.onclose = () => {
      onclose?.()
      // So the process can end, although its standard input stays open.
      stdin.unpipe(messages)
      resolve()
    }
  })
  const ended = closed.then(async () => void (await Promise.all([...calls, tickets?.close()])))
  return {
    ended,
    async close() {
      await connection.close()
      await ended
    },
  }
}

/** A stream of UTF-8 without the mark of the byte order, which shells of Windows write before it. */
function withoutMark(stdin: Readable): Transform {
  // It leaves the mark out.
  const decoder = new TextDecoder()
  const text = new Transform({
    transform: (piece, _, done) => done(null, decoder.decode(piece, { stream: true })),
  })
  stdin.once('error', (error) => text.destroy(error)).once('close', () => text.end())
  return stdin.pipe(text)
}

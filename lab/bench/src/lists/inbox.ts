import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { inFolder } from '../lib/in-folder.ts'
import { defineScenario, type Scenario } from '../lib/scenario.ts'
import { main } from '../start/timed-process.ts'
import { askMany } from './ask-many.ts'

export const inbox: Scenario = defineScenario({
  title: '10,000 approvals in a browser that has opened the inbox of sandagent serve',
  keys: {
    waitedSeconds: 'those that wait when the browser signs in: until it has all, seconds',
    askedSeconds: 'those that are asked while it looks on: from the first until it has all, seconds',
    writtenSeconds: 'until their files were written, seconds',
  },
  async measure({ quick }) {
    const count = quick ? 1000 : 10_000
    const waited = await measureInbox(count, { waitFirst: true })
    const asked = await measureInbox(count, { waitFirst: false })
    return {
      waitedSeconds: waited.shownMs / 1000,
      askedSeconds: asked.shownMs / 1000,
      writtenSeconds: asked.writtenMs / 1000,
    }
  },
  goals: ({ waitedSeconds, askedSeconds, writtenSeconds }) => [
    { text: 'those that wait are there within 20 s', figure: waitedSeconds, most: 20 },
    {
      text: 'those that are asked are there at most 10 s after their files',
      figure: askedSeconds - writtenSeconds,
      most: 10,
    },
  ],
})

const measureInbox = (
  count: number,
  { waitFirst }: { waitFirst: boolean },
): Promise<{ writtenMs: number; shownMs: number }> =>
  inFolder(async (folder) => {
    const state = join(folder, 'work/.sandagent')
    await mkdir(join(state, 'approvals'), { recursive: true })
    const ask = async (): Promise<number> => {
      const startedAt = performance.now()
      await askMany(join(state, 'questions'), count, 'approval')
      return performance.now() - startedAt
    }
    let written = waitFirst ? ask() : null
    await written
    const server = await startServer(folder)
    try {
      const events = await server.signIn()
      const startedAt = performance.now()
      written ??= ask()
      await untilAll(events, count, server.page)
      const shownMs = performance.now() - startedAt
      return { writtenMs: await written, shownMs }
    } finally {
      await server.stop()
    }
  })

interface InboxServer {
  /** Signs in as a browser does, and opens its stream. */
  signIn(): Promise<AsyncIterable<string>>
  /** A further page of the list that the stream began with. */
  page(cursor: string): Promise<List>
  stop(): Promise<void>
}

interface List {
  questions: { question: { toolCallId: string } }[]
  nextCursor?: string
}

async function startServer(folder: string): Promise<InboxServer> {
  const args = [main, 'serve', '--port', '0', '--workdir', join(folder, 'work')]
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder }
  const server = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  for await (const text of server.stdout.iterator({ destroyOnReturn: false })) {
    printed += text
    if (printed.includes('/login?link=')) break
  }
  server.stdout.resume()
  const { origin, searchParams } = new URL(/https?:\S+\/login\?link=\S+/.exec(printed)?.[0] ?? '')
  let cookie = ''
  const get = (query = ''): Promise<Response> =>
    fetch(`${origin}/api/inbox/questions${query}`, {
      headers: { cookie, ...(query === '' && { accept: 'text/event-stream' }) },
    })
  return {
    async signIn() {
      const body = new URLSearchParams({ link: searchParams.get('link') ?? '' })
      const signedIn = await fetch(`${origin}/login`, { method: 'POST', headers: { origin }, body })
      cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
      const { body: stream } = await get()
      if (!stream) throw new Error('The inbox has no stream')
      return stream.pipeThrough(new TextDecoderStream()) as AsyncIterable<string>
    },
    page: async (cursor) => (await get(`?cursor=${encodeURIComponent(cursor)}`)).json() as Promise<List>,
    async stop() {
      server.kill('SIGTERM')
      if (server.exitCode === null) await once(server, 'exit')
    },
  }
}

/** Reads the stream until the browser knows so many calls: by the list, its pages, and the changes. */
async function untilAll(
  events: AsyncIterable<string>,
  count: number,
  page: InboxServer['page'],
): Promise<void> {
  const known = new Set<string>()
  const take = ({ questions, nextCursor }: List): string | undefined => {
    for (const { question } of questions) known.add(question.toolCallId)
    return nextCursor
  }
  let rest = ''
  for await (const text of events) {
    const parts = `${rest}${text}`.split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part)?.[1]
      if (data === undefined) continue
      const event: Partial<List> & List['questions'][number] = JSON.parse(data)
      if (event.question) known.add(event.question.toolCallId)
      let cursor = event.questions && take({ ...event, questions: event.questions })
      while (cursor !== undefined) cursor = take(await page(cursor))
    }
    if (known.size === count) return
  }
  throw new Error(`The stream has ended after ${known.size} of ${count} questions`)
}

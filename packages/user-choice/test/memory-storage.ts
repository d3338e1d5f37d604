import type { UserChoiceStorage } from '../src/index.ts'

/** A storage that keeps its files in memory. */
export function createMemoryStorage(): UserChoiceStorage & { files: Map<string, string> } {
  const files = new Map<string, string>()
  return {
    files,
    read: async (path) => files.get(path) ?? null,
    writeAtomic: async (path, text) => void files.set(path, text),
    list: async (folder) =>
      [...files.keys()]
        .filter((path) => path.startsWith(`${folder}/`))
        .map((path) => path.slice(folder.length + 1)),
    async remove(path) {
      for (const known of [...files.keys()])
        if (known === path || known.startsWith(`${path}/`)) files.delete(known)
    },
  }
}

interface Posted {
  url: string
  body: Record<string, unknown>
}

/** A `fetch` that keeps what is posted, and responds with the status of its URL's path, or 200. */
export function createPosts() {
  const posted: Posted[] = []
  const statuses: Record<string, number> = {}
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    posted.push({ url, body: JSON.parse(String(init.body)) })
    return new Response(null, { status: statuses[new URL(url).pathname] ?? 200 })
  }
  return { posted, statuses, fetch: fetch as typeof globalThis.fetch }
}

/** Posts a message to a handler, and resolves to the status and the error's code. */
export async function send(
  handler: (request: Request) => Promise<Response>,
  body: unknown,
  url = 'https://tool.example/',
): Promise<[status: number, code?: string]> {
  const headers = { 'content-type': 'application/json' }
  const response = await handler(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }))
  const { error } = (await response.json()) as { error?: { code: string } }
  return error ? [response.status, error.code] : [response.status]
}

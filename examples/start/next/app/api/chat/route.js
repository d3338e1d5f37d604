import { LocalSandbox, RUN_STREAM_HEADERS, startRun, streamRun } from '@sandagent/sdk'

const sandbox = new LocalSandbox({ workdir: 'workspace' })
export async function POST() {
  const request = { agent: 'command', args: ['--', 'node', 'agent.mjs'], prompt: 'Deploy' }
  const { runId } = await startRun(sandbox, request)
  return new Response(await streamRun(sandbox, runId), { headers: RUN_STREAM_HEADERS })
}

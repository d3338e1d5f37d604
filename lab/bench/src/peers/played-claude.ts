// In place of `@anthropic-ai/claude-agent-sdk`: a model that asks one question after the other.

const questions = [{ question: 'Which language?', options: [{ label: 'TypeScript' }, { label: 'Python' }] }]

interface QueryOptions {
  canUseTool(tool: string, input: unknown, context: { toolUseID: string }): Promise<unknown>
}

/** Never ends. Sends the time of each answer, by the clock that all processes share. */
// biome-ignore lint/correctness/useYield: the model only asks
export async function* query({ options }: { options: QueryOptions }): AsyncGenerator<never, void> {
  for (let n = 0; ; n++) {
    await options.canUseTool('AskUserQuestion', { questions }, { toolUseID: `cli-${n}` })
    process.send?.(String(process.hrtime.bigint()))
  }
}

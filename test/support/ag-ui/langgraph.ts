import { buildLgCommandResumeFromAgui, langGraphInterruptsToAGUI } from '@ag-ui/langgraph'
import { Annotation, Command, interrupt, MemorySaver, Send, START, StateGraph } from '@langchain/langgraph'
import { type AgUiEvent, type Input, serveAgUi } from './serve.ts'

/** One thing that the graph asks, by `interrupt()`, and the tool call that it is about. */
export interface GraphAsk {
  name: string
  value: unknown
  expiresInMs?: number
  tool?: { id: string; name: string; args: unknown }
}

/** What a node was told, by the names of what it asked. */
type Told = Record<string, unknown>

const State = Annotation.Root({
  asks: Annotation<GraphAsk[]>(),
  ask: Annotation<GraphAsk>(),
  told: Annotation<Told, Told>({ reducer: (a, b) => ({ ...a, ...b }), default: () => ({}) }),
})

const askedBy = ({ value, expiresInMs }: GraphAsk): unknown =>
  expiresInMs === undefined
    ? value
    : { ...(value as object), expiresAt: new Date(Date.now() + expiresInMs).toISOString() }

/**
 * A graph of LangGraph.js that asks everything at once, and says at last what it was told. It has a checkpointer and no model.
 * `@ag-ui/langgraph` translates its interrupts and their answers; its agent itself needs the server of LangGraph Platform, so
 * these few lines stand in its place.
 */
export async function serveGraph(...asks: GraphAsk[]) {
  const graph = new StateGraph(State)
    .addNode('person', ({ ask }) => ({ told: { [ask.name]: interrupt(askedBy(ask)) } }))
    .addConditionalEdges(START, (state) => state.asks.map((ask) => new Send('person', { ask })))
    .compile({ checkpointer: new MemorySaver() })

  return serveAgUi(async function* ({ threadId, resume = [] }: Input): AsyncGenerator<AgUiEvent> {
    const config = { configurable: { thread_id: threadId } }
    const tools = asks.flatMap(({ tool }) => tool ?? [])
    if (resume.length === 0) {
      await graph.invoke({ asks }, config)
      for (const { id: toolCallId, name: toolCallName, args } of tools) {
        yield { type: 'TOOL_CALL_START', toolCallId, toolCallName }
        yield { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(args) }
        yield { type: 'TOOL_CALL_END', toolCallId }
      }
    } else {
      const values = resume.map((entry) => [entry.interruptId, buildLgCommandResumeFromAgui([entry])])
      await graph.invoke(new Command({ resume: Object.fromEntries(values) }), config)
    }
    const { tasks, values } = await graph.getState(config)
    const interrupts = langGraphInterruptsToAGUI(tasks.flatMap((task) => task.interrupts))
    if (interrupts.length > 0)
      return yield { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts } }
    for (const { id: toolCallId } of tools)
      yield { type: 'TOOL_CALL_RESULT', messageId: `result-${toolCallId}`, toolCallId, content: 'done' }
    yield { type: 'TEXT_MESSAGE_START', messageId: 'last', role: 'assistant' }
    yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'last', delta: JSON.stringify(values.told) }
    yield { type: 'TEXT_MESSAGE_END', messageId: 'last' }
    yield { type: 'RUN_FINISHED', outcome: { type: 'success' } }
  })
}

import type { Client, JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { createTaskSessionFromClient, type RawClientDispatch } from '@modelcontextprotocol/ext-tasks/client'
import type { JsonValue } from '@modelcontextprotocol/ext-tasks/core'
import type { ErrorV2 } from '@modelcontextprotocol/ext-tasks/core/v2'
import { onTestFinished } from 'vitest'
import { connect } from './mcp.ts'

const CLIENT = { name: 'test', version: '1.0.0' }

/** Sends beside the client, which does not know tasks, on its own transport. */
function rawDispatch(transport: Transport): RawClientDispatch {
  const waiting = new Map<unknown, (message: JSONRPCMessage) => void>()
  const { onmessage } = transport
  transport.onmessage = (message, extra) => {
    const resolve = 'id' in message && !('method' in message) ? waiting.get(message.id) : undefined
    if (!resolve) return onmessage?.(message, extra)
    resolve(message)
  }
  let count = 0
  return async (request) => {
    const id = `task-${++count}`
    const response = new Promise<JSONRPCMessage>((resolve) => waiting.set(id, resolve))
    await transport.send({ jsonrpc: '2.0', id, ...(request as { method: string }) })
    const { result, error } = (await response) as unknown as { result: JsonValue; error?: ErrorV2 }
    return error ? { kind: 'error', error } : { kind: 'result', result }
  }
}

/** A client of 2026 with MCP's own package for tasks, until the test ends. */
export async function connectWithTasks(transport: Transport) {
  const client: Client = await connect(transport, { era: 2026 })
  const send = rawDispatch(transport)
  const clientCapabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
  const v2RequestFraming = { protocolVersion: '2026-07-28', clientInfo: CLIENT, clientCapabilities }
  const session = createTaskSessionFromClient(client, {
    endpointId: 'sandagent',
    rawDispatch: send,
    v2RequestFraming,
  })
  onTestFinished(() => session.close())
  /** One request as the package frames it, for what its session does by itself. */
  const dispatch = (
    { method, params }: { method: string; params: object },
    capabilities: object = clientCapabilities,
  ) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': CLIENT,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    }
    return send({ method, params: { ...params, _meta } } as JsonValue)
  }
  return { client, session, dispatch }
}

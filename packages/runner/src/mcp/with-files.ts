import { pathToFileURL } from 'node:url'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Outcome, RunnerChannel } from '@sandagent/core'
import type { McpToolResult } from '@sandagent/core/dialects/mcp'
import { modelFiles } from '../ask/attached-files.ts'

/** The result of the tool with the images and the PDF files that the person gave. Of other files it has the path. */
export async function withFiles(
  channel: RunnerChannel,
  outcome: Outcome,
  { content, ...result }: McpToolResult,
): Promise<CallToolResult> {
  const files = (await modelFiles(channel, outcome)).map(
    ({ data, mediaType: mimeType, path, isImage }): CallToolResult['content'][number] =>
      isImage
        ? { type: 'image', data, mimeType }
        : { type: 'resource', resource: { uri: pathToFileURL(path).href, mimeType, blob: data } },
  )
  return { ...result, content: [...content, ...files] }
}

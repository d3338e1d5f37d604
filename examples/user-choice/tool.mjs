// A tool that lets the user choose before it writes a file.   node examples/user-choice/tool.mjs FOLDER
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createLocalFiles } from '@sandagent/files'
import { toNodeHandler } from '@sandagent/sdk'
import { createUserChoiceTool } from '@sandagent/user-choice'

const folder = process.argv[2] ?? 'user-choice-example'
const { PORT = '4100', TOOL = `http://127.0.0.1:${PORT}`, AGENT = 'http://127.0.0.1:4000' } = process.env

const tool = await createUserChoiceTool({
  operations: {
    write_note: {
      confirm: () => ({
        prompt: `Allow writing to ${folder}?`,
        choices: ['Yes for session', 'Yes once', 'No'],
        default: 2,
        remember: { choices: [0], scope: folder },
      }),
      async perform({ arguments: { text } }, picked) {
        if (picked?.index === 2) return 'The user does not allow it.'
        await mkdir(folder, { recursive: true })
        await writeFile(join(folder, 'note.txt'), String(text))
        return `Written to ${join(folder, 'note.txt')}.`
      },
    },
  },
  // Beside the folder, because the agent can write to the folder.
  storage: createLocalFiles(`${folder}.tool`),
  responseUrl: `${TOOL}/user_choice_response`,
  callbackUrls: [`${AGENT}/callback`],
  toolset: { name: 'notes', endpoint: `${TOOL}/invoke` },
  onWarning: ({ message }) => console.error(message),
})

const routes = new Map([
  ['/invoke', tool.invoke],
  ['/user_choice_response', tool.respond],
  ['/.well-known/rap-toolset', tool.toolset],
  ['/cancel_tool_call', tool.cancelToolCall],
  ['/close_thread', tool.closeThread],
])

/** @param {Request} request */
const route = async (request) =>
  (await routes.get(new URL(request.url).pathname)?.(request)) ?? new Response(null, { status: 404 })

const server = createServer(toNodeHandler(route))
server.listen(Number(PORT), '127.0.0.1', () => console.log('The tool listens on', server.address()))

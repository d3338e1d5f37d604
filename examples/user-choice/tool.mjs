// A tool that lets the user choose before it writes a file.   node examples/user-choice/tool.mjs FOLDER
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { localFiles } from '@sandagent/files'
import { createUserChoiceTool } from '@sandagent/runner/user-choice'
import { toNodeHandler } from '@sandagent/sdk'

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
  // Beside the folder, not in it: what is in there could be the agent's.
  storage: localFiles(`${folder}.tool`),
  responseUrl: `${TOOL}/user_choice_response`,
  callbackUrls: [`${AGENT}/callback`],
  onWarning: ({ message }) => console.error(message),
})

/** @param {Request} request */
const route = (request) =>
  new URL(request.url).pathname === '/invoke' ? tool.invoke(request) : tool.respond(request)

const server = createServer(toNodeHandler(route))
server.listen(Number(PORT), '127.0.0.1', () => console.log('The tool listens on', server.address()))

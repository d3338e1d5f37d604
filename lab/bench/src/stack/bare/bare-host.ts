// The least that a host must do, in a process of its own: reads a posted answer, signs it, and writes it durably. Guarantees that
// are named on the command line come on top, each done in the cheapest way.

import { createHash, createPrivateKey, sign } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

const [, , folder = '', key = '', ...guarantees] = process.argv
const [inThreads, claims, records, web] = ['threads', 'claims', 'records', 'web'].map((name) =>
  guarantees.includes(name),
)
const privateKey = createPrivateKey(key)
const questions = join(folder, 'questions')
const UTF8 = new TextDecoder()

/** A slow disk does not stop the host: a thread waits for it. */
const sync = inThreads ? promisify(fs.fsync) : fs.fsyncSync

/** Opens a folder, and makes sure that no link led there. */
function openFolder(path: string): number {
  const opened = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY)
  if (fs.readlinkSync(`/proc/self/fd/${opened}`) !== path) throw new Error(`A link leads to ${path}`)
  return opened
}

/** Reads the question, hashes what was asked, and looks for answers that came first. */
function readQuestion(toolCallId: string): string {
  const [asked, answers] = [openFolder(questions), openFolder(folder)]
  const file = fs.openSync(`/proc/self/fd/${asked}/${toolCallId}.json`, fs.constants.O_NOFOLLOW)
  const bytes = Buffer.allocUnsafe(fs.fstatSync(file).size + 1)
  const text = UTF8.decode(bytes.subarray(0, fs.readSync(file, bytes, 0, bytes.length, 0)))
  for (const opened of [file, asked]) fs.closeSync(opened)
  for (const name of [`.${toolCallId}.final`, `${toolCallId}.json`])
    if (fs.existsSync(`/proc/self/fd/${answers}/${name}`)) throw new Error('Another answer came first')
  fs.closeSync(answers)
  return createHash('sha256')
    .update(JSON.stringify(JSON.parse(text)))
    .digest('hex')
}

/** As `durableWrite`; with claims, two answers cannot both come first, and a later draft replaces nothing. */
async function write(toolCallId: string, text: string): Promise<void> {
  const at = (name: string): string => join(folder, name)
  const file = fs.openSync(at('.writing'), 'w', 0o600)
  fs.writeSync(file, text)
  await sync(file)
  fs.closeSync(file)
  const names = claims ? [`.${toolCallId}.r1`, `.${toolCallId}.final`] : []
  for (const name of names) fs.linkSync(at('.writing'), at(name))
  fs.renameSync(at('.writing'), at(`${toolCallId}.json`))
  const directory = fs.openSync(folder, 'r')
  await sync(directory)
  fs.closeSync(directory)
  if (claims) fs.unlinkSync(at(`.${toolCallId}.r1`))
}

/** What `authorize` of a host is given. */
function webRequestOf({ method = '', headers }: IncomingMessage): Request {
  const { signal } = new AbortController()
  return new Request(`http://${headers.host}/`, {
    method,
    headers: headers as Record<string, string>,
    signal,
  })
}

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const { toolCallId } = JSON.parse(body) as { toolCallId: string }
  const questionDigest = records ? readQuestion(toolCallId) : undefined
  if (web && webRequestOf(request).headers.has('x-nobody')) throw new Error('Nobody may answer')
  const signature = sign(null, Buffer.from(body), privateKey).toString('base64url')
  await write(toolCallId, JSON.stringify({ body, questionDigest, signature }))
  // A question that closes meanwhile is told from one that is open.
  if (records) fs.lstatSync(join(questions, `${toolCallId}.json`))
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true}')
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.send?.((server.address() as AddressInfo).port)

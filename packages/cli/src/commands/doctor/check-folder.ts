import { access, constants, link, lstat, mkdtemp, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '@sandagent/core/internal'
import { createFileRunnerChannel, stateFolders } from '@sandagent/files/internal'
import { askUser, receiptsWritten } from '@sandagent/runner'
import { LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import { checkOwners, type Folder } from './check-owners.ts'
import { bad, check, type Finding, good, poor } from './finding.ts'

/** A file or link that is there already is not written to. */
const NEW = { flag: 'wx' }

/** How often each is measured. The median counts. */
const TRIES = 5

/** An answer that takes longer was found by polling, in milliseconds. */
const POLLED_MS = 40

/** A sync that takes longer is felt, in milliseconds. */
const SLOW_SYNC_MS = 50

/** The clock of a disk may differ by this much from that of this machine, in milliseconds. */
const CLOCK_MS = 2000

/** How long an answer may take to arrive, in milliseconds. */
const PATIENCE_MS = 30_000

const FOLDER_HINT =
  'It must be a folder of the user who runs agents and hosts. Name another one by --workdir.'

/** Whether the agent's folder can be used, and what its file system can do. */
export async function checkFolder(place: Folder, signal: AbortSignal): Promise<Finding[]> {
  const found = [
    ...(await check('Folder', () => checkQuestions(place), FOLDER_HINT)),
    ...(await check('Users', () => checkOwners(place))),
  ]
  if (found[0]?.state === 'bad') return found
  let folder: string
  try {
    folder = await mkdtemp(join(await placeToTry(place), '.sandagent-doctor-'))
  } catch (error) {
    return [...found, { about: 'Writing', ...bad((error as Error).message, FOLDER_HINT) }]
  }
  try {
    return [
      ...found,
      ...(await check('Answers', () => checkAnswers(folder, signal))),
      ...(await check('File system', () => checkFileSystem(folder))),
      ...(await check('Sync', () => checkSync(folder))),
      ...(await check('Clock', () => checkClock(folder))),
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Where hosts write, an isolated agent cannot: in its own folder it would put links in the place of the files. */
async function placeToTry({ workdir, stateFolder }: Folder): Promise<string> {
  const approvals = join(workdir, stateFolders({ stateFolder }).approvals)
  return (await isThere(approvals)) ? approvals : workdir
}

async function checkQuestions({ workdir, stateFolder }: Folder) {
  const found = await stat(workdir).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') throw new Error(`There is no folder ${workdir}`)
    throw error
  })
  if (!found.isDirectory()) throw new Error(`${workdir} is no folder`)
  const sandbox = new LocalSandbox({ workdir, stateFolder, isolation: 'none' })
  const broken: string[] = []
  for (const name of Object.values(stateFolders(sandbox))) await checkStateFolder(join(sandbox.workdir, name))
  const open = await listQuestions(sandbox, { onWarning: ({ message }) => void broken.push(message) })
  const text = `${sandbox.workdir} has ${open.length} open ${open.length === 1 ? 'question' : 'questions'}`
  if (broken.length === 0) return good(text)
  return poor(
    `${text}. Damaged: ${broken.join('; ')}`,
    'Remove or mend the files that are named. An agent may have written them.',
  )
}

/** A folder that is not there is made when it is needed. */
async function checkStateFolder(path: string): Promise<void> {
  if (await isThere(path)) await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
}

async function isThere(path: string): Promise<boolean> {
  const found = await lstat(path).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  })
  if (found && !found.isDirectory())
    throw new Error(`${path} is no folder of its own, so nothing can be stored there`)
  return found !== null
}

/** Asks and answers questions in a new folder, as a runner and a host do. */
async function checkAnswers(workdir: string, signal: AbortSignal) {
  const sandbox = new LocalSandbox({ workdir, isolation: 'none' })
  const channel = createFileRunnerChannel({ workdir })
  const questions = [{ question: 'Does an answer arrive?', options: [{ label: 'Yes' }, { label: 'No' }] }]
  const ms = await median(async (index) => {
    const toolCallId = `doctor-${index}`
    let answeredAt = 0
    const { kind } = await askUser(
      channel,
      { toolCallId, runId: 'doctor', questions },
      {
        signal,
        timeoutMs: PATIENCE_MS,
        async onAsked() {
          const answers = { [questions[0]?.question ?? '']: 'Yes' }
          answeredAt = performance.now()
          await submitAnswer(sandbox, { toolCallId, answers, status: 'completed' }, { signingKeys: null })
        },
      },
    )
    if (kind !== 'answered') throw new Error(`A question in a new folder got no answer: it is ${kind}`)
    return performance.now() - answeredAt
  })
  await receiptsWritten()
  const figures = { answerMs: ms }
  if (ms <= POLLED_MS) return good(`In a new folder, an answer reaches its agent within ${inMs(ms)}`, figures)
  return poor(
    `In a new folder, an answer reaches its agent after ${inMs(ms)}: this file system reports changes late or never, so its files are polled`,
    'Put the folder on a local disk if that is too slow.',
    figures,
  )
}

async function checkFileSystem(folder: string) {
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  await writeFile(first, '1', NEW)
  await writeFile(second, '2', NEW)
  await rename(first, second)
  const code = await link(second, first).then(
    () => undefined,
    (error: unknown) => errorCode(error) ?? 'unknown',
  )
  if (code === undefined) return good('It renames over files, and has hard links')
  return poor(
    `It renames over files, and has no hard links (${code}): an answer is claimed by a folder, which takes longer`,
  )
}

async function checkSync(folder: string) {
  const ms = await median(async (index) => {
    const file = await open(join(folder, `synced-${index}`), NEW.flag)
    try {
      await file.writeFile('x'.repeat(1000))
      const began = performance.now()
      await file.sync()
      return performance.now() - began
    } finally {
      await file.close()
    }
  })
  const text = `A file is on the disk after ${inMs(ms)}`
  if (ms <= SLOW_SYNC_MS) return good(text, { syncMs: ms })
  return poor(text, 'Each answer waits for it three times. A faster disk helps.', { syncMs: ms })
}

async function checkClock(folder: string) {
  const path = join(folder, 'now')
  const before = Date.now()
  await writeFile(path, '', NEW)
  const { mtimeMs } = await stat(path)
  // The disk may have written at any time in between: this process may have stood still.
  const nearest = Math.min(Math.max(mtimeMs, before), Date.now())
  const offsetMs = Math.round(mtimeMs - nearest)
  if (Math.abs(offsetMs) <= CLOCK_MS)
    return good('The clocks of the disk and of this machine agree', { offsetMs })
  return poor(
    `The clock of the disk differs by ${inMs(Math.abs(offsetMs))} from this machine's`,
    'Let both machines set their clocks by the network.',
    { offsetMs },
  )
}

async function median(measure: (index: number) => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < TRIES; index++) times.push(await measure(index))
  return Number((times.sort((a, b) => a - b)[Math.floor(TRIES / 2)] ?? 0).toFixed(1))
}

const inMs = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)

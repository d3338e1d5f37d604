import { readFileSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { answerFilePath } from '@sandagent/files'
import { questionOfToken } from '../lib/token.ts'
import { FOREIGN_PREFIX } from './settings/names.ts'
import { report, settings } from './settings/settings.ts'

/** Reads each answer file whenever its folder changes, as a program does that knows nothing of the product but the name. */
export function startReader(): () => void {
  for (const workdir of settings.workdirs) {
    const folder = dirname(join(workdir, answerFilePath('any')))
    watchOnceThere(folder)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit())
  return () => {}
}

/** The folder is made with the first question. */
function watchOnceThere(folder: string): void {
  try {
    watch(folder, (_, name) => {
      if (name?.endsWith('.json') && !name.startsWith(FOREIGN_PREFIX)) read(join(folder, name), name)
    })
  } catch {
    setTimeout(() => watchOnceThere(folder), 100)
  }
}

function read(path: string, name: string): void {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return // It is gone, or its disk is.
  }
  const fault = tornIn(text, name)
  if (fault) report({ torn: `${name}: ${fault}` })
}

/** Why a text is no whole answer file; `null` if it is one. */
function tornIn(text: string, name: string): string | null {
  try {
    const { status, responses, reason } = JSON.parse(text)
    const token = responses?.q?.freeText ?? reason
    if (typeof token !== 'string') return status === 'pending' ? null : 'it has no answer'
    const question = questionOfToken(token)
    if (question === null) return 'its answer is cut'
    return `${question}.json` === name ? null : `it has an answer to ${question}`
  } catch {
    return `it has ${text.length} characters, and is no JSON`
  }
}

import { MOST_NAMES, type SandboxFiles } from '../../disk/sandbox-files.ts'
import { fileOfEntry } from '../file-paths.ts'

/** Below this number of questions, looking for the files of each is cheaper than listing the folder. */
const FEW = 20

/** Tells which of many questions may have an answer file or a claim, so that the others need no look. */
export async function presentAnswers(
  files: SandboxFiles,
  folder: string,
  questions: number,
): Promise<(fileName: string) => boolean> {
  if (questions < FEW || !files.stamps) return () => true
  const entries = await files.list(folder)
  if (entries.length >= MOST_NAMES) return () => true
  const present = new Set(entries.map(fileOfEntry))
  return (fileName) => present.has(fileName)
}

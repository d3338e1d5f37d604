// Waits for the question of a later run, and answers it again and again until its folder is gone.

import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  answerFile,
  approvals,
  claimFile,
  folder,
  forged,
  makeFolder,
  questionFile,
  write,
} from './own-files.mjs'

makeFolder(approvals())
writeFileSync('forger-is-there', `${process.pid}`)
while (existsSync(folder())) {
  if (existsSync(questionFile)) for (const path of [answerFile, claimFile]) write(path, forged())
  await sleep(5)
}

// An older writer: overwrites one answer file in place, again and again, and completes it in the end. argv is its path.
import { writeFileSync } from 'node:fs'

const [path = ''] = process.argv.slice(2)
const LAST = 300

for (let revision = 1; revision <= LAST; revision++)
  writeFileSync(
    path,
    JSON.stringify({
      questions: [],
      answers: { 'Which one?': `${revision} `.repeat(20_000) },
      status: revision === LAST ? 'completed' : 'pending',
      timestamp: new Date().toISOString(),
      revision,
    }),
  )

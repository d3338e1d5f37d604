// Measures one scenario in a process of its own, so that what ran before changes nothing. Sends the figures to its parent.

import { scenarios } from '../scenarios.ts'

// The command is gone, and nobody else ends the processes of this group.
process.once('disconnect', () => process.kill(0, 'SIGKILL'))

const [name = '', options = '{}'] = process.argv.slice(2)
const figures = await scenarios[name]?.measure(JSON.parse(options))
const rounded = Object.entries(figures ?? {}).map(([key, figure]) => [
  key,
  typeof figure === 'number' ? Math.round(figure * 1000) / 1000 : figure,
])
process.send?.(figures ? Object.fromEntries(rounded) : null, () => process.exit())

import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'

/** The `sandagent` command. Links are resolved: what is isolated sees the packages where they really are. */
export function runnerPath(): string {
  const link = path.join(process.cwd(), 'node_modules/sandagent/dist/main.js')
  if (!existsSync(link)) throw new Error('The runner is not installed here: npm install sandagent')
  return realpathSync(link)
}

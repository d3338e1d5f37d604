import path from 'node:path'
import { LocalSandbox } from '@sandagent/sdk'

/** What the agent follows; it lies outside of the sandboxes. */
export const scenario = path.join(process.cwd(), 'scenario.json')

/** The folder of all sandboxes; relative paths start where the server was started. */
const workspace = process.env.SANDAGENT_WORKDIR ?? 'workspace'

/** Every user has a sandbox, so that nobody comes across the questions of somebody else. */
export const sandboxOf = (user: string): LocalSandbox =>
  new LocalSandbox({ workdir: `${workspace}/${user}`, readable: [scenario] })

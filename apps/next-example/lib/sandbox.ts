import { LocalSandbox } from '@sandagent/sdk'

/** The folder of all sandboxes; relative paths start where the server was started. */
const workspace = process.env.SANDAGENT_WORKDIR ?? 'workspace'

/** Every user has a sandbox, so that nobody comes across the questions of somebody else. */
export const sandboxOf = (user: string): LocalSandbox => new LocalSandbox({ workdir: `${workspace}/${user}` })

import { AskError, createAnswerHandler } from '@sandagent/sdk'
import { sandboxOf } from '../../../lib/sandbox.ts'
import { currentUser } from '../../../lib/session.ts'

/** Where `useAskUserQuestion` follows questions and sends answers. */
export const { GET, POST } = createAnswerHandler({
  sandbox: async () => sandboxOf(await signedInUser()),
  // Whatever is asked in their own sandbox is theirs to answer. Who did is kept with the answer.
  authorize: async () => ({ answeredBy: await signedInUser() }),
})

async function signedInUser(): Promise<string> {
  const user = await currentUser()
  if (user === null) throw new AskError('UNAUTHENTICATED', 'Open the page first')
  return user
}

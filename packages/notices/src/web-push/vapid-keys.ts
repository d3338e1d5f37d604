import { AskError, parseJson, parseWith } from '@sandagent/core/internal'
import { readPrivateFile, writeFileAtomic } from '@sandagent/files/internal'
import * as v from 'valibot'
import webPush, { type VapidKeys } from 'web-push'

const schema = v.object({ publicKey: v.string(), privateKey: v.string() })

/**
 * The keys that tell push services who sends (RFC 8292). They are made once: each subscription is for their public half.
 *
 * @throws AskError `UNSAFE_PATH` for a file that others can read, `INVALID_FILE`
 */
export async function loadVapidKeys(path: string): Promise<VapidKeys> {
  const known = await readPrivateFile(path)
  if (known === null)
    await writeFileAtomic(path, JSON.stringify(webPush.generateVAPIDKeys()), { exclusive: true }).catch(
      (error: unknown) => {
        // Another process was first: its keys count.
        if (!(error instanceof AskError && error.code === 'CONFLICT')) throw error
      },
    )
  const text = known ?? (await readPrivateFile(path)) ?? ''
  const what = `${path} holds no keys for web push`
  return parseWith(schema, parseJson(text, 'INVALID_FILE', what), 'INVALID_FILE', what)
}

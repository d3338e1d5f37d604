import { AskError, isSameName, routeOf } from '@sandagent/core/internal'
import type { Passkeys } from '@sandagent/passkeys'
import { jsonReply, readJsonBody, type WebHandler } from '@sandagent/sdk/internal'

export const NO_PASSKEYS =
  'Browsers have no passkeys at an address of digits: start sandagent serve with --host localhost, or with the --url of a name'

/**
 * The routes by which a person who is signed in lists, registers and removes passkeys: `GET …/list`, `POST …/begin`,
 * `POST …/register` and `POST …/remove`. A session alone changes nothing: another passkey or a code of the terminal must vouch
 * for it.
 *
 * @param passkeys `undefined` where browsers have none
 */
export function passkeyRoutes(passkeys: Passkeys | undefined, person: string): WebHandler {
  if (!passkeys)
    return async (request) => {
      if (request.method === 'GET') return jsonReply({ passkeys: [] })
      throw new AskError('NOT_FOUND', NO_PASSKEYS)
    }
  const routes: Readonly<Record<string, (request: Request) => Promise<object>>> = {
    'GET list': async () => ({
      passkeys: (await passkeys.list()).filter((entry) => isSameName(entry.person, person)),
    }),
    'POST begin': async (request) => passkeys.begin(person, await readJsonBody(request)),
    'POST register': async (request) => passkeys.register(person, await readJsonBody(request)),
    async 'POST remove'(request) {
      await passkeys.removeBy(person, await readJsonBody(request))
      return {}
    },
  }
  return async (request) => {
    const { method, name } = routeOf(request)
    const key = `${method} ${name}`
    const route = Object.hasOwn(routes, key) ? routes[key] : undefined
    if (!route) throw new AskError('NOT_FOUND', 'Passkeys have no such route')
    return jsonReply(await route(request))
  }
}

// All parsers that read what comes from elsewhere.

import { COMMAND } from './parsers/command.mjs'
import { CORE } from './parsers/core.mjs'
import { DIALECTS } from './parsers/dialects.mjs'
import { GRANTS } from './parsers/grants.mjs'
import { HTTP } from './parsers/http.mjs'
import { INBOX } from './parsers/inbox.mjs'
import { NOTICES } from './parsers/notices.mjs'
import { PASSKEYS } from './parsers/passkeys.mjs'
import { REACT } from './parsers/react.mjs'
import { REMOTE } from './parsers/remote.mjs'
import { RUNNER } from './parsers/runner.mjs'
import { SDK } from './parsers/sdk.mjs'
import { STORES } from './parsers/stores.mjs'
import { TELEMETRY } from './parsers/telemetry.mjs'
import { USER_CHOICE } from './parsers/user-choice.mjs'

/** @type {readonly import('./parser.mjs').Parser[]} */
export const PARSERS = [
  ...COMMAND,
  ...CORE,
  ...DIALECTS,
  ...GRANTS,
  ...HTTP,
  ...INBOX,
  ...NOTICES,
  ...PASSKEYS,
  ...REACT,
  ...REMOTE,
  ...RUNNER,
  ...SDK,
  ...STORES,
  ...TELEMETRY,
  ...USER_CHOICE,
]

import {
  type AnswerTransport,
  AskError,
  checkOptions,
  type OptionNames,
  sleep,
  systemClock,
  viewOf,
} from '@sandagent/core/internal'
import type { HostGrants } from '../policy/host-grants.ts'
import type { Policy } from '../policy/parse-policy.ts'
import { viewerOf } from '../policy/viewer-of.ts'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { channelOf, HOST_OPTIONS, type HostOptions } from './sandbox-channel.ts'
import { submitAnswer } from './submit-answer.ts'
import { logWarning } from './warnings.ts'

export interface SandboxTransportOptions extends HostOptions {
  /** The person who answers, as the host authenticated them. It is stored with the answer. */
  answeredBy?: string | undefined
  /** As in `SubmitOptions`. */
  roles?: readonly string[] | undefined
  policy?: Policy | undefined
  /** As in `SubmitOptions`. */
  grants?: HostGrants | undefined
  /** What tells a person without a name from others, at most 64 characters. The same again finds the same draft. */
  browser?: string | undefined
}

const NAMES: OptionNames<SandboxTransportOptions> = {
  ...HOST_OPTIONS,
  answeredBy: true,
  roles: 'list',
  policy: 'list',
  grants: true,
  browser: true,
}

/** The pause before a sandbox that could not be read is read again, in milliseconds. */
const RETRY_MS = 1000

/**
 * Reaches the questions of a sandbox from the host's own process, for forms that are not in a page: those of a terminal or a
 * desktop program. `createAskSession` and `useAskUserQuestion` take it as their `transport`.
 */
export function createSandboxTransport(
  sandbox: AnswerableSandbox,
  options: SandboxTransportOptions = {},
): AnswerTransport {
  checkOptions('createSandboxTransport: its options', options, NAMES)
  const { answeredBy, roles, policy, grants, browser, signingKeys, passkeys } = options
  const { onWarning = logWarning, clock = systemClock } = options
  const channel = channelOf(sandbox, { signingKeys, passkeys, onWarning, clock })
  return {
    send: (answer) =>
      submitAnswer(
        sandbox,
        { ...answer, browser },
        { answeredBy, roles, policy, grants, signingKeys, passkeys, clock },
      ),
    subscribe(toolCallId, onView) {
      const stop = new AbortController()
      const { signal } = stop
      const follow = async (): Promise<void> => {
        while (!signal.aborted) {
          try {
            for await (const state of channel.subscribe(signal, toolCallId)) {
              const viewer = await viewerOf({ answeredBy, roles, browser }, state, {
                policy,
                sandbox,
                grants,
                passkeys,
              })
              onView(viewOf(state, clock.now(), viewer))
            }
          } catch (cause) {
            if (signal.aborted) return
            const { code, message } =
              cause instanceof AskError ? cause : new AskError('UNREACHABLE', 'This question cannot be read')
            onWarning({ code, message, toolCallId })
          }
          await sleep(clock, RETRY_MS, signal)
        }
      }
      void follow()
      return () => stop.abort()
    },
  }
}

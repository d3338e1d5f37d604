/** HTML as a page with Trusted Types takes it. TypeScript has no name for it yet. */
type Trust = (html: string) => string

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: Trust }): { createHTML: Trust }
}

/** The name to allow in the page's `trusted-types` directive. */
const POLICY_NAME = 'sandagent'

let policy: { createHTML: Trust } | undefined

/** Marks HTML of a preview as checked, for a page with Trusted Types. It is used for frames that may do nothing. */
export const trust: Trust = (html) => {
  policy ??= createPolicy()
  return policy.createHTML(html)
}

function createPolicy(): { createHTML: Trust } {
  const rules = { createHTML: (html: string) => html }
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  try {
    return trustedTypes?.createPolicy(POLICY_NAME, rules) ?? rules
  } catch {
    return rules // The page allows no such policy.
  }
}

let allowsStyles: boolean | undefined

/** Whether the page's policy lets the HTML of a frame have styles: a frame takes over the policy of the page around it. */
export function allowsInlineStyles(): boolean {
  if (allowsStyles === undefined) {
    const probe = document.createElement('p')
    probe.setAttribute('style', 'color: red')
    allowsStyles = probe.style.color !== ''
  }
  return allowsStyles
}

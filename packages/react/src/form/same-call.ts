import { samePart, type ToolPart } from '@sandagent/core/internal'

interface CallProps {
  part?: ToolPart | undefined
}

/**
 * Whether two renders show the same call in the same way. A chat copies all its parts with each chunk of a reply, so their
 * identity tells nothing: without this, each chunk would render every form of the page again.
 */
export const isSameCall = (before: CallProps, after: CallProps): boolean =>
  Object.keys({ ...before, ...after }).every((name) => {
    const [one, other] = [before, after].map((props) => props[name as 'part'])
    return Object.is(one, other) || (name === 'part' && one && other && samePart(one, other))
  })

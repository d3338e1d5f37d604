import { type ReactElement, type ReactNode, useRef, useState } from 'react'
import type { FormPartProps } from '../state/ask-form.ts'
import { useOverflow } from '../state/use-overflow.ts'

interface ClampProps extends FormPartProps {
  id?: string
  children: ReactNode
}

/** A text of the agent with a button to show all of it, if it is long. */
export function Clamp({ form, id, children }: ClampProps): ReactElement {
  const { labels, components } = form
  const box = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const isLong = useOverflow(box, { content: form.markdown, isOn: !isOpen, slack: 1 })

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it follows the focus of what is in it */}
      <div
        ref={box}
        className="sa-text sa-clamp"
        id={id}
        dir="auto"
        data-open={isOpen || undefined}
        data-cut={(isLong && !isOpen) || undefined}
        // A link out of sight shows all of the text.
        onFocus={() => setOpen(true)}
      >
        {children}
      </div>
      {isLong && (
        <components.Button
          look="quiet"
          className="sa-show-more"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? labels.showLess : labels.showMore}
        </components.Button>
      )}
    </>
  )
}
